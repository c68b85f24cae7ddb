/* Always-on assertions for bugs of ours. A failed one prints file, line, condition and the given
 * values on standard error and ends the process with exit code 70 (EX_SOFTWARE). */
#ifndef BASE_ENSURE_H
#define BASE_ENSURE_H

/* Ends the process if `condition` is false. The format and its values say what was seen. */
#define ensure(condition, ...)                                                                     \
	do {                                                                                       \
		if (__builtin_expect(!(condition), 0))                                             \
			ensure_failed(__FILE__, __LINE__, #condition, __VA_ARGS__);                \
	} while (0)

_Noreturn void ensure_failed(const char *file, int line, const char *condition, const char *format,
	...) __attribute__((format(printf, 4, 5)));

#endif
