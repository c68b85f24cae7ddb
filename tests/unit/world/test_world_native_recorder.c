/* Tests the recorder of the native world. The threads of chips add marks until the process ends,
 * even after a run has failed. By then, the caller's recorder no longer exists: it was on a stack
 * whose memory is used again. So the world must have its own copy of the recorder. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "world/native/native.h"
#include "world/world.h"

static uint32_t marks;

static void count_mark(
	void *context, int64_t time_ps, uint32_t operation, enum mark_point point, uint32_t chip)
{
	(void)time_ps;
	(void)operation;
	(void)point;
	(void)chip;
	++*(uint32_t *)context;
}

static void no_mark(
	void *context, int64_t time_ps, uint32_t operation, enum mark_point point, uint32_t chip)
{
	(void)context;
	(void)time_ps;
	(void)point;
	(void)chip;
	fail_msg("operation %u is marked by a recorder that has gone", operation);
}

TEST(marks_go_to_the_recorder_as_it_was_given)
{
	struct recorder recorder = {.context = &marks, .mark = count_mark};

	native_world_start(&recorder);
	recorder = (struct recorder){.mark = no_mark};
	native_world.mark(1, 0, 0);
	assert_int_equal(marks, 1);
	native_world_start(NULL);
	native_world.mark(2, 0, 0);
	assert_int_equal(marks, 1);
}

TEST_MAIN(NULL, NULL)
