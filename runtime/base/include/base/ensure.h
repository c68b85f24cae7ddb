/* Checks that are always on and end the process. ensure() is for bugs of ours: prints file, line,
 * condition and the given values on standard error, exit code 70 (EX_SOFTWARE). ensure_memory() is
 * for running out of memory, by a limit (ulimit -v) or on the machine, which is not a bug: prints
 * what the memory was for, exit code 71. */
#ifndef BASE_ENSURE_H
#define BASE_ENSURE_H

enum { ENSURE_MEMORY_EXIT = 71 };

/* Ends the process if `condition` is false. The format and its values describe the state. */
#define ensure(condition, ...)                                                                     \
	do {                                                                                       \
		if (__builtin_expect(!(condition), 0))                                             \
			ensure_failed(__FILE__, __LINE__, #condition, __VA_ARGS__);                \
	} while (0)

/* Ends the process if `condition`, that an allocation succeeded, is false. The format and its
 * values say what the memory was for: "4 chips". */
#define ensure_memory(condition, ...)                                                              \
	do {                                                                                       \
		if (__builtin_expect(!(condition), 0))                                             \
			ensure_memory_failed(__VA_ARGS__);                                         \
	} while (0)

_Noreturn void ensure_failed(const char *file, int line, const char *condition, const char *format,
	...) __attribute__((format(printf, 4, 5)));
_Noreturn void ensure_memory_failed(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
