/* The end of a process that gets no more memory: a limit (ulimit -v), or the machine's. That is no
 * bug of ours, and nothing goes on without. Says what there was none for and ends with exit
 * code 71. */
#ifndef BASE_ENSURE_MEMORY_H
#define BASE_ENSURE_MEMORY_H

enum { ENSURE_MEMORY_EXIT = 71 };

/* Ends the process if `condition`, that memory was got, is false. The format and its values say
 * what for: "4 chips". */
#define ensure_memory(condition, ...)                                                              \
	do {                                                                                       \
		if (__builtin_expect(!(condition), 0))                                             \
			ensure_memory_failed(__VA_ARGS__);                                         \
	} while (0)

_Noreturn void ensure_memory_failed(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
