/* The deadline, see deadline.h: an alarm. Uses only what a signal handler may use. */
#include "deadline.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char sentence[300];

static void end_late(int signal)
{
	ssize_t written = write(STDERR_FILENO, sentence, strlen(sentence));

	(void)signal;
	(void)written;
	_exit(1);
}

void deadline_start(const char *what)
{
	snprintf(sentence, sizeof sentence, "FAILED: %s is not over after %d s: it is locked up\n",
		what, DEADLINE_SECONDS);
	signal(SIGALRM, end_late);
	alarm(DEADLINE_SECONDS);
}

void deadline_stop(void)
{
	alarm(0);
}
