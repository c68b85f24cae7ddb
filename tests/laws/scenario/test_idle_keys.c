/* label: slow  timeout: 600 long: 1800
 * Tests that keys without effect are reported. Changes every number, switch and choice of a
 * scenario, for several kinds of workloads. The new value must change the result, be rejected, or
 * be reported to have no effect. The normal test tries a third of the keys, the long test all keys.
 * test_scenario_keys.c tests which values have an effect. */
#include "test.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "bench/scenario/scenario.h"
#include "key_run.h"
#include "seeds.h"
#include "shell.h"

struct place {
	const char *path;
	enum step_kind kind;
};

/* Keys that may have no effect, although there is no warning. Sizes and limits have an effect only
 * if a run reaches them. Further virtual channels have an effect only if routers run out of slots.
 * Further command buffers have an effect only if writes follow each other closely. Log lines exist
 * only if their events happen. The time for which a thread spins matters only if a wait takes
 * longer. runtime.dispatch_cores and `workers` have no effect if they name the cores that are
 * chosen by default. */
static const char *const excused[] = {
#define X(name, word, what) "measure.log." #word,
#include "lists/log.def"
#undef X
	"runtime.dispatch_cores", "runtime.sizes.issue_queue_bytes",
	"runtime.sizes.completion_queue_bytes", "runtime.sizes.config_ring_bytes",
	"runtime.sizes.trace_region_bytes", "limits.events", "limits.simulated_ms", "limits.wall_s",
	"limits.silent_s", "limits.lost_s", "runtime.forward.channels", "runtime.command_buffers",
	"runtime.host.spin_ns", "workload.0.collective.workers", NULL};

#define HEAD "meshsim: 1\nname: keys\nplatform: "

static const struct context {
	const char *scenario;
	struct place places[8];
} contexts[] = {
	{HEAD "n150\nworkload: [finish]\n", {{0}}},
	{HEAD "n150\nruntime: {command_queues: 2}\nworkload:\n"
	      "  - write_buffer: {bytes: 65536}\n"
	      "  - record_event: {}\n"
	      "  - wait_event: {}\n"
	      "  - read_buffer: {}\n"
	      "  - enqueue_workload: {}\n"
	      "  - record_event: {event: e, to_host: true}\n"
	      "  - wait_event: {event: e, host: true}\n"
	      "  - finish\n",
		{{"workload.0.write_buffer.", STEP_WRITE_BUFFER},
			{"workload.1.record_event.", STEP_RECORD_EVENT},
			{"workload.2.wait_event.", STEP_WAIT_EVENT},
			{"workload.3.read_buffer.", STEP_READ_BUFFER},
			{"workload.4.enqueue_workload.", STEP_ENQUEUE_WORKLOAD},
			{"workload.6.wait_event.", STEP_WAIT_EVENT}}},
	{HEAD "t3k\nruntime: {forward: {path: broadcast}, host: {threads: pool, count: 1}}\n"
	      "workload:\n"
	      "  - repeat: 2\n"
	      "    do: [{enqueue_workload: {processors: [brisc, ethernet]}}, finish]\n",
		{{"workload.0.", STEP_REPEAT},
			{"workload.0.do.0.enqueue_workload.", STEP_ENQUEUE_WORKLOAD}}},
	{HEAD "t3k\nworkload:\n"
	      "  - enqueue_workload: {programs: [{devices: {shape: [1, 4]}}, {devices: {shape: "
	      "[1, 4], offset: [1, 0]}, processors: ethernet}]}\n"
	      "  - finish\n",
		{{"workload.0.enqueue_workload.programs.0.", STEP_ENQUEUE_WORKLOAD},
			{"workload.0.enqueue_workload.programs.1.", STEP_ENQUEUE_WORKLOAD}}},
	{HEAD "n300\nruntime: {host: {threads: per-device}, completion: per-device}\n"
	      "measure: {verify: false}\n"
	      "workload:\n"
	      "  - trace: 2\n"
	      "    replays: 2\n"
	      "    do: [{enqueue_workload: {runtime_args: 40, processors: ethernet}}]\n"
	      "  - finish\n",
		{{"workload.0.", STEP_TRACE},
			{"workload.0.do.0.enqueue_workload.", STEP_ENQUEUE_WORKLOAD}}},
	{HEAD "t3k\nseeds: [1, 2]\nworkload:\n"
	      "  - fabric_ping: {samples: 2}\n"
	      "  - fabric_traffic: {pattern: linear_multicast, packets: 8, warmup: 1}\n",
		{{"workload.0.fabric_ping.", STEP_FABRIC_PING},
			{"workload.1.fabric_traffic.", STEP_FABRIC_TRAFFIC}}},
	{HEAD "t3k\nworkload:\n"
	      "  - collective: {op: all_reduce, size_bytes: 65536}\n"
	      "  - finish\n",
		{{"workload.0.collective.", STEP_COLLECTIVE}}},
};

enum { CONTEXTS = sizeof contexts / sizeof *contexts };

static bool is_excused(const char *path)
{
	for (int i = 0; excused[i]; i++)
		if (strcmp(excused[i], path) == 0)
			return true;
	return false;
}

/* Tries other values until one acts or is reported as idle; true also if all are rejected. */
static bool acts_or_says_so(
	size_t context, struct key_end base, const char *path, const struct schema_field *field)
{
	char value[128], set[512] = "";
	bool same = false;

	for (uint32_t i = 0; key_other_value(field, i, value, sizeof value); i++) {
		struct key_end end;

		snprintf(set, sizeof set, "%s: %s", field->name, value);
		if ((field->fallback && strcmp(value, field->fallback) == 0) ||
			strstr(contexts[context].scenario, set))
			continue; /* the value that it already has */
		snprintf(set, sizeof set, "%s=%s", path, value);
		end = key_run(contexts[context].scenario, set);
		if (end.code == 2)
			continue;
		if ((end.code == 0 || end.code == 4) && (end.print != base.print || end.said))
			return true;
		same = true;
	}
	if (same)
		print_error(
			"context %zu: '%s' changes nothing, and is not said to have no effect\n",
			context, path);
	return !same;
}

static uint32_t try_fields(size_t context, struct key_end base, const char *prefix,
	const struct schema_field *fields, size_t count)
{
	static uint32_t number; /* number of the key, counted over all contexts */
	uint32_t bad = 0;
	char path[256];

	for (size_t i = 0; i < count; i++) {
		const struct schema_field *field = &fields[i];

		snprintf(path, sizeof path, "%s%s", prefix, field->name);
		if (field->kind == SCHEMA_KIND_MAP) {
			strcat(path, ".");
			bad += try_fields(context, base, path, field->schema->fields,
				field->schema->field_count);
		} else if (!is_excused(path) && share_has(number++)) {
			bad += !acts_or_says_so(context, base, path, field);
		}
	}
	return bad;
}

static uint32_t try_step(size_t context, struct key_end base, const struct place *place)
{
	const struct schema_variant *variant = &step_variants.variants[place->kind];
	uint32_t bad =
		try_fields(context, base, place->path, variant->siblings, variant->sibling_count);

	if (variant->field.kind == SCHEMA_KIND_MAP)
		bad += try_fields(context, base, place->path, variant->field.schema->fields,
			variant->field.schema->field_count);
	return bad;
}

TEST(a_key_that_changes_nothing_says_so)
{
	uint32_t bad = 0;

	for (size_t c = 0; c < CONTEXTS; c++) {
		struct key_end base = key_run(contexts[c].scenario, NULL);

		assert_int_equal(base.code, 0);
		assert_false(base.said);
		bad += try_fields(
			c, base, "", scenario_schema()->fields, scenario_schema()->field_count);
		for (const struct place *place = contexts[c].places; place->path; place++)
			bad += try_step(c, base, place);
	}
	assert_int_equal(bad, 0);
}

TEST_MAIN(shell_folder_make, shell_folder_remove)
