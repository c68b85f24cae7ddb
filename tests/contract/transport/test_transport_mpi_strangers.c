/* label: full
 * Tests strangers at a hub over MPI. A stranger greets the hub. After that, it does not connect, or
 * sends invalid data on its lifeline, a socket by which the hub learns that a member has died. The
 * hub must reject this stranger, and must not wait longer for it than for other strangers. The hub
 * also rejects messages that are not greetings. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "lifeline.h"
#include "world/queue.h"
#include "world/world.h"

static void greet_and_say_something_else(void *argument)
{
	static const char neither[] = "neither a cookie nor a frame of it";
	uint64_t cookie;
	int fd = lifeline_greet(argument, &cookie);

	lifeline_say(fd, FRAME_MESSAGE, 2, neither, sizeof neither);
	check_equal(lifeline_hear(fd), FRAME_REFUSED);
	check_equal(lifeline_hear(fd), 0);
	close(fd);
}

/* Eight bytes are a cookie, which may be sent only once. */
static void greet_and_be_there_twice(void *argument)
{
	uint64_t cookie;
	int fd = lifeline_greet(argument, &cookie);

	cookie++; /* the cookie of another process */
	lifeline_say(fd, FRAME_MESSAGE, 2, &cookie, sizeof cookie);
	check_equal(lifeline_hear(fd), FRAME_MESSAGE);
	lifeline_say(fd, FRAME_MESSAGE, 3, &cookie, sizeof cookie);
	check_equal(lifeline_hear(fd), FRAME_REFUSED);
	check_equal(lifeline_hear(fd), 0);
	close(fd);
}

static void greet_and_go(void *argument)
{
	uint64_t cookie;

	close(lifeline_greet(argument, &cookie));
}

static void who_greets_and_says_something_else_is_refused(void)
{
	lifeline_check(greet_and_say_something_else, 1);
}

static void who_says_twice_that_it_is_there_is_refused(void)
{
	lifeline_check(greet_and_be_there_twice, 1);
}

/* A world of MPI cannot be used by a forked child. */
static void a_process_forked_from_one_that_has_used_it_is_refused(void)
{
	struct channel_settings settings = transport_hub_settings();
	struct hub *hub = transport_hub(), *other = NULL;
	struct text why = {0};
	pid_t child = fork();
	int ended;

	if (child == 0) {
		enum status status = transport->hub_open(&settings, &other, &why);
		bool told = strstr(text_string(&why), "was forked from one that has used Open MPI");

		_exit(status == STATUS_UNSUPPORTED && told ? 0 : 1);
	}
	check_equal(waitpid(child, &ended, 0), child);
	check(WIFEXITED(ended) && WEXITSTATUS(ended) == 0, "the child ends with %x", ended);
	transport->hub_close(hub);
}

static void who_greets_and_goes_is_forgotten(void)
{
	lifeline_check(greet_and_go, 0);
}

/* ---- after acceptance ---- */

struct talker {
	const struct hub *hub;
	struct semaphore *is_accepted;
};

/* Acts as a member of the hub's own process, which connects at once. */
static void talk_on_the_lifeline(void *argument)
{
	const struct talker *talker = argument;
	uint64_t cookie;
	int fd = lifeline_greet(talker->hub, &cookie);

	lifeline_say(fd, FRAME_MESSAGE, 2, &cookie, sizeof cookie);
	check_status(semaphore_acquire(talker->is_accepted, DEADLINE_NEVER, WAIT_PARK), STATUS_OK);
	lifeline_say(fd, FRAME_MESSAGE, 3, "a word", 6);
	while (lifeline_hear(fd) != 0)
		continue;
	close(fd);
}

/* Messages are valid only over MPI, so one on the lifeline is an error. */
static void a_message_on_the_lifeline_of_who_is_accepted_is_refused(void)
{
	struct hub *hub = transport_hub();
	struct channel *channel = transport_join(hub, "member", 0);
	struct talker talker = {hub, semaphore_new("is accepted", 0)};
	struct thread *thread =
		world->spawn("talks", (struct affinity){0, -1}, talk_on_the_lifeline, &talker);
	struct channel_counts counts;
	struct span message;
	uint32_t number;

	check_status(transport->hub_accept(hub, transport_in_ms(15000), &number), STATUS_OK);
	check_equal(number, 1);
	semaphore_release(talker.is_accepted, 1);
	check_status(transport->hub_receive(hub, transport_in_ms(15000), &number, &message),
		STATUS_CLOSED);
	check_equal(number, 1);
	world->join(thread);
	transport->hub_counts(hub, &counts);
	check_equal(counts.refused, 1);
	check_equal(counts.received, 0);
	transport->hub_drop(hub, 1);
	transport_send_to(hub, CHANNEL_ALL, 100, 1);
	transport_expect(channel, 100, 1);
	transport->close(channel);
	transport->hub_close(hub);
	semaphore_free(talker.is_accepted);
}

static bool is_mpi(const char *name)
{
	return strcmp(name, "mpi") == 0;
}

int main(void)
{
	static const struct transport_case cases[] = {
		TRANSPORT_CASE(transport_refuses_other_machines),
		TRANSPORT_CASE(who_greets_and_says_something_else_is_refused),
		TRANSPORT_CASE(who_says_twice_that_it_is_there_is_refused),
		TRANSPORT_CASE(who_greets_and_goes_is_forgotten),
		TRANSPORT_CASE(a_message_on_the_lifeline_of_who_is_accepted_is_refused),
		TRANSPORT_CASE(a_process_forked_from_one_that_has_used_it_is_refused),
	};

	if (!transport_find("mpi")->ops)
		return 77; /* built without libopenmpi-dev */
	return transports_run_where(
		"strangers of MPI", cases, sizeof cases / sizeof cases[0], is_mpi);
}
