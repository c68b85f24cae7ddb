/* A deadline for code that may lock up: a test that hangs fails with a message after seconds, long
 * before ctest would kill it silently. */
#ifndef TEST_DEADLINE_H
#define TEST_DEADLINE_H

/* Seconds on a quiet machine; on a busy one the deadline stretches like everything else. Sanitizers
 * make everything slower. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { DEADLINE_SECONDS = 120 };
#else
enum { DEADLINE_SECONDS = 30 };
#endif

/* Unless deadline_stop() is called in time, prints that `what` is not over and ends the process
 * with exit code 1. There is one deadline per process. `what` is borrowed. */
void deadline_start(const char *what);
void deadline_stop(void);

#endif
