/* Waits for the executors' answers to commands. A thread waits at the monitor of the table of
 * notifications. If no thread is dedicated to receiving, the waiting thread receives messages
 * itself. If a host is silent for too long, the wait ends with an error. */
#include "controller_private.h"

/* Waits once; called inside the monitor. If a thread is dedicated to receiving, waits until that
 * thread reports something or the deadline has passed. Otherwise the calling thread leaves the
 * monitor, receives one message itself, and enters the monitor again. If another thread is
 * receiving at this moment, the calling thread instead waits for at most settings.look_ns. It must
 * not wait longer, because a thread that sends receives only until its window has room. */
static enum status wait_more(struct controller *controller, int64_t deadline_ns)
{
	const struct controller_settings *settings = &controller->settings;
	struct monitor *told = controller->table.told;
	enum status status;

	if (settings->pipeline->receive)
		return world->monitor_wait_until(told, deadline_ns, settings->wait);
	if (!reverse_begin(controller)) {
		int64_t look_ns = world->now_ns() + (int64_t)settings->look_ns;

		(void)world->monitor_wait_until(
			told, look_ns < deadline_ns ? look_ns : deadline_ns, settings->wait);
		return world->now_ns() < deadline_ns ? STATUS_OK : STATUS_TIMEOUT;
	}
	world->monitor_exit(told);
	status = reverse_take(controller, deadline_ns);
	reverse_end(controller);
	world->monitor_enter(told);
	return status;
}

/* Number of looks during reply_ns. */
enum { LOOKS = 8 };

int64_t patience_look(const struct controller *controller, int64_t until_ns)
{
	int64_t look_ns = world->now_ns() + (int64_t)(controller->settings.reply_ns / LOOKS);

	return controller->settings.reply_ns == 0 || look_ns > until_ns ? until_ns : look_ns;
}

int64_t patience_held_ns(const struct controller *controller, int64_t look_ns)
{
	int64_t late_ns = world->now_ns() - look_ns;

	return late_ns > (int64_t)(controller->settings.reply_ns / LOOKS) ? late_ns : 0;
}

/* The time limits of a wait that began at `since_ns`. */
struct limit {
	int64_t until_ns, deadline_ns, since_ns;
	int64_t held_ns; /* time in ns for which this machine was suspended; it does not count as
			  * silence of a host */
	bool silence;	 /* true: until_ns is earlier than the deadline, because a host will then
			  * have been silent for too long, which is a fault */
};

/* Returns the time at which the host has been silent for too long. Its silence begins at the latest
 * of three times: when the wait began, when the host last sent something, and when the controller
 * last sent a command to any host. Commands to other hosts count because the controller sends its
 * commands one after another. So the command to this host may have been sent only just before the
 * last one. If a host does not accept commands, the sender notices it. */
static int64_t silence_ends(
	const struct controller *controller, const struct limit *limit, uint32_t host)
{
	int64_t from_ns = limit->since_ns, heard_ns = controller->hosts[host].heard_ns;

	if (controller->table.sent_ns > from_ns)
		from_ns = controller->table.sent_ns;
	if (heard_ns > from_ns)
		from_ns = heard_ns;
	return from_ns + (int64_t)controller->settings.reply_ns + limit->held_ns;
}

/* Waits until the limit, but at most for one look. */
static enum status wait_a_look(struct controller *controller, struct limit *limit)
{
	int64_t until_ns = limit->until_ns;
	enum status status;

	if (!limit->silence)
		return wait_more(controller, until_ns);
	until_ns = patience_look(controller, until_ns);
	status = wait_more(controller, until_ns);
	limit->held_ns += patience_held_ns(controller, until_ns);
	return status;
}

/* Sets the limit of the wait. It is the deadline, or the time at which the first of these hosts
 * will have been silent for too long, whichever is earlier. */
static void limit_set(struct limit *limit, const struct controller *controller, uint32_t hosts)
{
	limit->silence = false;
	limit->until_ns = limit->deadline_ns;
	if (controller->settings.reply_ns == 0)
		return;
	for (uint32_t i = 0; i < controller->settings.host_count; i++) {
		int64_t end_ns = silence_ends(controller, limit, i);

		if ((hosts >> i & 1) == 0 || end_ns >= limit->until_ns)
			continue;
		limit->silence = true;
		limit->until_ns = end_ns;
	}
}

/* Returns the hosts that have been silent for too long when the wait ended. */
static uint32_t silent_hosts(
	const struct controller *controller, const struct limit *limit, uint32_t hosts)
{
	uint32_t silent = 0;

	for (uint32_t i = 0; i < controller->settings.host_count; i++)
		if ((hosts >> i & 1) != 0 && silence_ends(controller, limit, i) <= limit->until_ns)
			silent |= 1u << i;
	return silent;
}

static void name_hosts(const struct controller *controller, uint32_t hosts, struct text *why)
{
	const char *between = " ";

	text_append(why, "no answer from host");
	for (uint32_t i = 0; i < controller->settings.host_count; i++)
		if ((hosts >> i & 1) != 0) {
			text_printf(why, "%s%s", between, controller->hosts[i].name);
			between = ", ";
		}
}

/* Returns the status for the caller. Must be called inside the monitor. */
static enum status judge(struct controller *controller, enum status status)
{
	struct table *table = &controller->table;
	struct text *why = &controller->why;

	if (table->fault != STATUS_OK) {
		text_clear(why);
		text_append(why, text_string(&table->fault_why));
		return table->fault;
	}
	if (table->late != STATUS_OK) {
		status = table->late;
		table->late = STATUS_OK;
		text_clear(why);
		text_append(why, text_string(&table->late_why));
	}
	return status;
}

/* Waits inside the monitor. Returns true if all hosts have answered *awaited, or if a host has
 * failed; false if the deadline has passed. A host that is silent for too long has failed. A host
 * that still sends messages, for example the pieces of a large read, is not silent. */
static bool wait_inside(struct controller *controller, struct awaited *awaited, int64_t deadline_ns)
{
	struct table *table = &controller->table;
	struct limit limit = {.deadline_ns = deadline_ns, .since_ns = world->now_ns()};
	enum status status = STATUS_OK;

	limit_set(&limit, controller, awaited->hosts);
	while (awaited->hosts != 0 && table->fault == STATUS_OK && status == STATUS_OK) {
		status = wait_a_look(controller, &limit);
		if (status != STATUS_TIMEOUT || !limit.silence)
			continue;
		limit_set(&limit, controller, awaited->hosts);
		if (limit.until_ns > world->now_ns())
			status = STATUS_OK;
	}
	if (awaited->hosts == 0 || table->fault != STATUS_OK)
		return true;
	if (limit.silence) {
		table->fault = STATUS_TIMEOUT;
		table->silent = silent_hosts(controller, &limit, awaited->hosts);
		table->grace_end_ns = world->now_ns() + (int64_t)controller->settings.grace_ns;
		name_hosts(controller, table->silent, &table->fault_why);
		world->monitor_notify_all(table->told);
	}
	return limit.silence;
}

/* Waits like wait_inside(), for the main thread, and returns the status for the caller. */
static enum status wait_for(
	struct controller *controller, struct awaited *awaited, int64_t deadline_ns)
{
	if (wait_inside(controller, awaited, deadline_ns))
		return judge(controller, awaited->status);
	text_clear(&controller->why);
	name_hosts(controller, awaited->hosts, &controller->why);
	return STATUS_TIMEOUT;
}

bool controller_hears(struct controller *controller)
{
	struct table *table = &controller->table;
	int64_t deadline_ns;
	enum status status = STATUS_OK;
	bool heard;

	world->monitor_enter(table->told);
	deadline_ns = table->grace_end_ns;
	while ((table->silent & ~table->heard) != 0 && status == STATUS_OK)
		status = wait_more(controller, deadline_ns);
	heard = table->silent != 0 && (table->silent & ~table->heard) == 0;
	world->monitor_exit(table->told);
	return heard;
}

enum status table_judge(struct controller *controller)
{
	enum status status = STATUS_OK;

	world->monitor_enter(controller->table.told);
	if (controller->table.fault != STATUS_OK)
		status = judge(controller, STATUS_OK);
	world->monitor_exit(controller->table.told);
	return status;
}

enum status table_wait(struct controller *controller, struct awaited *awaited, int64_t deadline_ns)
{
	struct table *table = &controller->table;
	enum status status;

	world->monitor_enter(table->told);
	status = wait_for(controller, awaited, deadline_ns);
	awaited->kept = false;
	if (awaited->hosts == 0 || awaited->kind != AWAITED_ANSWER)
		table_take_off(table, awaited);
	world->monitor_exit(table->told);
	return status;
}

enum status table_wait_request(
	struct controller *controller, struct awaited *awaited, uint64_t *bytes)
{
	struct table *table = &controller->table;
	enum status status;

	world->monitor_enter(table->told);
	(void)wait_inside(controller, awaited, DEADLINE_NEVER);
	status = table->fault != STATUS_OK ? table->fault : awaited->status;
	*bytes = awaited->most;
	table_take_off(table, awaited);
	world->monitor_exit(table->told);
	return status;
}

enum status table_wait_event(struct controller *controller, const struct mesh_parts *parts,
	uint32_t event, int64_t deadline_ns)
{
	struct table *table = &controller->table;
	struct awaited *awaited;
	enum status status;

	world->monitor_enter(table->told);
	for (awaited = table->first; awaited != NULL; awaited = awaited->next)
		if (awaited->kind == AWAITED_EVENT && awaited->parts == parts &&
			awaited->event == event)
			break;
	if (awaited != NULL) {
		awaited->kept = true;
		status = wait_for(controller, awaited, deadline_ns);
		awaited->kept = false;
		if (awaited->hosts == 0)
			table_take_off(table, awaited);
	} else {
		status = judge(controller, STATUS_OK);
	}
	world->monitor_exit(table->told);
	return status;
}

enum status table_wait_in_vain(struct controller *controller, int64_t deadline_ns)
{
	struct table *table = &controller->table;
	enum status status = STATUS_OK;

	world->monitor_enter(table->told);
	while (table->fault == STATUS_OK && status == STATUS_OK)
		status = wait_more(controller, deadline_ns);
	status = judge(controller, status);
	world->monitor_exit(table->told);
	return status;
}
