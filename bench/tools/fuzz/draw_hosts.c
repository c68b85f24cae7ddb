/* Draws (chooses at random) the keys that only machines of several hosts use: faults of hosts, and
 * how long hosts wait for each other. Leaves out values that are invalid on such machines, so that
 * few of the drawn scenarios are rejected. */
#include <inttypes.h>
#include <string.h>

#include "bench/scenario/hosts.h"
#include "drawing.h"
#include "transport/rows.h"

/* The value of reply_ns: the time after which a host that does not answer is lost. A host without a
 * fault always answers within this time. The slowest answer takes half a second: a host compiles a
 * kernel before it answers, at the cost that the shipped platforms give. */
static const int64_t patience_ns = INT64_C(20000000000);

static bool draw_hosts_is_one_of(const char *const *list, const char *word)
{
	for (int i = 0; list[i]; i++)
		if (strcmp(list[i], word) == 0)
			return true;
	return false;
}

bool draw_hosts_keeps(const char *path)
{
	static const char *const kept[] = {"runtime.distributed.reply_ns", "runtime.gather", NULL};

	return draw_hosts_is_one_of(kept, path);
}

static bool is_value(const char *path, const char *value, const char *key, const char *of_key)
{
	return strcmp(path, key) == 0 && strcmp(value, of_key) == 0;
}

/* Returns true if the value `value` of a key for threads contradicts the values that were chosen
 * before. A stage that follows receiving can have its own thread only if receiving has its own
 * thread. */
static bool stage_is_refused(const struct drawing *drawing, const char *path, const char *value)
{
	const struct pipeline_ops *pipeline =
		drawing->pipeline ? drawing->pipeline : pipeline_find("stages");
	bool receives = drawing->receive == STAGE_OWN ||
			(drawing->receive == STAGE_DEFAULT && pipeline->receive);

	if (is_value(path, value, "runtime.distributed.stages.receive", "merged"))
		return pipeline->deserialize || pipeline->read;
	if (is_value(path, value, "runtime.distributed.stages.deserialization", "own") ||
		is_value(path, value, "runtime.distributed.stages.read", "own"))
		return !receives;
	return is_value(
		       path, value, "runtime.distributed.stages.executor_deserialization", "own") &&
	       drawing->executor_receive != STAGE_OWN;
}

bool draw_hosts_refuses(const struct drawing *drawing, const char *path, const char *value)
{
	const struct transport_row *row = transport_find(value);

	if (drawing->machine.hosts == 0)
		return false;
	if (strcmp(path, "runtime.distributed.transport") == 0)
		return row && row->of_one_machine;
	return is_value(path, value, "runtime.forward.initiator_place", "named") ||
	       (drawing->machine.joined == 0 &&
		       is_value(path, value, "runtime.distributed.broadcast", "machine")) ||
	       stage_is_refused(drawing, path, value);
}

static enum stage_thread stage_of(const char *value)
{
	return strcmp(value, "own") == 0      ? STAGE_OWN
	       : strcmp(value, "merged") == 0 ? STAGE_MERGED
					      : STAGE_DEFAULT;
}

void draw_hosts_note(struct drawing *drawing, const char *path, const char *value)
{
	if (strcmp(path, "runtime.distributed.pipeline") == 0)
		drawing->pipeline = pipeline_find(value);
	else if (strcmp(path, "runtime.distributed.stages.receive") == 0)
		drawing->receive = stage_of(value);
	else if (strcmp(path, "runtime.distributed.stages.executor_receive") == 0)
		drawing->executor_receive = stage_of(value);
}

/* Draws a number if the key at `path` is about the size of messages or the times of polling.
 * Returns 0 for all other keys. Messages have at least 4 KiB, so that a message can contain a whole
 * page. Times are near their defaults. */
int64_t draw_hosts_number(struct drawing *drawing, const char *path)
{
	if (strcmp(path, "runtime.distributed.message_bytes") == 0)
		return INT64_C(4096) << draw_below(drawing, 9);
	if (strcmp(path, "runtime.distributed.poll_ns") == 0)
		return INT64_C(500) << draw_below(drawing, 6);
	if (strcmp(path, "runtime.distributed.look_ns") == 0)
		return INT64_C(500) << draw_below(drawing, 8);
	return 0;
}

/* Draws a time of up to `decades` decimal digits. */
static uint32_t draw_us(struct drawing *drawing, uint32_t decades)
{
	uint32_t us = draw_below(drawing, 10);

	for (uint32_t i = draw_below(drawing, decades); i > 0; i--)
		us = 10 * us + draw_below(drawing, 10);
	return us;
}

void draw_hosts_fault(struct drawing *drawing, struct text *model)
{
	const struct fault_ops *fault;
	uint32_t count = 0;
	bool late;

	if (drawing->machine.hosts == 0 || drawing->harmless || !draw_chance(drawing, 3))
		return;
	drawing->faulted = true;
	while (fault_row(count))
		count++;
	fault = fault_row(draw_below(drawing, count));
	if (fault == fault_row(HOST_FAULT_NONE))
		fault = fault_row(HOST_FAULT_CUT);
	late = fault == fault_row(HOST_FAULT_LATE);
	text_printf(model, ", fault: {kind: %s, host: %" PRIu32 ", at_us: %" PRIu32,
		fault->entry.name, draw_below(drawing, drawing->machine.hosts),
		draw_us(drawing, late ? 7 : 4));
	if (fault->lasts)
		text_printf(
			model, ", for_us: %" PRIu32, draw_us(drawing, fault->of_network ? 7 : 4));
	text_append(model, "}");
}

void draw_hosts_patience(struct drawing *drawing, struct text *distributed)
{
	if (drawing->faulted || draw_chance(drawing, 4))
		text_printf(distributed, "%sreply_ns: %" PRId64, distributed->length ? ", " : "",
			patience_ns);
}
