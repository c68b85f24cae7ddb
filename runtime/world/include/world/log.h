/* Log lines record what the runtime does. Each line has a type and a level (execution flow 10.1). A
 * line costs no simulated time. If there is no receiver (sink) for a line, its text is not made. */
#ifndef WORLD_LOG_H
#define WORLD_LOG_H

#include <stdbool.h>
#include <stdint.h>

enum log_type {
#define X(name, word, what) LOG_##name,
#include "lists/log.def"
#undef X
	LOG_TYPE_COUNT
};

enum log_level {
	LOG_DEBUG,   /* single calls, buffers and messages */
	LOG_INFO,    /* events that happen only a few times in a run */
	LOG_WARNING, /* problems after which the program continues, for example a rejected call */
	LOG_ERROR,   /* problems that end the run */
	LOG_LEVEL_COUNT
};

struct log_line {
	int64_t at_ps; /* time since the start of the world, as for marks (world.h) */
	uint16_t host;
	enum log_type type;
	enum log_level level;
	const char *thread; /* name of the calling thread */
	const char *text;
};

/* Receives log lines. The harness gives it to both worlds, as a part of struct recorder. */
struct log_sink {
	void *context;

	/* [type] lowest level of the lines that the sink gets; LOG_LEVEL_COUNT: it gets no lines of
	 * this type */
	enum log_level least[LOG_TYPE_COUNT];

	/* Receives a line. The line is valid only during the call. In the native world several
	 * threads may call this at the same time. It must not block. */
	void (*take)(void *context, const struct log_line *line);
};

/* Returns true if the sink wants lines of this type and level. */
bool log_wants(enum log_type type, enum log_level level);

/* Logs a line, formatted as by printf(). At most 159 bytes of the text are kept. */
void log_line(enum log_type type, enum log_level level, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Logs a line if the sink wants it, for example LOG_TO(DISPATCH, DEBUG, "queue %u", queue). */
#define LOG_TO(type, level, ...)                                                                   \
	do {                                                                                       \
		if (log_wants(LOG_##type, LOG_##level))                                            \
			log_line(LOG_##type, LOG_##level, __VA_ARGS__);                            \
	} while (0)

/* Return the word for a type, for example "dispatch", and for a level, for example "debug". */
const char *log_type_word(enum log_type type);
const char *log_level_word(enum log_level level);

#endif
