/* Checks that a run is small enough to be simulated, by adding up the time of its kernels and the
 * data that its process stores. If a run becomes too large in another way, the limits of the run
 * (`limits`) end it. */
#include <string.h>

#include "bench/scenario/step_layout.h"
#include "engine/engine.h"
#include "mesh/config.h"
#include "step_check.h"

/* The largest number of bytes in all buffers of one run. Each write_buffer step and each
 * read_buffer step has its own copy of the buffer, and all copies count. */
#define DATA_BYTES_MAX (UINT64_C(8) << 30)

#define NS_MAX ((double)ENGINE_TIME_MAX_PS * 1e-3)

struct scale {
	const struct run_plan *run;
	struct diag *diag;
	const struct mesh_config *configs;
	/* `run_ns[mesh][queue]`: sum of the times of kernels, in ns; kernels of one queue run one
	 * after another */
	double run_ns[SCENARIO_MESHES_MAX][MESH_COMMAND_QUEUES_MAX];
	double arrivals_ns; /* sum over all open loops */
	bool too_long;
	uint64_t bytes;
	uint32_t replaying; /* > 0: the current step is replayed by a replay_trace step */
	bool too_large;
};

/* Reports an error if `sum_ns` is above the limit. `sum_ns` is the time of `what` up to the end of
 * this step, and `keys` names the keys that determine this time. */
static void check_time(struct scale *scale, const struct step *step, double sum_ns,
	const char *what, const char *keys)
{
	if (sum_ns <= NS_MAX || scale->too_long)
		return;
	scale->too_long = true;
	diag_error(scale->diag, step->where,
		"with this step %s for %.3g days (%s), and simulated time ends after %.0f", what,
		sum_ns / 8.64e13, keys, NS_MAX / 8.64e13);
}

/* Time of a workload's longest program, since its programs run in parallel. */
static double longest_ns(const struct step *step)
{
	uint32_t count;
	const struct program_keys *programs = step_programs(step, &count);
	double longest = 0;

	for (uint32_t i = 0; i < count; i++) {
		double run_ns = (double)programs[i].run_ns * programs[i].pages;

		longest = run_ns > longest ? run_ns : longest;
	}
	return longest;
}

static void count_run(struct scale *scale, const struct step *step, double times)
{
	uint32_t queue = step->workload.queue;
	double *sum_ns = &scale->run_ns[step->mesh][queue];

	*sum_ns += times * longest_ns(step);
	check_time(scale, step, *sum_ns,
		queue ? "the kernels of queue 1 run" : "the kernels of queue 0 run",
		"run_ns, by pages, by repeats");
}

/* Adds the time in which all iterations of an open loop arrive. If the gaps between arrivals are
 * random, adds an upper bound of this time: twice its mean, plus 40 mean gaps. The time exceeds
 * this bound with a probability below 10^-15. */
static void count_arrivals(struct scale *scale, const struct step *step, double times)
{
	const struct repeat_step *repeat = &step->repeat;
	double gaps = times * (double)repeat->times;

	if (repeat->rate_per_s <= 0)
		return;
	if (repeat->arrivals == ARRIVALS_POISSON)
		gaps = 2 * gaps + 40;
	scale->arrivals_ns += gaps * 1e9 / repeat->rate_per_s;
	check_time(scale, step, scale->arrivals_ns, "iterations arrive", "repeat, by rate_per_s");
}

static uint32_t devices_of(const struct scale *scale, const struct step *step)
{
	return mesh_shape_count(scale->configs[step->mesh].shape);
}

static const struct write_step *scale_check_find_write(
	const struct step *steps, uint32_t count, uint32_t mesh, const char *buffer)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct repeat_step *body = step_body(&steps[i]);
		const struct write_step *found = NULL;

		if (body)
			found = scale_check_find_write(body->steps, body->step_count, mesh, buffer);
		else if (steps[i].kind == STEP_WRITE_BUFFER && steps[i].mesh == mesh &&
			 strcmp(steps[i].write.buffer, buffer) == 0)
			found = &steps[i].write;
		if (found)
			return found;
	}
	return NULL;
}

/* Adds a step's data, at most 1 TiB, so the sum cannot overflow. */
static void scale_check_count_bytes(struct scale *scale, const struct step *step, uint64_t bytes)
{
	if (scale->replaying > 0) /* already counted for the captured step */
		return;
	scale->bytes += bytes;
	if (scale->bytes <= DATA_BYTES_MAX || scale->too_large)
		return;
	scale->too_large = true;
	diag_error(scale->diag, step->where,
		"with this step the run holds %.3g GiB of buffers' data, a copy for each step that "
		"writes or reads, and at most %llu are allowed: larger ones take their time "
		"without data with model.elide_above_bytes",
		(double)scale->bytes / (1 << 30), (unsigned long long)(DATA_BYTES_MAX >> 30));
}

/* Counts a step's own copy of a buffer. There is no copy if its data are elided. */
static void count_data(
	struct scale *scale, const struct step *step, const char *buffer, bool pinned)
{
	const struct scenario *scenario = scale->run->scenario;
	const struct write_step *write =
		scale_check_find_write(scenario->steps, scenario->step_count, step->mesh, buffer);
	uint64_t each = write->bytes / step_buffer_parts(write, scale->configs[step->mesh].shape);
	uint64_t elided = scenario->model.elide_above_bytes;

	if (elided > 0 && !pinned && each > elided)
		return;
	scale_check_count_bytes(scale, step, write->bytes);
}

/* Adds the data of a written tensor on the devices; the host holds one device's part at a time. */
static void count_tensor(struct scale *scale, const struct step *step)
{
	const struct scenario *scenario = scale->run->scenario;
	uint64_t bytes = step_tensor_device_bytes(scenario, step);

	if (scenario->model.elide_above_bytes > 0 && bytes > scenario->model.elide_above_bytes)
		return;
	scale_check_count_bytes(scale, step, bytes * devices_of(scale, step));
}

static void scale_check_walk(
	struct scale *scale, const struct step *steps, uint32_t count, double times)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct step *step = &steps[i];
		const struct repeat_step *body = step_body(step);
		bool replay = step->kind == STEP_REPLAY_TRACE;

		if (step->kind == STEP_REPEAT)
			count_arrivals(scale, step, times);
		if (replay)
			body = &step->replay.captured->trace.body;
		scale->replaying += replay;
		if (body)
			scale_check_walk(scale, body->steps, body->step_count,
				times * step_times(step) * (double)body->times);
		else if (step->kind == STEP_ENQUEUE_WORKLOAD)
			count_run(scale, step, times);
		else if (step->kind == STEP_WRITE_BUFFER)
			count_data(scale, step, step->write.buffer, step->write.pinned);
		else if (step->kind == STEP_WRITE_TENSOR)
			count_tensor(scale, step);
		else if (step->kind == STEP_READ_BUFFER)
			count_data(scale, step, step->read.buffer, step->read.pinned);
		scale->replaying -= replay;
	}
}

void scale_check(const struct run_plan *run, const struct mesh_config *configs, struct diag *diag)
{
	struct scale scale = {.run = run, .diag = diag, .configs = configs};

	scale_check_walk(&scale, run->scenario->steps, run->scenario->step_count, 1);
}
