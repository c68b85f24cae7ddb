/* Replays recorded operations in child processes. The kernels of a replay print before and after
 * each barrier and each wait (see fabric_trace.h). The figures are computed from the times of these
 * prints. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "bench/run/children.h"
#include "bench/run/runner.h"
#include "bench/tools/noc_trace/noc_trace.h"
#include "fabric_private.h"
#include "simgrid/library.h"

enum {
	PATH_BYTES = SCRATCH_PATH_BYTES + 64,
	/* The number of cycles for which each kernel waits before it begins. In this time, the host
	 * launches all devices, so that no device sends packets to a device that is not launched
	 * yet. */
	LEAD_CYCLES = 2000000
};

struct replays {
	struct fabric_traces *traces;
	struct fabric_outcome *outcomes;
	const struct fabric_trace_request *request;
	struct diag *diag;
	struct scratch *scratch;
	struct progress progress;
	double cycle_ps;
	uint64_t **delays; /* [trace * ways + way][device] */
	bool second;	   /* true during the second pass */
};

static void replays_path(
	const struct replays *replays, uint32_t number, const char *ending, char *path)
{
	snprintf(path, PATH_BYTES, "%s/run-%u.%s", scratch_path(replays->scratch), number, ending);
}

/* ---- figures ---- */

/* Estimates when the device was launched in the replay, because the replay does not record this
 * time. Assumes that no kernel began sooner after the launch than in the trace, and that at least
 * one kernel began equally soon. `times` are the times of the device's prints. */
static double launch_of(const struct fabric_device *device, const double *times)
{
	double launch = INFINITY;

	for (uint32_t i = 0; i < device->trace.kernel_count; i++) {
		const struct noc_trace_kernel *kernel = &device->trace.kernels[i];
		uint32_t prints = noc_trace_prints(kernel);

		if (prints > 0)
			launch = fmin(launch, times[0] - (double)kernel->begin);
		times += prints;
	}
	return launch;
}

/* Computes the prediction of a device from the times of its prints. `print` is the time that one
 * print takes. A kernel prints at its beginning and end, and before and after each barrier and each
 * wait for other devices. */
static struct fabric_prediction replays_predict(
	const struct fabric_device *device, const double *times, double print)
{
	struct fabric_prediction prediction = {0, 0};
	double launch = launch_of(device, times), last = launch;

	for (uint32_t i = 0; i < device->trace.kernel_count; i++) {
		const struct noc_trace_kernel *kernel = &device->trace.kernels[i];
		uint32_t prints = noc_trace_prints(kernel), number = 1;

		for (uint32_t k = 0; k < kernel->event_count; k++) {
			enum noc_trace_kind kind = kernel->events[k].kind;

			if (kind == NOC_TRACE_WAIT)
				prediction.waited = fmax(prediction.waited,
					times[number + 1] - times[number] - print);
			if (kind == NOC_TRACE_WAIT || kind == NOC_TRACE_BARRIER)
				number += 2;
		}
		if (prints > 0)
			last = fmax(last, times[prints - 1] - print);
		times += prints;
	}
	prediction.cycles = last - launch;
	return prediction;
}

static bool complete(const double *times, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (isnan(times[i]))
			return false;
	return true;
}

/* After the first replay, computes a delay for each device. With these delays, the second replay
 * launches the devices at the recorded times. After the second replay, stores the predictions. */
static void take_times(struct replays *replays, uint32_t number, const double *times)
{
	const struct fabric_trace *trace = &replays->traces->traces[number / FABRIC_TRACE_WAYS];
	struct fabric_prediction *predictions =
		replays->outcomes[number / FABRIC_TRACE_WAYS].devices +
		number % FABRIC_TRACE_WAYS * trace->device_count;
	double print = platform_real(replays->request->platform, "firmware.kernel_print");
	double latest = 0;

	for (int pass = 0; pass < 2; pass++) {
		const double *own = times;

		for (uint32_t i = 0; i < trace->device_count; i++) {
			const struct fabric_device *device = &trace->devices[i];
			double launch = launch_of(device, own) - (double)device->launch;

			if (pass == 0)
				latest = fmax(latest, launch);
			else if (replays->second)
				predictions[i] = replays_predict(device, own, print);
			else if (device->prints > 0)
				replays->delays[number][i] += (uint64_t)(latest - launch + 0.5);
			own += device->prints;
		}
	}
}

/* ---- children ---- */

/* Runs one replay in a child process. Frees nothing, because the process ends. */
static void replays_one(void *context, uint32_t number)
{
	const struct replays *replays = context;
	char path[PATH_BYTES], part[PATH_BYTES];

	replays_path(replays, number, "yaml", path);
	replays_path(replays, number, "part", part);
	replay_run(path, NULL, part);
}

static bool replays_ended(void *context, const struct child_end *end)
{
	struct replays *replays = context;
	const struct fabric_trace *trace =
		&replays->traces->traces[end->number / FABRIC_TRACE_WAYS];
	struct fabric_outcome *outcome = &replays->outcomes[end->number / FABRIC_TRACE_WAYS];
	char part[PATH_BYTES];
	double *times = NULL;
	uint32_t prints = 0;

	for (uint32_t i = 0; i < trace->device_count; i++)
		prints += trace->devices[i].prints;
	replays_path(replays, end->number, "part", part);
	if (end->code == EXIT_GOOD)
		times = replay_prints(part, prints, replays->cycle_ps);
	if (times && complete(times, prints)) {
		take_times(replays, end->number, times);
	} else {
		outcome->ran = false;
		replay_say_why(end, &outcome->reason);
	}
	free(times);
	progress_step(&replays->progress);
	return true;
}

static const struct children_ops replays_children = {
	.work = replays_one,
	.ended = replays_ended,
	.limit_s = replay_limit,
};

/* ---- all traces ---- */

/* Keeps a scenario under the name of its operation. */
static bool keep_scenario(
	const struct replays *replays, const struct fabric_trace *trace, const struct text *yaml)
{
	struct text kept, name;
	bool good;

	text_init(&kept);
	text_init(&name);
	text_append(&name, trace->name);
	for (uint32_t i = 0; i < name.length; i++)
		if (name.bytes[i] == '/')
			name.bytes[i] = '-';
	text_printf(&kept, "%s/%s.yaml", replays->request->folder, text_string(&name));
	good = replay_write(text_string(&kept), yaml);
	text_fini(&kept);
	text_fini(&name);
	return good;
}

static bool write_scenario(const struct replays *replays, uint32_t number)
{
	struct fabric_trace *trace = &replays->traces->traces[number / FABRIC_TRACE_WAYS];
	char path[PATH_BYTES];
	struct text yaml;
	bool good;

	text_init(&yaml);
	good = fabric_trace_scenario(trace, replays->request->platform, replays->request->machine,
		number % FABRIC_TRACE_WAYS, replays->delays[number], replays->diag, &yaml);
	replays_path(replays, number, "yaml", path);
	good = good && replay_write(path, &yaml);
	if (good && replays->request->folder && number % FABRIC_TRACE_WAYS == 0)
		good = keep_scenario(replays, trace, &yaml);
	text_fini(&yaml);
	return good;
}

/* Runs all replays that have not failed. */
static bool replays_pass(struct replays *replays, bool second)
{
	uint32_t all = FABRIC_TRACE_WAYS * replays->traces->count, count = 0;
	uint32_t *numbers = allocate(all + 1u, sizeof *numbers);
	bool good = true;

	replays->second = second;
	for (uint32_t i = 0; i < all; i++) {
		if (!replays->outcomes[i / FABRIC_TRACE_WAYS].ran)
			continue;
		good = write_scenario(replays, i) && good;
		numbers[count++] = i;
	}
	if (good &&
		!children_run(&replays_children, replays, numbers, count, replays->request->jobs)) {
		fprintf(stderr, "meshsim: cannot run the replays: %s\n", strerror(errno));
		good = false;
	}
	free(numbers);
	return good;
}

bool fabric_traces_run(struct fabric_traces *traces, const struct fabric_trace_request *request,
	struct fabric_outcome *outcomes, struct diag *diag)
{
	uint32_t all = FABRIC_TRACE_WAYS * traces->count;
	struct replays replays = {.traces = traces,
		.outcomes = outcomes,
		.request = request,
		.diag = diag,
		.scratch = scratch_open("validate"),
		.cycle_ps = 1e12 / platform_real(request->platform, "chip.aiclk"),
		.delays = allocate(all + 1u, sizeof *replays.delays)};
	bool good = replays.scratch != NULL;

	for (uint32_t i = 0; i < all; i++) {
		uint32_t devices = traces->traces[i / FABRIC_TRACE_WAYS].device_count;

		replays.delays[i] = allocate(devices, sizeof *replays.delays[i]);
		for (uint32_t k = 0; k < devices; k++)
			replays.delays[i][k] = LEAD_CYCLES;
		if (i % FABRIC_TRACE_WAYS > 0)
			continue;
		outcomes[i / FABRIC_TRACE_WAYS].ran = true;
		outcomes[i / FABRIC_TRACE_WAYS].devices =
			allocate(FABRIC_TRACE_WAYS * devices, sizeof *outcomes->devices);
	}
	if (good) {
		progress_start(&replays.progress, "replay", 2 * all, 0);
		simgrid_library_load();
		good = replays_pass(&replays, false) && replays_pass(&replays, true);
		progress_hide(&replays.progress);
	}
	scratch_close(replays.scratch);
	for (uint32_t i = 0; i < all; i++)
		free(replays.delays[i]);
	free(replays.delays);
	return good;
}

void fabric_outcomes_free(struct fabric_outcome *outcomes, uint32_t count)
{
	for (uint32_t i = 0; outcomes && i < count; i++) {
		text_fini(&outcomes[i].reason);
		free(outcomes[i].devices);
	}
	free(outcomes);
}
