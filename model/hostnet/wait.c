/* How the threads of an end wait. There are three ways, and the end's library determines which of
 * them is used: the thread sleeps at once; or it spins first and then sleeps; or it polls, yields
 * its core between polls, and polls at longer and longer intervals. */
#include "hostnet_private.h"

#include "base/ensure.h"
#include "world/world.h"

/* Before its next poll, a polling thread pauses for 1/PAUSE_PART of the silence so far. */
enum { PAUSE_PART = 4 };

/* Charges half the cost of a wait: one half is for falling asleep, the other for waking up. Lets
 * the charged time pass at once (host_thread_settle()), because a thread that finds no message
 * after it was woken waits again. */
static void charge_half(const struct end *end, bool library)
{
	const struct hostnet_costs *costs = end->costs;

	host_thread_charge((library ? costs->thread_wait_message_ps : costs->wait_message_ps) / 2,
		library ? CHARGE_TRANSPORT_THREAD_WAIT : CHARGE_TRANSPORT_WAIT);
	host_thread_settle();
}

/* Returns true if the library's thread was woken only because messages have left. Such a wake is
 * not charged, because the cost of sending the messages includes it. */
static bool is_told(const struct end *end, const struct place *place)
{
	const struct parcel *parcel = end->work_first;

	while (parcel && parcel->kind == PARCEL_DONE)
		parcel = parcel->next;
	return place == &end->idle && !parcel && !end->stop;
}

/* Charges the cost of a poll. If `whole` is set, the thread has just got the core from another
 * thread, and pays for the whole poll. Otherwise the message arrived during a poll, and the thread
 * pays for half a poll, which is what remains of it on average. */
static void charge_look(const struct end *end, bool whole)
{
	host_thread_charge(end->costs->wait_message_ps / (whole ? 1 : 2), CHARGE_TRANSPORT_WAIT);
	host_thread_settle();
}

/* Pauses between two polls. A message that arrives during the pause does not wake the thread; the
 * thread finds it when the pause is over. */
static void pause_for(int64_t pause_ps)
{
	struct host_waiter nobody = {0};

	(void)host_thread_wait(&nobody, (engine_now() + pause_ps) / 1000 + 1, WAIT_PARK,
		"its next look for messages");
}

static enum status poll_for(
	struct end *end, struct host_waiter *waiter, int64_t deadline_ns, const char *what)
{
	int64_t look_until_ps = end->heard_ps + end->costs->look_ps;
	int64_t silence_ps = engine_now() - end->heard_ps, left_ps;
	enum status status;
	bool switched;

	if (deadline_ns <= engine_now() / 1000)
		return STATUS_TIMEOUT;
	if (engine_now() < look_until_ps) {
		int64_t until_ns = look_until_ps / 1000 + 1;

		status = host_thread_poll(
			waiter, until_ns < deadline_ns ? until_ns : deadline_ns, what, &switched);
		if (status == STATUS_OK || engine_now() / 1000 < deadline_ns)
			charge_look(end, switched);
		return engine_now() / 1000 < deadline_ns ? STATUS_OK : status;
	}
	if (silence_ps / PAUSE_PART > end->costs->pause_ps)
		silence_ps = PAUSE_PART * end->costs->pause_ps;
	left_ps = deadline_ns >= INT64_MAX / 1000 ? INT64_MAX : 1000 * deadline_ns - engine_now();
	pause_for(silence_ps / PAUSE_PART < left_ps ? silence_ps / PAUSE_PART : left_ps);
	charge_look(end, true);
	return STATUS_OK;
}

static enum status sleep_there(
	struct end *end, struct place *place, int64_t deadline_ns, const char *what)
{
	enum wait_mode mode = end->costs->spins ? WAIT_SPIN_THEN_PARK : WAIT_PARK;
	bool library = place == &end->idle;
	enum status status;

	if (!place->dozed && deadline_ns > engine_now() / 1000) {
		place->dozed = true;
		charge_half(end, library);
		return STATUS_OK;
	}
	status = host_thread_wait(place->waiter, deadline_ns, mode, what);
	if (status == STATUS_OK && !is_told(end, place)) {
		place->dozed = false;
		charge_half(end, library);
	}
	return status;
}

enum status net_end_wait(
	struct end *end, struct place *place, int64_t deadline_ns, const char *what)
{
	struct host_waiter waiter = {0};
	enum status status;
	bool switched;

	ensure(!place->waiter, "two threads wait for %s of one end", what);
	place->waiter = &waiter;
	if (end->costs->look_ps > 0 && place != &end->idle)
		status = poll_for(end, &waiter, deadline_ns, what);
	else if (end->costs->polls_for_room && place == &end->sender)
		status = host_thread_poll(&waiter, deadline_ns, what, &switched);
	else
		status = sleep_there(end, place, deadline_ns, what);
	place->waiter = NULL;
	return status;
}

void net_end_wake(struct place *place)
{
	if (place->waiter && !host_thread_wake(place->waiter))
		host_thread_news();
}
