/* Log lines on standard error. The level is set once; nothing else is kept. */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/ensure.h"
#include "base/text.h"

static enum log_level highest = LOG_LEVEL_WARNING;

static const struct {
	const char *name, *colour;
} levels[] = {
	[LOG_LEVEL_ERROR] = {"error", "\033[31m"},
	[LOG_LEVEL_WARNING] = {"warning", "\033[33m"},
	[LOG_LEVEL_INFO] = {"info", "\033[32m"},
	[LOG_LEVEL_DEBUG] = {"debug", "\033[36m"},
};

void log_start(enum log_level level)
{
	ensure(level <= LOG_LEVEL_DEBUG, "log level %d", (int)level);
	highest = level;
}

bool log_enabled(enum log_level level)
{
	return level <= highest;
}

bool log_colour(int descriptor)
{
	const char *refused = getenv("NO_COLOR");

	return !(refused && refused[0]) && isatty(descriptor);
}

void log_print(enum log_level level, const char *format, ...)
{
	bool colour = log_colour(STDERR_FILENO);
	struct text line;
	va_list values;
	char message[1024];

	if (!log_enabled(level))
		return;
	va_start(values, format);
	vsnprintf(message, sizeof(message), format, values);
	va_end(values);
	text_init(&line);
	text_printf(&line, "meshsim: %s%s%s: %s\n", colour ? levels[level].colour : "",
		levels[level].name, colour ? "\033[0m" : "", message);
	fwrite(line.bytes, 1, line.length, stderr);
	text_fini(&line);
}
