/* Checks the order of completions by their marks (conservation.h). All times of a run are from one
 * clock, which is the simulated clock or the machine's monotonic clock. */
#include "bench/run/conservation.h"

#include <inttypes.h>
#include <string.h>

#include "base/table/alike.h"
#include "mesh/config.h"

/* Marks that must not be later than the time at which the host sees the operation's end. */
static const struct promise {
	enum mark_point point;
	const char *what;
	bool told; /* the reporting side sets the mark, possibly late */
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

/* Returns true for an operation that ends only after all earlier operations of its queue. */
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

bool promises_kept(const struct op_row *ops, uint32_t count, bool marks_at_once, struct text *why)
{
	const struct op_row *slowest[ALIKE_MINORS_MAX][MESH_COMMAND_QUEUES_MAX] = {{NULL}};

	for (uint32_t i = 0; i < count; i++) {
		const struct op_row *op = &ops[i], **most = &slowest[op->mesh_number][op->queue];

		if (op->marks[MARK_SEEN].count > 0 &&
			!promises_judge(op, *most, marks_at_once, why))
			return false;
		if (!*most ||
			op->marks[MARK_WORKERS_DONE].last > (*most)->marks[MARK_WORKERS_DONE].last)
			*most = op;
	}
	return true;
}
