/* Log lines (world/world.h). */
#include "world/world.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/ensure.h"

enum { TEXT_BYTES = 160 };

static const char *const types[LOG_TYPE_COUNT] = {
#define X(name, word, what) [LOG_##name] = #word,
#include "lists/log.def"
#undef X
};

static const char *const levels[LOG_LEVEL_COUNT] = {
	[LOG_DEBUG] = "debug",
	[LOG_INFO] = "info",
	[LOG_WARNING] = "warning",
	[LOG_ERROR] = "error",
};

bool log_wants(enum log_type type, enum log_level level)
{
	const struct log_sink *sink = world->log(NULL);

	return sink != NULL && level >= sink->least[type];
}

void log_line(enum log_type type, enum log_level level, const char *format, ...)
{
	char text[TEXT_BYTES];
	struct log_line line = {.type = type, .level = level, .text = text};
	const struct log_sink *sink = world->log(&line);
	va_list values;

	if (sink == NULL)
		return;
	va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	va_end(values);
	sink->take(sink->context, &line);
}

const char *log_type_word(enum log_type type)
{
	ensure((unsigned)type < LOG_TYPE_COUNT, "log type %u of %u", (unsigned)type,
		LOG_TYPE_COUNT);
	return types[type];
}

const char *log_level_word(enum log_level level)
{
	ensure((unsigned)level < LOG_LEVEL_COUNT, "log level %u of %u", (unsigned)level,
		LOG_LEVEL_COUNT);
	return levels[level];
}
