/* The end of a process that found a bug of ours: says where and what, exits with 70. */
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
