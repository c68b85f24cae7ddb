/* A deadline for code that may hang. It lets the test fail with a message after some seconds.
 * Without it, ctest would kill the test much later, without a message. */
#ifndef TEST_DEADLINE_H
#define TEST_DEADLINE_H

/* The deadline in seconds on an idle machine. On a busy machine it expires later, because the
 * tested code is slower there, too. With sanitizers it is longer, because they slow down all code.
 */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { DEADLINE_SECONDS = 120 };
#else
enum { DEADLINE_SECONDS = 30 };
#endif

/* deadline_start() starts the deadline, which deadline_stop() ends. If deadline_stop() is not
 * called in time, prints that `what` has not ended, and ends the process with exit code 1. A
 * process has only one deadline. `what` is copied. */
void deadline_start(const char *what);
void deadline_stop(void);

#endif
