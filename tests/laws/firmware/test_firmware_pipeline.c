/* Tests the time of a pipeline of kernels over circular buffers. It must be exactly the time that a
 * step-by-step calculation gives, for any kernels, numbers of pages and depths of buffers. Also
 * tests the time of a whole launch. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "firmware/worker/worker.h"

/* ---- independent calculation: when each kernel has finished each page ---- */

enum { STEPS_MAX = 200 };

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Returns the cycles that a pipeline of `count` kernels takes for `steps` pages. A kernel can start
 * a page when three others are finished: its own previous page, the same page of the kernel before
 * it, and, at the kernel after it, the page that is `depth` pages earlier. */
static uint64_t reckon(const uint64_t *cycles, uint32_t count, uint32_t steps, uint32_t depth)
{
	static uint64_t done[STEPS_MAX][PROCESSOR_COUNT];

	for (uint32_t page = 0; page < steps; page++)
		for (uint32_t k = 0; k < count; k++) {
			uint64_t start = 0;

			if (page > 0)
				start = later(start, done[page - 1][k]);
			if (k > 0)
				start = later(start, done[page][k - 1]);
			if (page >= depth && k + 1 < count)
				start = later(start, done[page - depth][k + 1]);
			done[page][k] = start + cycles[k];
		}
	return done[steps - 1][count - 1];
}

TEST(the_closed_form_is_the_longest_path)
{
	struct stream random;

	stream_init(&random, 1, "pipeline");
	for (uint32_t i = 0; i < 20000; i++) {
		uint32_t count = 1 + (uint32_t)stream_below(&random, PROCESSOR_COUNT);
		uint32_t steps = 1 + (uint32_t)stream_below(&random, STEPS_MAX);
		uint32_t depth = 1 + (uint32_t)stream_below(&random, 4);
		uint64_t cycles[PROCESSOR_COUNT];

		for (uint32_t k = 0; k < count; k++)
			cycles[k] = stream_below(&random, i % 2 ? 10 : 100000);
		assert_int_equal(worker_closed_form_cycles(cycles, count, steps, depth),
			reckon(cycles, count, steps, depth));
	}
}

/* ---- a launch ---- */

static struct firmware *firmware_make(void)
{
	struct firmware_costs costs = {.worker_launch = 100.25,
		.worker_processor = 10.5,
		.worker_copy = 0.75,
		.worker_circular_buffer = 3,
		.worker_semaphore = 2};
	struct firmware_limits limits;

	firmware_limits_plain(&limits);
	return firmware_new(&costs, &limits, NULL);
}

static int64_t launch_cycles(const struct firmware *firmware, const struct launch_message *message,
	const struct kernel *kernels, uint32_t count)
{
	int64_t setup, total;

	worker_launch_cycles(firmware, 1000, message, kernels, count, &setup, &total);
	return total;
}

TEST(a_launch_of_one_step_takes_as_long_as_its_longest_kernel)
{
	struct firmware *firmware = firmware_make();
	struct launch_message message = {.circular_buffers = 2, .semaphores = 3};
	struct kernel kernels[] = {
		{.processor = PROCESSOR_BRISC, .steps = 1, .cycles = 500},
		{.processor = PROCESSOR_NCRISC,
			.flags = KERNEL_COPIED,
			.steps = 1,
			.cycles = 400,
			.text_bytes = 1600},
		{.processor = PROCESSOR_TRISC1, .steps = 1, .cycles = 1},
	};

	/* Starting the launch takes 100.25 + 3 x 10.5 + 2 x 3 + 3 x 2 = 143.75 cycles, rounded up.
	 * Then BRISC runs for 500 cycles. Meanwhile, the kernel of NCRISC is copied for 100 x 0.75
	 * cycles, and then runs for 400 cycles. */
	assert_int_equal(launch_cycles(firmware, &message, kernels, 3), 144 + 500);
	kernels[1].cycles = 450;
	assert_int_equal(launch_cycles(firmware, &message, kernels, 3), 144 + 75 + 450);
	assert_int_equal(launch_cycles(firmware, &message, kernels, 0), 112);
	firmware_free(firmware);
}

TEST(a_launch_of_many_steps_is_a_pipeline_in_the_order_of_the_data)
{
	struct firmware *firmware = firmware_make();
	struct launch_message message = {0};
	struct kernel kernels[] = {
		{.processor = PROCESSOR_BRISC, .steps = 10, .cycles = 7},
		{.processor = PROCESSOR_NCRISC, .steps = 10, .cycles = 30},
		{.processor = PROCESSOR_TRISC1, .steps = 10, .cycles = 20},
	};

	/* 100.25 + 31.5 = 131.75 */
	assert_int_equal(launch_cycles(firmware, &message, kernels, 3), 132 + 57 + 9 * 30);
	firmware_free(firmware);
}

/* With buffers of one page, a kernel can start a page only when the next kernel has consumed the
 * previous page. So each page takes the reader's 30 cycles plus the next kernel's 20 cycles. */
TEST(a_launch_with_single_buffers_takes_two_neighbours_a_page)
{
	struct firmware *firmware = firmware_make();
	struct launch_message message = {.pipeline_pages = 1};
	struct kernel kernels[] = {
		{.processor = PROCESSOR_BRISC, .steps = 10, .cycles = 7},
		{.processor = PROCESSOR_NCRISC, .steps = 10, .cycles = 30},
		{.processor = PROCESSOR_TRISC1, .steps = 10, .cycles = 20},
	};

	assert_int_equal(launch_cycles(firmware, &message, kernels, 3), 132 + 57 + 9 * (30 + 20));
	message.pipeline_pages = PIPELINE_PAGES_MAX;
	assert_int_equal(launch_cycles(firmware, &message, kernels, 3), 132 + 57 + 9 * 30);
	firmware_free(firmware);
}

TEST_MAIN(NULL, NULL)
