/* Whether a run is of a size that can be simulated: the time that its kernels take, and the data
 * that its process holds. Refuses what is known to be too much; all else is for `limits` to end. */
#include <string.h>

#include "bench/scenario/step_tensor.h"
#include "engine/engine.h"
#include "mesh/config.h"
#include "step_check.h"

/* What the buffers of one run may hold: a copy per write_buffer step and one per read_buffer step.
 */
#define DATA_BYTES_MAX (UINT64_C(8) << 30)

#define NS_MAX ((double)ENGINE_TIME_MAX_PS * 1e-3)

struct scale {
	const struct run_plan *run;
	struct diag *diag;
	uint32_t devices;
	double run_ns[MESH_COMMAND_QUEUES_MAX]; /* of kernels, which follow each other on a queue */
	double arrivals_ns;			/* of all open loops */
	bool too_long;
	uint64_t bytes;
	bool too_large;
};

/* `what` happens for so long up to and with this step, by these `keys`. */
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

static void count_run(struct scale *scale, const struct step *step, double times)
{
	const struct workload_step *keys = &step->workload;
	double *sum_ns = &scale->run_ns[keys->queue];

	*sum_ns += times * (double)keys->run_ns * keys->pages;
	check_time(scale, step, *sum_ns,
		keys->queue ? "the kernels of queue 1 run" : "the kernels of queue 0 run",
		"run_ns, by pages, by repeats");
}

/* Sums of random gaps stay below twice their mean and 40 gaps, but once in 10^17. */
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

static const struct write_step *find_write(
	const struct step *steps, uint32_t count, const char *buffer)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct repeat_step *body = step_body(&steps[i]);
		const struct write_step *found = NULL;

		if (body)
			found = find_write(body->steps, body->step_count, buffer);
		else if (steps[i].kind == STEP_WRITE_BUFFER &&
			 strcmp(steps[i].write.buffer, buffer) == 0)
			found = &steps[i].write;
		if (found)
			return found;
	}
	return NULL;
}

/* Adds a step's data, of at most 1 TiB: no overflow. */
static void count_bytes(struct scale *scale, const struct step *step, uint64_t bytes)
{
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

/* A step's own copy of the buffer that `write` made; none if its data are elided. */
static void count_data(
	struct scale *scale, const struct step *step, const struct write_step *write, bool pinned)
{
	uint64_t elided = scale->run->scenario->model.elide_above_bytes;

	if (elided > 0 && !pinned && write->bytes / (write->spread ? scale->devices : 1) > elided)
		return;
	count_bytes(scale, step, write->bytes);
}

/* What devices hold of a tensor that is written; the host has a device's part at a time. */
static void count_tensor(struct scale *scale, const struct step *step)
{
	const struct scenario *scenario = scale->run->scenario;
	uint64_t bytes = step_tensor_device_bytes(scenario, &step->tensor);

	if (scenario->model.elide_above_bytes > 0 && bytes > scenario->model.elide_above_bytes)
		return;
	count_bytes(scale, step, bytes * scale->devices);
}

static void walk(struct scale *scale, const struct step *steps, uint32_t count, double times)
{
	const struct scenario *scenario = scale->run->scenario;

	for (uint32_t i = 0; i < count; i++) {
		const struct step *step = &steps[i];
		const struct repeat_step *body = step_body(step);
		double replays = step->kind == STEP_TRACE ? step->trace.replays : 1;

		if (step->kind == STEP_REPEAT)
			count_arrivals(scale, step, times);
		if (body)
			walk(scale, body->steps, body->step_count,
				times * replays * (double)body->times);
		else if (step->kind == STEP_ENQUEUE_WORKLOAD)
			count_run(scale, step, times);
		else if (step->kind == STEP_WRITE_BUFFER)
			count_data(scale, step,
				find_write(
					scenario->steps, scenario->step_count, step->write.buffer),
				step->write.pinned);
		else if (step->kind == STEP_WRITE_TENSOR)
			count_tensor(scale, step);
		else if (step->kind == STEP_READ_BUFFER)
			count_data(scale, step,
				find_write(
					scenario->steps, scenario->step_count, step->read.buffer),
				step->read.pinned);
	}
}

void scale_check(const struct run_plan *run, const struct mesh_config *config, struct diag *diag)
{
	struct scale scale = {.run = run, .diag = diag, .devices = mesh_shape_count(config->shape)};

	walk(&scale, run->scenario->steps, run->scenario->step_count, 1);
}
