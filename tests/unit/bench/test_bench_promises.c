/* Tests a check of marks: the host must not see the end of an operation before the operation ends.
 * In the simulation, a mark is made at the exact time of its event. In the native world, some marks
 * are made later than their events. So the check must not use these marks. */
#include "test.h"

#include <stdio.h>

#include "bench/run/conservation.h"
#include "check.h"

enum { SEEN_PS = 1000 };

/* An operation whose end the host has seen, with one point passed at `late_ps`. */
static struct op_row seen_op(const char *kind, enum mark_point late, int64_t late_ps)
{
	struct op_row op = {.operation = 1};

	snprintf(op.kind, sizeof op.kind, "%s", kind);
	op.marks[late] = (struct op_mark){.first = late_ps, .last = late_ps, .count = 1};
	op.marks[MARK_SEEN] = (struct op_mark){.first = SEEN_PS, .last = SEEN_PS, .count = 1};
	return op;
}

static bool kept(const char *kind, enum mark_point late, int64_t late_ps, bool marks_at_once)
{
	struct op_row op = seen_op(kind, late, late_ps);
	struct text why = {0};
	bool result = promises_kept(&op, 1, marks_at_once, &why);

	check_equal(result, why.length == 0);
	text_fini(&why);
	return result;
}

TEST(workers_of_launches_and_traces_are_judged_in_both_worlds)
{
	static const char *const kinds[] = {"enqueue_workload", "trace"};

	for (size_t i = 0; i < 2; i++)
		for (int at_once = 0; at_once < 2; at_once++) {
			check_equal(kept(kinds[i], MARK_WORKERS_DONE, SEEN_PS, at_once), true);
			check_equal(kept(kinds[i], MARK_WORKERS_DONE, SEEN_PS + 1, at_once), false);
		}
}

TEST(what_tells_is_judged_only_where_it_is_marked_at_once)
{
	check_equal(kept("trace", MARK_NOTIFIED, SEEN_PS + 1, true), false);
	check_equal(kept("trace", MARK_NOTIFIED, SEEN_PS + 1, false), true);
}

TEST(a_finish_of_a_sub_device_is_judged_by_its_programs_alone)
{
	for (uint32_t finished = 0; finished < 4; finished++) {
		struct op_row ops[2] = {seen_op("enqueue_workload", MARK_WORKERS_DONE, SEEN_PS + 1),
			seen_op("finish", MARK_NOTIFIED, SEEN_PS)};
		struct text why = {0};

		ops[0].marks[MARK_SEEN] = (struct op_mark){0};
		ops[0].sub_devices = 1;
		ops[1].sub_devices = (uint8_t)finished; /* 0: of all */
		check_equal(promises_kept(ops, 2, true, &why), finished == 2);
		text_fini(&why);
	}
}

TEST(a_finish_is_judged_by_the_trace_ahead_of_it)
{
	struct op_row ops[2] = {seen_op("trace", MARK_WORKERS_DONE, SEEN_PS + 1),
		seen_op("finish", MARK_NOTIFIED, SEEN_PS)};
	struct text why = {0};

	ops[0].marks[MARK_SEEN] = (struct op_mark){0};
	for (int at_once = 0; at_once < 2; at_once++)
		check_equal(promises_kept(ops, 2, at_once, &why), false);
	text_fini(&why);
}

TEST_MAIN(NULL, NULL)
