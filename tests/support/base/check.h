/* Checks for test code that runs where cmocka cannot be used: in child processes, in threads of the
 * native or the simulated world, and in stages of firmware. A failed check prints its place and its
 * condition, and then the two values that it compares (check(): the caller's message). It ends the
 * process with exit code 1. */
#ifndef TEST_CHECK_H
#define TEST_CHECK_H

#include <stdio.h>
#include <unistd.h>

#define check(condition, ...)                                                                      \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition);            \
			fprintf(stderr, __VA_ARGS__);                                              \
			fputc('\n', stderr);                                                       \
			_exit(1);                                                                  \
		}                                                                                  \
	} while (0)

/* Compares both values as long long. Prints them if the comparison fails. */
#define check_equal(seen, expected)                                                                \
	do {                                                                                       \
		long long seen_ = (long long)(seen), expected_ = (long long)(expected);            \
                                                                                                   \
		check(seen_ == expected_, "%s is %lld, expected %lld", #seen, seen_, expected_);   \
	} while (0)

#define check_less(low, high)                                                                      \
	do {                                                                                       \
		long long low_ = (long long)(low), high_ = (long long)(high);                      \
                                                                                                   \
		check(low_ < high_, "%s is %lld, %s is %lld", #low, low_, #high, high_);           \
	} while (0)

#define check_at_most(low, high)                                                                   \
	do {                                                                                       \
		long long low_ = (long long)(low), high_ = (long long)(high);                      \
                                                                                                   \
		check(low_ <= high_, "%s is %lld, %s is %lld", #low, low_, #high, high_);          \
	} while (0)

#define check_status(seen, expected)                                                               \
	do {                                                                                       \
		enum status seen_ = (seen), expected_ = (expected);                                \
                                                                                                   \
		check(seen_ == expected_, "%s is %s, expected %s", #seen, status_name(seen_),      \
			status_name(expected_));                                                   \
	} while (0)

#endif
