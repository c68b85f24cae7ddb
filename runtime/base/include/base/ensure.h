/* Checks that are always on, and end the process if they fail. Use ensure() for bugs of meshsim. It
 * prints file, line, condition and the given values on standard error, and exits with code 70
 * (EX_SOFTWARE). Use ensure_memory() for allocations, which can fail because of a limit (ulimit -v)
 * or because the machine has no more memory. It prints the purpose of the memory, and exits with
 * code 71. */
#ifndef BASE_ENSURE_H
#define BASE_ENSURE_H

enum { ENSURE_MEMORY_EXIT = 71 };

/* Ends the process if `condition` is false. The format and its values describe the state of the
 * program. */
#define ensure(condition, ...)                                                                     \
	do {                                                                                       \
		if (__builtin_expect(!(condition), 0))                                             \
			ensure_failed(__FILE__, __LINE__, #condition, __VA_ARGS__);                \
	} while (0)

/* Ends the process if `condition` is false; the caller passes the condition that an allocation
 * succeeded. The format and its values name the purpose of the memory, such as "4 chips". */
#define ensure_memory(condition, ...)                                                              \
	do {                                                                                       \
		if (__builtin_expect(!(condition), 0))                                             \
			ensure_memory_failed(__VA_ARGS__);                                         \
	} while (0)

_Noreturn void ensure_failed(const char *file, int line, const char *condition, const char *format,
	...) __attribute__((format(printf, 4, 5)));
_Noreturn void ensure_memory_failed(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
