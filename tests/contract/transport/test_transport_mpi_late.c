/* label: full
 * Tests a stranger that greets a hub over MPI, but then never connects to the MPI port. The hub
 * must stop waiting for it, and reject it. This takes seconds, so the test is a program of its own.
 */
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "lifeline.h"

static void greet_and_never_meet(void *argument)
{
	uint64_t cookie;
	int fd = lifeline_greet(argument, &cookie);

	cookie++; /* the cookie of another process */
	lifeline_say(fd, FRAME_MESSAGE, 2, &cookie, sizeof cookie);
	check_equal(lifeline_hear(fd), FRAME_MESSAGE); /* contains the hub's MPI port; this stranger
							* never connects to it */
	check_equal(lifeline_hear(fd), 0);
	close(fd);
}

static void who_greets_and_never_meets_is_refused(void)
{
	lifeline_check(greet_and_never_meet, 1);
}

static bool is_mpi(const char *name)
{
	return strcmp(name, "mpi") == 0;
}

int main(void)
{
	static const struct transport_case cases[] = {
		TRANSPORT_CASE(who_greets_and_never_meets_is_refused),
	};

	if (!transport_find("mpi")->ops)
		return 77; /* built without libopenmpi-dev */
	return transports_run_where("late over MPI", cases, sizeof cases / sizeof cases[0], is_mpi);
}
