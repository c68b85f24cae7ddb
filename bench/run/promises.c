/* Checks by the marks of operations that operations complete in the right order (conservation.h).
 * All times of a run are from the same clock: the simulated clock, or the machine's monotonic
 * clock. */
#include "bench/run/conservation.h"

#include <inttypes.h>
#include <string.h>

#include "base/table/alike.h"
#include "mesh/config.h"
#include "mesh/sub_device.h"

/* Marks that must not be later than the time at which the host sees the operation's end. */
static const struct promise {
	enum mark_point point;
	const char *what;
	bool told; /* the side that reports the end sets the mark, and may set it late */
} promises[] = {
	{MARK_WORKERS_DONE, "the last worker was done", false},
	{MARK_ANSWERED, "the last device had answered", true},
	{MARK_NOTIFIED, "the last device had told the host", true},
};

static bool promises_tell(const struct op_row *waited, const struct op_row *late,
	enum mark_point point, const char *what, struct text *why)
{
	text_printf(why,
		"the end of operation %" PRIu32 " (%s of queue %u) was seen %.3f us before %s",
		waited->operation, waited->kind, waited->queue,
		1e-6 * (double)(late->marks[point].last - waited->marks[MARK_SEEN].last), what);
	if (late != waited)
		text_printf(why, " of operation %" PRIu32 " (%s) ahead of it", late->operation,
			late->kind);
	return false;
}

/* Returns true if `op` is a finish, or records an event on all devices. Such an operation ends
 * only after all earlier operations of its queue, except perhaps those on sub-devices for which it
 * does not wait. */
static bool ends_queue(const struct op_row *op)
{
	return strcmp(op->kind, "finish") == 0 ||
	       (strcmp(op->kind, "record_event") == 0 && !op->part);
}

static bool promises_judge(
	const struct op_row *op, const struct op_row *slowest, bool marks_at_once, struct text *why)
{
	int64_t seen = op->marks[MARK_SEEN].last;

	for (size_t i = 0; i < sizeof promises / sizeof promises[0]; i++)
		if (op->marks[promises[i].point].last > seen &&
			(marks_at_once || !promises[i].told))
			return promises_tell(op, op, promises[i].point, promises[i].what, why);
	if (slowest && ends_queue(op) && slowest->marks[MARK_WORKERS_DONE].last > seen)
		return promises_tell(op, slowest, MARK_WORKERS_DONE, promises[0].what, why);
	return true;
}

/* For a queue of a mesh: on each sub-device, the operation whose workers were done last. */
struct slowest {
	const struct op_row *of[SUB_DEVICES_MAX];
};

static bool uses(const struct op_row *op, uint32_t sub_device)
{
	return op->sub_devices == 0 || (op->sub_devices >> sub_device & 1) != 0;
}

/* Returns the slowest operation on the sub-devices of `op`, or NULL. */
static const struct op_row *slowest_before(const struct slowest *slowest, const struct op_row *op)
{
	const struct op_row *most = NULL;

	for (uint32_t i = 0; i < SUB_DEVICES_MAX; i++) {
		const struct op_row *other = uses(op, i) ? slowest->of[i] : NULL;

		if (other && (!most || other->marks[MARK_WORKERS_DONE].last >
					       most->marks[MARK_WORKERS_DONE].last))
			most = other;
	}
	return most;
}

static void slowest_note(struct slowest *slowest, const struct op_row *op)
{
	for (uint32_t i = 0; i < SUB_DEVICES_MAX; i++) {
		const struct op_row **most = &slowest->of[i];

		if (uses(op, i) && (!*most || op->marks[MARK_WORKERS_DONE].last >
						      (*most)->marks[MARK_WORKERS_DONE].last))
			*most = op;
	}
}

bool promises_kept(const struct op_row *ops, uint32_t count, bool marks_at_once, struct text *why)
{
	struct slowest slowest[ALIKE_MINORS_MAX][MESH_COMMAND_QUEUES_MAX] = {0};

	for (uint32_t i = 0; i < count; i++) {
		const struct op_row *op = &ops[i];
		struct slowest *of = &slowest[op->mesh_number][op->queue];

		if (op->marks[MARK_SEEN].count > 0 &&
			!promises_judge(op, slowest_before(of, op), marks_at_once, why))
			return false;
		slowest_note(of, op);
	}
	return true;
}
