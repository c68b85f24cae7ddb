/* Ends the process with a message, after a bug (exit code 70) or when memory runs out (exit code
 * 71). */
#include "base/ensure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXIT_BUG = 70 };

void ensure_failed(const char *file, int line, const char *condition, const char *format, ...)
{
	va_list values;

	fflush(stdout);
	fprintf(stderr, "meshsim: bug: %s:%d: '%s' does not hold: ", file, line, condition);
	va_start(values, format);
	vfprintf(stderr, format, values);
	va_end(values);
	fputc('\n', stderr);
	fflush(stderr);
	_Exit(EXIT_BUG);
}

void ensure_memory_failed(const char *format, ...)
{
	va_list values;

	fflush(stdout);
	fputs("meshsim: no memory for ", stderr);
	va_start(values, format);
	vfprintf(stderr, format, values);
	va_end(values);
	fputs(": its limit (ulimit -v) or the machine's is reached\n", stderr);
	fflush(stderr);
	_Exit(ENSURE_MEMORY_EXIT);
}
