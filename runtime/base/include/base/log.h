/* Log to standard error: levels error, warning, info, debug; off above warning unless log_start()
 * says otherwise. Colour only on a terminal and without NO_COLOR. Results never go here, and
 * nothing that is logged may change what a run does. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARNING, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

/* Sets the highest level that is printed. Called once, by main, before any thread is started. */
void log_start(enum log_level level);

/* True if a message of `level` would be printed: guards work done only for a message. */
bool log_enabled(enum log_level level);

/* One line "meshsim: LEVEL: message"; written by one call, so lines of threads do not mix. */
void log_print(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* True if colour is wanted on `descriptor`: it is a terminal and NO_COLOR is unset or empty. */
bool log_colour(int descriptor);

#define log_error(...)	 log_print(LOG_LEVEL_ERROR, __VA_ARGS__)
#define log_warning(...) log_print(LOG_LEVEL_WARNING, __VA_ARGS__)
#define log_info(...)                                                                              \
	do {                                                                                       \
		if (log_enabled(LOG_LEVEL_INFO))                                                   \
			log_print(LOG_LEVEL_INFO, __VA_ARGS__);                                    \
	} while (0)
#define log_debug(...)                                                                             \
	do {                                                                                       \
		if (log_enabled(LOG_LEVEL_DEBUG))                                                  \
			log_print(LOG_LEVEL_DEBUG, __VA_ARGS__);                                   \
	} while (0)

#endif
