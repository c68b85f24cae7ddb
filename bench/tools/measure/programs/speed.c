/* bench-speed: measures the simulation of a MeshWorkload on this machine, with 64 and with 1,024
 * chips: CPU time, memory, events and bytes. Also measures the additional cost of recording and of
 * a timeline. For comparison, measures the same number of messages as raw SimGrid communications.
 * Each figure is the difference between a long and a short run, so it does not include the start.
 * Prints the median, minimum and maximum of several pairs of runs. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ensure.h"
#include "base/table/order.h"
#include "bench/scenario/load.h"
#include "bench/results/results.h"
#include "bench/run/runner.h"
#include "bench/run/children.h"
#include "simgrid/library.h"
#include "engine_exchange.h"

enum { REPEATS_MAX = 25, SETS_MAX = 8 };

/* The scenario at one size, with the numbers of workloads in the short run and in the long run. */
struct subject {
	const char *name, *platform, *cores;
	uint32_t chips, few, many;
	bool small; /* also measured with --small */
};

static const struct subject subjects[] = {
	{"meshsim, cores each", "tgg", "each", 64, 20, 220, true},
	{"meshsim, cores chip", "tgg", "chip", 64, 20, 220, true},
	{"meshsim, cores each", "mesh-32x32", "each", 1024, 3, 13, false},
	{"meshsim, cores chip", "mesh-32x32", "chip", 1024, 3, 13, false},
};

enum { SUBJECTS = sizeof subjects / sizeof *subjects };

/* The cost of one run. */
struct cost {
	double cpu_s;
	uint64_t peak_bytes;
	struct run_totals totals;
};

struct figures {
	double ms[REPEATS_MAX], mb[REPEATS_MAX];
	double events, deliveries, bytes;
};

struct job {
	struct run_request request;
	const char *part;
	struct cost cost;
	bool good;
};

static void speed_work(void *context, uint32_t run)
{
	struct job *job = context;

	run_child(&job->request, run, job->part);
}

static bool speed_ended(void *context, const struct child_end *end)
{
	struct job *job = context;

	fputs(text_string(&end->output), stderr);
	job->good = end->code == EXIT_GOOD;
	job->cost.cpu_s = end->cpu_s;
	job->cost.peak_bytes = end->peak_bytes;
	return true;
}

static const struct children_ops ops = {.work = speed_work, .ended = speed_ended};

/* Runs the speed scenario once, in a child process. */
static struct cost speed_run_once(
	const struct subject *subject, uint32_t workloads, bool recorded, const char *part)
{
	const uint32_t runs[] = {0};
	char platform[64], repeat[64], cores[64];
	const char *sets[] = {platform, repeat, cores};
	struct load_options options = {
		.sets = sets, .set_count = 3, .platform_directory = platform_directory()};
	struct diag *diag = diag_new();
	struct part_summary summary;
	struct job job = {.part = part};

	snprintf(platform, sizeof platform, "platform=%s", subject->platform);
	snprintf(cores, sizeof cores, "model.cores=%s", subject->cores);
	snprintf(repeat, sizeof repeat, "workload.0.repeat=%u", workloads);
	job.request.file = scenario_open(MESHSIM_SPEED_SCENARIO, &options, diag);
	job.request.unrecorded = !recorded;
	diag_print(diag, stderr);
	ensure(job.request.file, "%s cannot run", MESHSIM_SPEED_SCENARIO);
	simgrid_library_load();
	ensure(children_run(&ops, &job, runs, 1, 1) && job.good, "%s failed", subject->name);
	ensure(results_read_part(part, scenario_run(job.request.file, 0)->identity, &summary) ==
			STATUS_OK,
		"%s left no part", subject->name);
	job.cost.totals = summary.totals;
	part_summary_fini(&summary);
	unlink(part);
	scenario_close(job.request.file);
	diag_free(diag);
	return job.cost;
}

static double median(double *values, uint32_t count)
{
	sort_reals(values, count);
	return median_of(values, count);
}

static struct figures speed_measure(
	const struct subject *subject, uint32_t repeats, const char *part)
{
	struct figures figures = {0};
	double workloads = subject->many - subject->few;

	for (uint32_t i = 0; i < repeats; i++) {
		struct cost few = speed_run_once(subject, subject->few, true, part);
		struct cost many = speed_run_once(subject, subject->many, true, part);

		figures.ms[i] = 1e3 * (many.cpu_s - few.cpu_s) / workloads;
		figures.mb[i] = 1e-6 * (double)many.peak_bytes;
		figures.events = (double)(many.totals.events - few.totals.events) / workloads;
		figures.deliveries =
			(double)(many.totals.deliveries - few.totals.deliveries) / workloads;
		figures.bytes = (double)(many.totals.delivered_bytes - few.totals.delivered_bytes) /
				workloads;
	}
	return figures;
}

/* ---- what recording costs ---- */

/* Makes the longer one of the subject's two runs (`many`) again and again, in turn without and with
 * recording, `repeats` times each. Returns the least CPU time with recording, divided by the least
 * CPU time without it. */
static double recording(const struct subject *subject, uint32_t repeats, const char *part)
{
	double least[2] = {0};

	for (uint32_t i = 0; i < 2 * repeats; i++) {
		double s = speed_run_once(subject, subject->many, i % 2, part).cpu_s;

		if (i < 2 || s < least[i % 2])
			least[i % 2] = s;
	}
	return least[1] / least[0];
}

/* Runs a command. Returns its CPU time in s, or a negative number if it failed. */
static double command_s(char *const *arguments)
{
	struct rusage usage;
	int status;
	pid_t child;

	fflush(NULL);
	child = fork();
	ensure(child >= 0, "no process for %s", arguments[0]);
	if (child == 0) {
		if (!freopen("/dev/null", "w", stdout))
			_Exit(126);
		execv(arguments[0], arguments);
		_Exit(127);
	}
	if (wait4(child, &status, 0, &usage) != child || status != 0)
		return -1;
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* Returns the CPU time of a run plus that of the command that draws its timeline, divided by the
 * CPU time of the run alone. Returns 0 if `meshsim` is not in the folder of this program. */
static double timeline(const char *part)
{
	char self[4096], program[4096 + 16], result[64], output[64];
	char *run[] = {program, "run", MESHSIM_SPEED_SCENARIO, "--set", "workload.0.repeat=220",
		"-o", result, NULL};
	char *draw[] = {program, "timeline", result, "0", "-o", output, NULL};
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	double run_s, draw_s;

	if (length < 0)
		return 0;
	self[length] = '\0';
	*strrchr(self, '/') = '\0';
	snprintf(program, sizeof program, "%s/meshsim", self);
	snprintf(result, sizeof result, "%s.h5", part);
	snprintf(output, sizeof output, "%s.pftrace", part);
	run_s = access(program, X_OK) == 0 ? command_s(run) : -1;
	draw_s = run_s > 0 ? command_s(draw) : -1;
	unlink(result);
	unlink(output);
	return draw_s > 0 ? (run_s + draw_s) / run_s : 0;
}

/* Returns the CPU time in s of a message of raw SimGrid, measured in a child process. */
static double raw_simgrid(uint32_t broadcasts, uint64_t *deliveries)
{
	struct exchange exchange = {8, 8, 8, 3, broadcasts, false};
	struct exchange_cost cost, *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
					   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status = 0;
	pid_t child;

	ensure_memory(shared != MAP_FAILED, "a result");
	fflush(NULL);
	child = fork();
	ensure(child >= 0, "no process for raw SimGrid");
	if (child == 0) {
		exchange_on_simgrid(&exchange, shared);
		_Exit(0);
	}
	waitpid(child, &status, 0);
	ensure(status == 0, "raw SimGrid ended with %#x", (unsigned)status);
	cost = *shared;
	munmap(shared, sizeof *shared);
	*deliveries = cost.deliveries / broadcasts;
	return cost.cpu_s / (double)cost.deliveries;
}

static void speed_print_figures(
	const struct subject *subject, struct figures *figures, uint32_t repeats)
{
	double ms = median(figures->ms, repeats), mb = median(figures->mb, repeats);

	printf("%-20s %5u  %7.2f (%.2f..%.2f)  %7.0f  %6.0f  %9.0f  %9.0f  %9.0f  %7.2f\n",
		subject->name, subject->chips, ms, figures->ms[0], figures->ms[repeats - 1],
		1e3 / ms, mb, figures->events, figures->deliveries, figures->bytes,
		figures->deliveries / ms * 1e-3);
}

struct options {
	uint32_t repeats;
	bool small;
};

static error_t speed_parse(int key, char *text, struct argp_state *state)
{
	struct options *options = state->input;
	char *end = NULL;

	switch (key) {
	case 'r':
		options->repeats = (uint32_t)strtoul(text, &end, 10);
		if (*end || options->repeats < 1 || options->repeats > REPEATS_MAX)
			argp_error(state, "repeats: 1 to %d", REPEATS_MAX);
		return 0;
	case 's':
		options->small = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int main(int argc, char **argv)
{
	static const struct argp_option table[] = {
		{"repeats", 'r', "N", 0, "pairs of runs per figure (default 3)", 0},
		{"small", 's', NULL, 0, "64 chips only", 0},
		{0},
	};
	static const struct argp argp = {table, speed_parse, NULL,
		"CPU time and memory of simulated workloads", NULL, NULL, NULL};
	struct options options = {.repeats = 3};
	char part[] = "/tmp/bench-speed-XXXXXX";
	struct figures figures = {0};
	uint64_t raw_deliveries = 0;
	double raw_s, rate;

	argp_parse(&argp, argc, argv, 0, NULL, &options);
	ensure(mkstemp(part) >= 0, "cannot write %s", part);
	printf("Per workload; median (least..most) of %u pairs of runs. Every core, own arguments "
	       "for each, credits, noise,\nrecording and L1 read-back included. A message is one "
	       "delivery.\n%-20s %5s  %-24s %7s  %6s  %9s  %9s  %9s  %7s\n",
		options.repeats, "", "chips", "ms CPU", "per s", "MB", "events", "messages",
		"bytes", "M msg/s");
	for (uint32_t i = 0; i < SUBJECTS; i++) {
		if (options.small && !subjects[i].small)
			continue;

		struct figures one = speed_measure(&subjects[i], options.repeats, part);

		speed_print_figures(&subjects[i], &one, options.repeats);
		if (i == 0)
			figures = one;
	}
	raw_s = raw_simgrid(3, &raw_deliveries);
	rate = figures.deliveries / median(figures.ms, options.repeats) * 1e3;
	printf("%-20s %5u  %7.2f%49s  %9llu%11s  %7.2f\n", "raw SimGrid", 64,
		1e3 * raw_s * (double)raw_deliveries, "", (unsigned long long)raw_deliveries, "",
		1e-6 / raw_s);
	printf("messages per CPU second, meshsim / raw SimGrid: %.1f\n", rate * raw_s);
	printf("CPU time, recorded / unrecorded: %.2f\n",
		recording(&subjects[0], options.repeats, part));
	printf("CPU time, run and timeline / run: %.2f\n", timeline(part));
	return 0;
}
