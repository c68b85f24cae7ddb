/* Tests the noise of host costs. Its mean, width and tail must be those that the constants give,
 * and must not change if work is split into pieces. A random stream depends only on its seed and
 * its name. The value `off` disables the noise. */
#include "test.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <math.h>

#include "check.h"
#include "sim_case.h"
#include "sim_host.h"

enum { DRAWS = 20000 };

static const struct affinity anywhere = {.core = -1};

struct shape {
	struct host_constants constants;
	uint64_t seed;
	uint64_t units;	 /* per sample */
	uint64_t pieces; /* calls per sample */
	bool copies;
	bool company; /* another thread draws at the same time */
	/* results: */
	double mean_ps, deviation_ps, skew;
	uint64_t extras; /* samples above four times the mean cost */
	uint64_t hash;
};

static void draw_alone(void *unused)
{
	(void)unused;
	for (int i = 0; i < 100; i++)
		sim_host_compute(3);
}

static int64_t sample(const struct shape *shape)
{
	int64_t before_ps = host_thread_paid_at_ps();

	for (uint64_t piece = 0; piece < shape->pieces; piece++) {
		if (shape->copies)
			world->work_copy(10000, MEMORY_CACHED, MEMORY_PINNED);
		else
			world->work(WORK_API_CALL, shape->units / shape->pieces);
	}
	return host_thread_paid_at_ps() - before_ps;
}

static void draw(void *argument)
{
	struct shape *shape = argument;
	double sum = 0, squares = 0, cubes = 0;
	static int64_t samples[DRAWS];

	for (int i = 0; i < DRAWS; i++) {
		samples[i] = sample(shape);
		sum += (double)samples[i];
		shape->extras += samples[i] > 4 * (int64_t)(US * shape->units);
		shape->hash = (shape->hash ^ (uint64_t)samples[i]) * UINT64_C(1099511628211);
	}
	shape->mean_ps = sum / DRAWS;
	for (int i = 0; i < DRAWS; i++) {
		double off = (double)samples[i] - shape->mean_ps;
		squares += off * off;
		cubes += off * off * off;
	}
	shape->deviation_ps = sqrt(squares / DRAWS);
	shape->skew = cubes / DRAWS / pow(shape->deviation_ps, 3);
}

static void draw_main(void *argument)
{
	struct shape *shape = argument;
	struct thread *company = NULL, *drawer;

	if (shape->company)
		company = world->spawn("company", anywhere, draw_alone, NULL);
	drawer = world->spawn("drawer", anywhere, draw, shape);
	world->join(drawer);
	if (company)
		world->join(company);
}

static void draw_body(const void *argument, void *result)
{
	struct shape *shape = result;

	(void)argument;
	check_equal(
		sim_host_run(&shape->constants, shape->seed, draw_main, shape), ENGINE_FINISHED);
}

static struct shape draw_with(struct shape shape)
{
	assert_int_equal(sim_case_run(draw_body, NULL, &shape, sizeof(shape)).exit_code, 0);
	return shape;
}

static struct host_constants noisy(double variation, double probability, int64_t tail_ps)
{
	struct host_constants constants = sim_host_constants();

	constants.noise = true;
	constants.work[WORK_API_CALL].noise = (struct host_noise){variation, probability, tail_ps};
	constants.copy_noise = constants.work[WORK_API_CALL].noise;
	return constants;
}

static void assert_near(const char *what, double seen, double expected, double tolerance)
{
	if (fabs(seen - expected) > tolerance)
		print_error("%s is %g, expected %g within %g\n", what, seen, expected, tolerance);
	assert_true(fabs(seen - expected) <= tolerance);
}

TEST(mean_and_width_are_those_of_the_constants)
{
	static const double variations[] = {0.05, 0.3, 1.0};

	for (int i = 0; i < 3; i++) {
		double v = variations[i];
		struct shape shape = draw_with((struct shape){
			.constants = noisy(v, 0, 0), .seed = 1, .units = 1, .pieces = 1});

		assert_near("mean", shape.mean_ps, US, 4 * v * US / sqrt(DRAWS) + 1);
		assert_near("deviation", shape.deviation_ps, v * US, 0.03 * v * US);
		assert_near("skew", shape.skew, 2 * v, 0.2 * v + 0.05);
	}
}

TEST(cutting_work_into_pieces_changes_neither_mean_nor_width)
{
	for (uint64_t pieces = 1; pieces <= 25; pieces += 24) {
		struct shape shape = draw_with((struct shape){.constants = noisy(0.5, 0.01, US),
			.seed = 2,
			.units = 25,
			.pieces = pieces});
		double extra_variance = 25 * (0.01 * 4.0 / 3.0 - 0.01 * 0.01);

		assert_near("mean", shape.mean_ps / US, 25.25, 4 * 2.57 / sqrt(DRAWS));
		assert_near("deviation", shape.deviation_ps / US, sqrt(25 * 0.25 + extra_variance),
			0.06);
	}
}

TEST(extras_are_as_rare_and_as_big_as_the_constants_say)
{
	struct shape shape = draw_with((struct shape){
		.constants = noisy(0, 0.01, 100 * US), .seed = 3, .units = 1, .pieces = 1});

	/* shape.extras counts samples above 4 us. The cost without an extra is 1 us, so these are
	 * extras above 3 us: 197 of 200. */
	assert_near(
		"extras", (double)shape.extras, DRAWS * 0.01 * 197 / 200, 4 * sqrt(DRAWS * 0.01));
	assert_near("mean", shape.mean_ps / US, 2.0, 4 * 11.5 / sqrt(DRAWS));
}

TEST(copies_scatter_too)
{
	struct shape shape = draw_with((struct shape){
		.constants = noisy(0.2, 0, 0), .seed = 4, .units = 1, .pieces = 1, .copies = true});

	assert_near("mean", shape.mean_ps, US, 4 * 0.2 * US / sqrt(DRAWS));
	assert_near("deviation", shape.deviation_ps, 0.2 * US, 0.01 * US);
}

TEST(off_is_exact)
{
	struct shape shape = {.constants = noisy(0.5, 0.1, US), .seed = 5, .units = 3, .pieces = 1};

	shape.constants.noise = false;
	shape = draw_with(shape);
	assert_true(shape.mean_ps == 3.0 * US);
	assert_true(shape.deviation_ps == 0.0);
}

TEST(a_thread_draws_the_same_beside_any_others)
{
	struct shape shape = {
		.constants = noisy(0.3, 0.01, US), .seed = 6, .units = 1, .pieces = 1};
	struct shape alone, again, with_company, other_seed;

	alone = draw_with(shape);
	again = draw_with(shape);
	shape.company = true;
	with_company = draw_with(shape);
	shape.seed = 7;
	other_seed = draw_with(shape);
	assert_true(alone.hash == again.hash);
	assert_true(alone.hash == with_company.hash);
	assert_true(alone.hash != other_seed.hash);
}

/* ---- wake-ups, and invalid constants ---- */

static void wake_many(void *argument)
{
	struct shape *shape = argument;
	double sum = 0, squares = 0;
	int64_t previous_ps;

	for (int i = 0; i < 2000; i++) {
		previous_ps = engine_now();
		world->sleep_until(world->now_ns() + 2);
		double took = (double)(engine_now() - previous_ps);
		sum += took;
		squares += took * took;
	}
	shape->mean_ps = sum / 2000;
	shape->deviation_ps = sqrt(squares / 2000 - shape->mean_ps * shape->mean_ps);
}

static void wake_body(const void *argument, void *result)
{
	struct shape *shape = result;

	(void)argument;
	check_equal(sim_host_run(&shape->constants, 1, wake_many, shape), ENGINE_FINISHED);
}

TEST(wake_ups_scatter)
{
	struct shape shape = {.constants = noisy(0, 0, 0)};

	shape.constants.wake_noise.variation = 0.1;
	assert_int_equal(sim_case_run(wake_body, NULL, &shape, sizeof(shape)).exit_code, 0);
	assert_near("mean", shape.mean_ps, 3 * US, 4 * 0.3 * US / sqrt(2000) + 2 * NS);
	assert_near("deviation", shape.deviation_ps, 0.3 * US, 0.02 * US);
}

TEST(senseless_constants_are_refused)
{
	struct host_constants constants[6];
	struct host_description host = {.name = "host-0"};

	for (int i = 0; i < 6; i++)
		constants[i] = sim_host_constants();
	constants[0].sockets = 0;
	constants[1].quantum_ps = 0;
	constants[2].work[WORK_POLL].noise.variation = 1.5;
	constants[3].copy[MEMORY_PINNED][MEMORY_PINNED].bandwidth_bytes_per_s = 0;
	constants[4].wake_hot_ps = -1;
	constants[5].copy_noise.tail_probability = -0.1;
	for (int i = 0; i < 6; i++) {
		host.constants = &constants[i];
		assert_int_equal(sim_world_start(&host, 1, 1, NULL), STATUS_INVALID);
	}
}

TEST_MAIN(NULL, NULL)
