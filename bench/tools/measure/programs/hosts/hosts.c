/* bench-hosts: runs a controller and an executor as processes of this machine, and simulates the
 * same calls with the figures that `calibrate --host` measured on this machine. It measures
 *
 *   - the duration of a call that the executor answers,
 *   - the calls per second if the controller does not wait for answers,
 *   - the time from an event of the executor's chip until the controller receives it,
 *   - for comparison, a round trip of the transport library alone.
 *
 * Predictions with large errors are marked. */
#include <argp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hosts.h"
#include "bare.h"
#include "base/allocate.h"
#include "base/ensure.h"
#include "base/table/order.h"
#include "base/output.h"
#include "bench/run/runner.h"
#include "bench/scenario/load.h"
#include "distributed/controller.h"
#include "transport/rows.h"
#include "world/world.h"

enum {
	TURNS_MAX = 40,
	ROUNDS = 50,
	BURST = 512,
	WAKES = 20,
	SETS_MAX = 8,
	SETTLE = 20,
	BARE_BYTES = 64,
	SET_BYTES = 192
};

/* A prediction is marked if it differs by more than this fraction. */
static const double tolerance = 0.25;

/* Measurements of one run, in memory shared between processes. */
struct outcome {
	bool complete;
	uint32_t rounds, bursts, events, bare_rounds, wake_count;
	double wake_ns[TURNS_MAX * WAKES], round_ns[TURNS_MAX * ROUNDS],
		event_ns[TURNS_MAX * ROUNDS], bare_ns[TURNS_MAX * ROUNDS], burst_rate[TURNS_MAX];
};

struct use {
	struct outcome *outcome;
	struct bare *bare;	/* NULL: not measured */
	const cpu_set_t *cores; /* cores to measure wake-ups on; NULL: do not measure them */
	uint32_t turns;
};

/* ---- in both worlds ---- */

static void expect(enum status status, const char *what)
{
	ensure(status == STATUS_OK, "%s: %s", what, status_message(status));
}

/* Measures the time of a call that the executor answers without a chip. */
static double hosts_ask(struct device_handle *device)
{
	int64_t begin_ns = world->now_ns();
	struct mesh_counters counters;

	device->ops->counters(device, &counters);
	world->settle();
	return (double)(world->now_ns() - begin_ns);
}

/* Returns how long an event of the device takes to reach the controller: the time from the call
 * that records the event until the controller has received the event. */
static double hosts_see(struct device_handle *device)
{
	int64_t begin_ns = world->now_ns();
	struct handle_event event;
	struct mesh_shape shape = device->ops->shape(device);

	expect(device->ops->record(
		       device, (struct handle_call){0}, device_range_all(shape), true, &event),
		"an event");
	expect(device->ops->synchronize(device, &event, DEADLINE_NEVER), "an event");
	world->settle();
	return (double)(world->now_ns() - begin_ns);
}

/* Returns how many calls the controller makes per second if it does not wait after each call. Each
 * call makes the executor wait for an event that the executor has already received, so this wait
 * ends at once. After these calls, the controller makes one more call, which the executor answers.
 */
static double hosts_rate(struct device_handle *device, const struct handle_event *seen)
{
	int64_t begin_ns = world->now_ns();

	for (uint32_t i = 0; i < BURST; i++)
		expect(distributed_synchronize_executors(device, seen), "a call");
	(void)hosts_ask(device);
	return 1e9 * BURST / (double)(world->now_ns() - begin_ns);
}

static void hosts_turn(struct use *use, struct wakes *wakes, struct device_handle *device,
	const struct handle_event *seen)
{
	struct outcome *out = use->outcome;
	int64_t times_ns[ROUNDS];

	for (uint32_t i = 0; i < ROUNDS; i++)
		out->event_ns[out->events++] = hosts_see(device);
	for (uint32_t i = 0; i < ROUNDS; i++)
		out->round_ns[out->rounds++] = hosts_ask(device);
	out->burst_rate[out->bursts++] = hosts_rate(device, seen);
	if (wakes) {
		wakes_measure(wakes, WAKES, &out->wake_ns[out->wake_count]);
		out->wake_count += WAKES;
	}
	if (use->bare == NULL)
		return;
	bare_rounds(use->bare, BARE_BYTES, ROUNDS, times_ns);
	for (uint32_t i = 0; i < ROUNDS; i++)
		out->bare_ns[out->bare_rounds++] = (double)times_ns[i];
}

static void use_device(void *context, struct device_handle *device)
{
	const struct device_range all = device_range_all(device->ops->shape(device));
	struct handle_event seen;
	struct use *use = context;
	struct wakes *wakes = use->cores ? wakes_start(use->cores) : NULL;

	for (uint32_t i = 0; i < SETTLE; i++)
		(void)hosts_see(device);
	expect(distributed_record_to_executors(device, (struct handle_call){0}, all, &seen),
		"an event");
	for (uint32_t i = 0; i < SETTLE; i++)
		(void)hosts_ask(device);
	(void)hosts_rate(device, &seen);
	for (uint32_t i = 0; i < use->turns; i++)
		hosts_turn(use, wakes, device, &seen);
	wakes_end(wakes);
	use->outcome->complete = true;
}

/* ---- one run, in a process of its own ---- */

/* Where the two processes run. */
enum on_cores {
	ON_ONE, /* both on one core */
	ON_OWN, /* each on a core of its own */
	ON_ALL, /* on the cores that Linux chooses */
	ON_COUNT
};

static const char *const cores_names[ON_COUNT] = {"one", "own", "all"};

struct job {
	const char *scenario; /* path of the scenario file */
	const char *transport;
	uint32_t turns;
	bool native;
	enum on_cores cores;
	double call_ns; /* simulated duration of an API call */
	double wake_ns; /* duration in ns of a wake-up on another core in the simulation; 0: as
			 * in the platform file */
};

static uint32_t choose_sets(const struct job *job, const char **sets, char (*texts)[SET_BYTES])
{
	uint32_t count = 0;
	char *transport = texts[0], *call = texts[1], *wake = texts[2];

	snprintf(transport, SET_BYTES, "runtime.distributed.transport=%s", job->transport);
	snprintf(call, SET_BYTES,
		"platform.host.work.api_call.cost={value: %.3f, unit: ns, kind: measured, source: "
		"\"bursts of calls over unix sockets on one core, natively\"}",
		job->call_ns);
	snprintf(wake, SET_BYTES,
		"platform.host.wake_hot={value: %.3f, unit: ns, kind: measured, source: "
		"\"between the rounds of the native run\"}",
		job->wake_ns);
	sets[count++] = transport;
	sets[count++] = "runtime.distributed.pipeline=main";
	if (!job->native)
		sets[count++] = call;
	if (!job->native && job->wake_ns > 0)
		sets[count++] = wake;
	if (!job->native && job->cores == ON_ONE) {
		sets[count++] = "platform.host.sockets=1";
		sets[count++] = "platform.host.cores_per_socket=1";
	}
	return count;
}

static void stay_on_one_core(void)
{
	cpu_set_t own, one;

	ensure(sched_getaffinity(0, sizeof own, &own) == 0, "cannot ask for cores");
	CPU_ZERO(&one);
	for (size_t core = 0; core < CPU_SETSIZE && CPU_COUNT(&one) == 0; core++)
		if (CPU_ISSET(core, &own))
			CPU_SET(core, &one);
	ensure(sched_setaffinity(0, sizeof one, &one) == 0, "cannot be bound to a core");
}

_Noreturn static void hosts_run(const struct job *job, struct outcome *outcome)
{
	const char *sets[SETS_MAX];
	char texts[3][SET_BYTES];
	struct load_options options = {.sets = sets,
		.set_count = choose_sets(job, sets, texts),
		.platform_directory = platform_directory(),
		.native = job->native};
	struct use use = {.outcome = outcome, .turns = job->turns};
	struct diag *diag = diag_new();
	struct scenario_file *file;
	struct run_plan plan;
	struct text why = {0};
	cpu_set_t cores;
	enum status status;

	ensure(sched_getaffinity(0, sizeof cores, &cores) == 0, "cannot ask for cores");
	if (job->native && job->cores == ON_OWN)
		use.cores = &cores;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (job->native && job->cores == ON_ONE)
		stay_on_one_core();
	if (job->native)
		use.bare = bare_start(job->transport);
	file = scenario_open(job->scenario, &options, diag);
	if (file == NULL || !run_plan_open(file, 0, diag, &plan)) {
		diag_print(diag, stderr);
		_exit(EXIT_FAILURE);
	}
	status = run_inside(&plan, use_device, &use, &why);
	if (status != STATUS_OK)
		fprintf(stderr, "bench-hosts: %s %s: %s: %s\n", job->transport,
			job->native ? "natively" : "simulated", status_message(status),
			text_string(&why));
	bare_end(use.bare);
	fflush(NULL);
	_exit(status == STATUS_OK ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* Runs a job in a child process. False after a message if it did not complete. */
static bool hosts_run_apart(const struct job *job, struct outcome **outcome)
{
	int status = 0;
	pid_t child;

	*outcome = allocate_shared(sizeof **outcome);
	fflush(NULL);
	child = fork();
	ensure(child >= 0, "cannot fork");
	if (child == 0)
		hosts_run(job, *outcome);
	waitpid(child, &status, 0);
	return status == 0 && (*outcome)->complete;
}

/* ---- the table ---- */

struct spread {
	double p10, p50, p90;
};

static struct spread hosts_spread_of(double *values, uint32_t count)
{
	if (count == 0)
		return (struct spread){0};
	sort_reals(values, count);
	return (struct spread){
		values[count / 10], values[count / 2], values[count - 1 - count / 10]};
}

/* Prints the native median with its spread, the prediction, and its error. */
static void hosts_print_figure(struct spread native, struct spread simulated, double unit)
{
	double error = simulated.p50 / native.p50 - 1;

	printf("  %8.1f %8.1f %8.1f  %8.1f %+6.0f %%%c", native.p50 * unit, native.p10 * unit,
		native.p90 * unit, simulated.p50 * unit, 100 * error,
		error > tolerance || error < -tolerance ? '!' : ' ');
}

static void hosts_print_row(
	const struct job *job, struct outcome *native, struct outcome *simulated)
{
	struct spread round = hosts_spread_of(native->round_ns, native->rounds);
	struct spread bare = hosts_spread_of(native->bare_ns, native->bare_rounds);

	printf("%-14s %-5s", job->transport, cores_names[job->cores]);
	hosts_print_figure(round, hosts_spread_of(simulated->round_ns, simulated->rounds), 1e-3);
	hosts_print_figure(hosts_spread_of(native->burst_rate, native->bursts),
		hosts_spread_of(simulated->burst_rate, simulated->bursts), 1e-3);
	printf("  %8.1f %8.1f", 1e-3 * hosts_spread_of(native->event_ns, native->events).p50,
		1e-3 * hosts_spread_of(simulated->event_ns, simulated->events).p50);
	if (native->bare_rounds > 0)
		printf("  %8.1f %6.2f", 1e-3 * bare.p50, round.p50 / bare.p50);
	else
		printf("  %8s %6s", "", "");
	if (job->wake_ns > 0)
		printf("  %6.1f", 1e-3 * job->wake_ns);
	printf("\n");
	fflush(stdout);
}

static void hosts_print_head(double call_ns)
{
	printf("A controller and an executor as processes of this machine, on one of its cores, "
	       "each on its own or on all: a call that\nthe executor answers without its chip, us; "
	       "calls a second "
	       "that nobody waits for, the last of which is\nanswered, in thousands. Each natively "
	       "(median, p10, p90), as simulated with what `calibrate --host` measured\nhere, and "
	       "how far the simulation is off (!: more than %.0f %%). An API call takes %.0f ns in "
	       "it, from the calls a\nsecond over unix sockets on one core, natively: that one "
	       "prediction is none. Then an event of the chip until\nthe controller sees it, us, "
	       "natively, where threads emulate the chip on the same cores, and simulated; the\n"
	       "library's own round trip of %d B beside ours, us, and how often as long ours "
	       "takes; and the wake-up on another core,\nus, that was measured between the native "
	       "rounds and simulated.\n\n",
		100 * tolerance, call_ns, BARE_BYTES);
	printf("%-14s %-5s  %8s %8s %8s  %8s %9s  %8s %8s %8s  %8s %9s   %8s %8s  %8s %6s  %6s\n",
		"transport", "cores", "answered", "p10", "p90", "simul.", "off", "kcalls/s", "p10",
		"p90", "simul.", "off", "event", "simul.", "bare", "times", "wake");
}

/* ---- the command ---- */

static bool hosts_is_meant(const struct bench_arguments *arguments, const char *name)
{
	for (uint32_t i = 0; i < arguments->transport_count; i++)
		if (strcmp(arguments->transports[i], name) == 0)
			return true;
	return arguments->transport_count == 0;
}

/* Runs the job in both worlds. */
static bool run_both(const struct bench_arguments *arguments, struct job *job,
	struct outcome **native, struct outcome **simulated)
{
	job->native = true;
	job->turns = arguments->quick ? 3 : TURNS_MAX;
	if (!hosts_run_apart(job, native))
		return false;
	job->native = false;
	job->turns = 3;
	job->wake_ns = hosts_spread_of((*native)->wake_ns, (*native)->wake_count).p50;
	return hosts_run_apart(job, simulated);
}

/* Finds the duration of a native API call, which cannot be measured on a single host. Runs a burst
 * of calls over Unix sockets on one core natively, and simulates the same burst with API calls that
 * take no time. The difference in time per call is the duration of two API calls, one of the
 * controller and one of the executor. */
static bool measure_call(
	const struct bench_arguments *arguments, const struct files *files, double *call_ns)
{
	struct job job = {.scenario = files->scenario[0], .transport = "unix", .cores = ON_ONE};
	struct outcome *native, *simulated;
	double beyond_ns;

	if (!run_both(arguments, &job, &native, &simulated))
		return false;
	beyond_ns = 1e9 / hosts_spread_of(native->burst_rate, native->bursts).p50 -
		    1e9 / hosts_spread_of(simulated->burst_rate, simulated->bursts).p50;
	*call_ns = beyond_ns > 0 ? beyond_ns / 2 : 0;
	return true;
}

static bool compare_worlds(const struct bench_arguments *arguments, const struct files *files,
	double call_ns, const char *transport, enum on_cores cores)
{
	struct job job = {.scenario = files->scenario[cores == ON_OWN],
		.transport = transport,
		.cores = cores,
		.call_ns = call_ns};
	struct outcome *native, *simulated;
	bool good = run_both(arguments, &job, &native, &simulated);

	if (good)
		hosts_print_row(&job, native, simulated);
	return good;
}

static int bench(const struct bench_arguments *arguments)
{
	struct scratch *scratch = scratch_open("bench-hosts");
	const struct transport_row *row;
	struct files files;
	double call_ns = 0;
	bool good = scratch != NULL && files_prepare(arguments, scratch, &files) &&
		    measure_call(arguments, &files, &call_ns);

	if (good)
		hosts_print_head(call_ns);
	for (size_t at = 0; good && (row = transport_row(at)) != NULL; at++)
		for (int cores = 0; cores < ON_COUNT; cores++)
			if (row->ops && hosts_is_meant(arguments, row->entry.name))
				good = compare_worlds(arguments, &files, call_ns, row->entry.name,
					       (enum on_cores)cores) &&
				       good;
	scratch_close(scratch);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

static void check_transports(const struct bench_arguments *arguments, struct argp_state *state)
{
	for (uint32_t i = 0; i < arguments->transport_count; i++) {
		const struct transport_row *row = transport_find(arguments->transports[i]);

		if (row == NULL || row->ops == NULL)
			argp_error(state, "transport '%s' is not in this build",
				arguments->transports[i]);
	}
}

static error_t hosts_parse(int key, char *value, struct argp_state *state)
{
	struct bench_arguments *arguments = state->input;

	switch (key) {
	case 'q':
		arguments->quick = true;
		return 0;
	case 'p':
		arguments->platform = value;
		return 0;
	case 'a':
		arguments->apart = value;
		return 0;
	case ARGP_KEY_ARGS:
		arguments->transports = (const char *const *)&state->argv[state->next];
		arguments->transport_count = (uint32_t)(state->argc - state->next);
		check_transports(arguments, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int main(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{"quick", 'q', NULL, 0, "few repetitions, to look at and not to keep", 0},
		{"platform", 'p', "FILE", 0,
			"what the machine takes, as `meshsim calibrate --host --platform loopback "
			"-o FILE' wrote it; else it is measured first",
			0},
		{"apart", 'a', "FILE", 0,
			"the same with `--platform loopback-apart': what messages between two "
			"cores take",
			0},
		{0}};
	static const struct argp argp = {.options = options,
		.parser = hosts_parse,
		.args_doc = "[TRANSPORT...]",
		.doc = "Controller and executor on this machine, natively and simulated."};
	struct bench_arguments arguments = {0};

	argp_parse(&argp, argc, argv, 0, NULL, &arguments);
	return bench(&arguments);
}
