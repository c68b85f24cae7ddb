/* Tests `compare` with many result files whose contents the test chooses. The verdict, the
 * contradicting figures and the mechanism of each comparison are known, and `compare` must find
 * them. The loads are synthetic (support/results/planted_load.h); test_e2e_measured.sh tests real
 * runs.
 * label: full  timeout: 600 */
#define _GNU_SOURCE
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/compare.h"
#include "json_tree.h"
#include "planted_load.h"
#include "shell.h"

enum { DESIGNS = 3, PLACES = 3, SEEDS_MOST = 10 };

/* One design: its stages in ns, and their growth per unit of the condition. */
struct design {
	const char *name;
	int64_t copy, dispatch, worker;		 /* ns */
	int64_t copy_by, dispatch_by, worker_by; /* ns per unit of the condition */
	uint32_t tail_every;
	int64_t tail;		/* ns */
	int64_t busy, spinning; /* ns per operation */
	int64_t other;		/* ns */
	int64_t dies_at;	/* where it ends with a hazard, by the condition; 0: nowhere */
};

struct planted {
	const char *what;
	struct design designs[DESIGNS];
	const char *key; /* the condition; NULL: none */
	int64_t at[PLACES];
	uint32_t seeds, operations; /* 0 means 5 and 60 */
	bool in_flight;
	uint64_t bytes;
	double run_noise, own_noise, operation_noise;
	const char *metric; /* metric to ask for */
	/* expected answers */
	const char *outcome, *winner, *measured;
	const char *mechanism; /* part of the name of its stage; NULL: any */
	const char *side;      /* part of the text that contradicts; NULL: nothing contradicts */
	double flips;	       /* 0: never flips */
	const char *iteration; /* outcome for both programs together; NULL: any */
};

#define NOISE		.run_noise = 0.05, .own_noise = 0.002, .operation_noise = 0.05
#define STAGES(c, d, w) .copy = (c), .dispatch = (d), .worker = (w)
#define EACH		.measured = "completion"
#define TAILED                                                                                     \
	.designs = {{.name = "a", STAGES(5000, 5000, 5000), .tail_every = 25, .tail = 150000},     \
		{.name = "b", STAGES(5000, 5500, 5000)}}
#define FLIGHT		.in_flight = true, .measured = "interval"

static const struct planted library[] = {
	/* closed loop, one program */
	{"a dearer copy",
		.designs = {{.name = "a", STAGES(9000, 5000, 5000)},
			{.name = "b", STAGES(5000, 5000, 5000)}},
		EACH, NOISE, .outcome = "wins", .winner = "b", .mechanism = "copy"},
	{"a dearer dispatch",
		.designs = {{.name = "a", STAGES(5000, 5000, 5000)},
			{.name = "b", STAGES(5000, 8000, 5000)}},
		EACH, NOISE, .outcome = "wins", .winner = "a", .mechanism = "dispatch"},
	{"slower workers",
		.designs = {{.name = "a", STAGES(5000, 5000, 9000)},
			{.name = "b", STAGES(5000, 5000, 5000)}},
		EACH, NOISE, .outcome = "wins", .winner = "b", .mechanism = "worker"},
	{"dearer here, cheaper there: the sum counts",
		.designs = {{.name = "a", STAGES(9000, 2000, 5000)},
			{.name = "b", STAGES(3000, 5000, 5000)}},
		EACH, NOISE, .outcome = "wins", .winner = "b", .mechanism = "copy"},
	{"a small but certain margin",
		.designs = {{.name = "a", STAGES(5000, 5000, 5000)},
			{.name = "b", STAGES(5000, 5450, 5000)}},
		EACH, .run_noise = 0.05, .own_noise = 0.002, .operation_noise = 0.01,
		.outcome = "wins", .winner = "a", .mechanism = "dispatch"},
	{"three designs",
		.designs = {{.name = "a", STAGES(5000, 9000, 5000)},
			{.name = "b", STAGES(5000, 7000, 5000)},
			{.name = "c", STAGES(5000, 5000, 5000)}},
		EACH, NOISE, .outcome = "wins", .winner = "c", .mechanism = "dispatch"},
	{"one seed without noise",
		.designs = {{.name = "a", STAGES(5000, 5000, 5000)},
			{.name = "b", STAGES(5000, 6000, 5000)}},
		EACH, .seeds = 1, .outcome = "wins", .winner = "a", .mechanism = "dispatch"},
	/* equal designs */
	{"equal designs",
		.designs = {{.name = "a", STAGES(5000, 5000, 5000)},
			{.name = "b", STAGES(5000, 5000, 5000)}},
		EACH, NOISE, .outcome = "undecided"},
	{"equal designs with much noise",
		.designs = {{.name = "a", STAGES(5000, 5000, 5000)},
			{.name = "b", STAGES(5000, 5000, 5000)}},
		EACH, .run_noise = 0.2, .own_noise = 0.05, .operation_noise = 0.3,
		.outcome = "undecided"},
	{"a difference below the tie band",
		.designs = {{.name = "a", STAGES(50000, 5000, 5000)},
			{.name = "b", STAGES(50000, 5200, 5000)}},
		EACH, .outcome = "undecided"},
	{"a difference that noise hides",
		.designs = {{.name = "a", STAGES(5000, 5000, 5000)},
			{.name = "b", STAGES(5000, 5300, 5000)}},
		EACH, .own_noise = 0.08, .operation_noise = 0.05, .outcome = "undecided"},
	{"equal in flight",
		.designs = {{.name = "a", STAGES(2000, 500, 20000)},
			{.name = "b", STAGES(2000, 500, 20000)}},
		FLIGHT, NOISE, .outcome = "undecided"},
	{"two of three are equal",
		.designs = {{.name = "a", STAGES(5000, 5000, 5000)},
			{.name = "b", STAGES(5000, 5000, 5000)},
			{.name = "c", STAGES(5000, 9000, 5000)}},
		EACH, NOISE, .outcome = "undecided"},
	/* in flight */
	{"hosts that enqueue sooner end no sooner",
		.designs = {{.name = "a", STAGES(2000, 500, 20000)},
			{.name = "b", STAGES(8000, 500, 20000)}},
		FLIGHT, NOISE, .outcome = "undecided"},
	{"what workers take decides in flight",
		.designs = {{.name = "a", STAGES(2000, 500, 20000)},
			{.name = "b", STAGES(2000, 500, 15000)}},
		FLIGHT, NOISE, .outcome = "wins", .winner = "b", .mechanism = "worker"},
	{"the host decides where it is the slowest",
		.designs = {{.name = "a", STAGES(30000, 500, 5000)},
			{.name = "b", STAGES(20000, 500, 5000)}},
		FLIGHT, NOISE, .outcome = "wins", .winner = "b", .mechanism = "copy"},
	{"a long queue is no latency",
		.designs = {{.name = "a", STAGES(1000, 3000, 20000)},
			{.name = "b", STAGES(15000, 500, 20000)}},
		FLIGHT, NOISE, .outcome = "undecided"},
	{"too few in flight",
		.designs = {{.name = "a", STAGES(2000, 500, 20000)},
			{.name = "b", STAGES(2000, 500, 15000)}},
		FLIGHT, .operations = 8, .outcome = "undecided", .side = "makespan"},
	{"in flight, the latency asked for",
		.designs = {{.name = "a", STAGES(2000, 500, 20000)},
			{.name = "b", STAGES(8000, 500, 20000)}},
		.in_flight = true, .measured = "latency", .metric = "latency", NOISE,
		.outcome = "wins", .winner = "b"},
	/* tails */
	{"a tail that the median does not see", TAILED, EACH, .operations = 200, .run_noise = 0.02,
		.operation_noise = 0.01, .outcome = "trade-off", .side = "p99"},
	{"the tail alone, asked for", TAILED, .metric = "completion.p99", .measured = "completion",
		.operations = 200, .operation_noise = 0.01, .outcome = "wins", .winner = "b"},
	{"the slowest of too few operations, asked for as p99", TAILED, .metric = "completion.p99",
		.measured = "completion", .operations = 60, .operation_noise = 0.01,
		.outcome = "undecided", .side = "mean"},
	{"the better design has the tail, too",
		.designs = {{.name = "a", STAGES(5000, 5000, 5000)},
			{.name = "b", STAGES(5000, 7000, 5000), .tail_every = 25, .tail = 90000}},
		EACH, .operations = 200, NOISE, .outcome = "wins", .winner = "a",
		.mechanism = "dispatch"},
	{"equal but for the tail",
		.designs =
			{{.name = "a", STAGES(5000, 5000, 5000), .tail_every = 25, .tail = 150000},
				{.name = "b", STAGES(5000, 5000, 5000)}},
		EACH, .operations = 200, .operation_noise = 0.01, .outcome = "undecided",
		.side = "p99"},
	/* host CPU */
	{"nothing but host CPU",
		.designs = {{.name = "a", STAGES(5000, 5000, 5000)},
			{.name = "b", STAGES(5000, 5000, 5000), .busy = 60000, .spinning = 45000}},
		EACH, NOISE, .outcome = "undecided", .side = "the host CPU of a (spinning"},
	{"nothing but host CPU, in flight",
		.designs = {{.name = "a", STAGES(2000, 500, 20000), .busy = 80000},
			{.name = "b", STAGES(2000, 500, 20000)}},
		FLIGHT, NOISE, .outcome = "undecided", .side = "the host CPU of b (computing"},
	{"sooner for more host CPU",
		.designs = {{.name = "a", STAGES(5000, 5000, 5000), .busy = 90000},
			{.name = "b", STAGES(5000, 7000, 5000)}},
		EACH, NOISE, .outcome = "trade-off", .side = "the host CPU of b",
		.mechanism = "dispatch"},
	{"sooner and cheaper",
		.designs = {{.name = "a", STAGES(5000, 5000, 5000)},
			{.name = "b", STAGES(5000, 7000, 5000), .busy = 90000}},
		EACH, NOISE, .outcome = "wins", .winner = "a", .mechanism = "dispatch"},
	{"host CPU asked for",
		.designs = {{.name = "a", STAGES(5000, 5000, 5000), .busy = 90000},
			{.name = "b", STAGES(5000, 5000, 5000)}},
		.metric = "host_cpu", .measured = "host_cpu", NOISE, .outcome = "wins",
		.winner = "b"},
	{"of three equals one costs the host more",
		.designs = {{.name = "a", STAGES(5000, 5000, 5000)},
			{.name = "b", STAGES(5000, 5000, 5000), .busy = 60000},
			{.name = "c", STAGES(5000, 5000, 5000)}},
		EACH, .outcome = "undecided", .side = "b has 3 times the host CPU of a"},
	/* crossovers */
	{"a tie, then a winner: nothing flips",
		.designs = {{.name = "a", STAGES(3000, 4000, 5000)},
			{.name = "b", STAGES(2940, 4000, 5000), .worker_by = 30}},
		EACH, .key = "workload.rate", .at = {1, 400}, NOISE,
		.outcome = "depends|undecided"},
	{"a crossover in size",
		.designs = {{.name = "a", STAGES(9000, 5000, 5000), .copy_by = 1},
			{.name = "b", STAGES(1000, 5000, 5000), .copy_by = 9}},
		EACH, .key = "workload.bytes", .at = {200, 2000, 4000}, .outcome = "depends",
		.flips = 1000},
	{"a crossover in devices",
		.designs = {{.name = "a", STAGES(2000, 5000, 5000), .copy_by = 1000},
			{.name = "b", STAGES(30000, 5000, 5000), .copy_by = 100}},
		EACH, .key = "runtime.mesh.devices", .at = {8, 16, 64}, NOISE, .outcome = "depends",
		.flips = 31},
	{"a crossover in load",
		.designs = {{.name = "a", STAGES(3000, 4000, 5000), .worker_by = 300},
			{.name = "b", STAGES(3000, 9000, 5000), .worker_by = 100}},
		EACH, .key = "workload.rate", .at = {5, 20, 80}, NOISE, .outcome = "depends",
		.flips = 25},
	{"a crossover in flight",
		.designs = {{.name = "a", STAGES(1000, 500, 10000), .worker_by = 300},
			{.name = "b", STAGES(1000, 500, 16000), .worker_by = 100}},
		FLIGHT, .key = "workload.tiles", .at = {5, 20, 80}, NOISE, .outcome = "depends",
		.flips = 30},
	{"no crossover: the same everywhere",
		.designs = {{.name = "a", STAGES(3000, 4000, 5000), .worker_by = 300},
			{.name = "b", STAGES(3000, 9000, 5000), .worker_by = 300}},
		EACH, .key = "workload.rate", .at = {1, 2, 4}, NOISE, .outcome = "wins",
		.winner = "a", .mechanism = "dispatch"},
	{"wins in one of three contexts only",
		.designs = {{.name = "a", STAGES(3000, 4000, 5000), .worker_by = 100},
			{.name = "b", STAGES(3000, 4000, 5000), .worker_by = 101}},
		EACH, .key = "workload.rate", .at = {1, 2, 400}, .outcome = "depends|undecided"},
	/* runs that fail */
	{"the winner dies where it is slow",
		.designs = {{.name = "a", STAGES(3000, 4000, 5000), .dies_at = 80},
			{.name = "b", STAGES(3000, 9000, 5000)}},
		EACH, .key = "workload.rate", .at = {5, 20, 80}, NOISE, .outcome = "depends"},
	{"the second best dies where it is slow",
		.designs = {{.name = "a", STAGES(3000, 4000, 5000)},
			{.name = "b", STAGES(3000, 9000, 5000), .dies_at = 80}},
		EACH, .key = "workload.rate", .at = {5, 20, 80}, NOISE, .outcome = "wins",
		.winner = "a", .mechanism = "dispatch"},
	{"both die where they are slow",
		.designs = {{.name = "a", STAGES(3000, 4000, 5000), .dies_at = 80},
			{.name = "b", STAGES(3000, 9000, 5000), .dies_at = 80}},
		EACH, .key = "workload.rate", .at = {5, 20, 80}, NOISE, .outcome = "depends"},
	{"an equal design that dies is no win for the other",
		.designs = {{.name = "a", STAGES(3000, 4000, 5000)},
			{.name = "b", STAGES(3000, 4000, 5000), .dies_at = 80}},
		EACH, .key = "workload.rate", .at = {5, 80}, NOISE, .outcome = "undecided"},
	/* transfers */
	{"bytes by time",
		.designs = {{.name = "a", STAGES(50000, 5000, 0)},
			{.name = "b", STAGES(80000, 5000, 0)}},
		.bytes = 1 << 20, .measured = "transfer", NOISE, .outcome = "wins", .winner = "a",
		.mechanism = "copy"},
	{"bytes by time, in flight",
		.designs = {{.name = "a", STAGES(5000, 60000, 0)},
			{.name = "b", STAGES(5000, 90000, 0)}},
		.bytes = 1 << 20, .in_flight = true, .measured = "transfer", NOISE,
		.outcome = "wins", .winner = "a", .mechanism = "dispatch"},
	{"equal transfers",
		.designs = {{.name = "a", STAGES(50000, 5000, 0)},
			{.name = "b", STAGES(50000, 5000, 0)}},
		.bytes = 1 << 20, .measured = "transfer", NOISE, .outcome = "undecided"},
	/* two programs; the question is about the first */
	{"beside a slow program that is alike",
		.designs = {{.name = "a", STAGES(5000, 5000, 5000), .other = 90000},
			{.name = "b", STAGES(5000, 5400, 5000), .other = 90000}},
		EACH, .operation_noise = 0.01, .outcome = "wins", .winner = "a",
		.mechanism = "dispatch", .iteration = "undecided"},
	{"beside one that differs the other way",
		.designs = {{.name = "a", STAGES(5000, 5000, 5000), .other = 60000},
			{.name = "b", STAGES(5000, 8000, 5000), .other = 58000}},
		EACH, .operation_noise = 0.01, .outcome = "wins", .winner = "a",
		.mechanism = "dispatch"},
	{"equal beside one that is not",
		.designs = {{.name = "a", STAGES(5000, 5000, 5000), .other = 5000},
			{.name = "b", STAGES(5000, 5000, 5000), .other = 5020}},
		EACH, .operation_noise = 0.01, .outcome = "undecided", .iteration = "undecided"},
	{"the program beside it decides the iteration",
		.designs = {{.name = "a", STAGES(5000, 5000, 5000), .other = 60000},
			{.name = "b", STAGES(5000, 5000, 5000), .other = 50000}},
		EACH, .operation_noise = 0.01, .outcome = "undecided", .side = "throughput",
		.iteration = "wins"},
};

enum { LIBRARY = sizeof library / sizeof *library };

static char path[400];
static struct tree *tree;

static struct planted_load load_of(
	const struct planted *planted, const struct design *design, int64_t at, uint64_t seed)
{
	return (struct planted_load){.design = design->name,
		.at = at,
		.seed = seed,
		.operations = planted->operations ? planted->operations : 60,
		.in_flight = planted->in_flight,
		.copy = 1000 * (design->copy + at * design->copy_by),
		.dispatch = 1000 * (design->dispatch + at * design->dispatch_by),
		.worker = 1000 * (design->worker + at * design->worker_by),
		.tail_every = design->tail_every,
		.tail = 1000 * design->tail,
		.run_noise = planted->run_noise,
		.own_noise = planted->own_noise,
		.operation_noise = planted->operation_noise,
		.busy = 1000 * (design->busy ? design->busy : 20000),
		.spinning = 1000 * design->spinning,
		.bytes = planted->bytes,
		.other = 1000 * design->other,
		.status = at > 0 && at == design->dies_at ? "hazard" : NULL,
		.scenario = planted->run_noise + planted->own_noise + planted->operation_noise > 0 ?
				NULL : "model:\n  noise: off\n"};
}

static void write_loads(const struct planted *planted)
{
	static struct planted_load loads[LOAD_RUNS_MAX];
	uint32_t seeds = planted->seeds ? planted->seeds : 5, count = 0;

	for (int d = 0; d < DESIGNS && planted->designs[d].name; d++)
		for (int p = 0; p < PLACES && (p == 0 || planted->at[p]); p++)
			for (uint64_t seed = 1; seed <= seeds; seed++)
				loads[count++] = load_of(
					planted, &planted->designs[d], planted->at[p], seed);
	planted_load_write(
		path, shell_folder, planted->key ? planted->key : "workload.nothing", loads, count);
}

static const struct tree_node *ask(const char *metric)
{
	struct compare_options options = {.json = true, .metric = metric};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(analysis_compare(path, &options, NULL, out), 0);
	fclose(out);
	tree = json_tree(text);
	return tree_root(tree);
}

static void done(void)
{
	tree_free(tree);
	unlink(path);
}

static const char *text_at(const struct tree_node *root, const char *at)
{
	const struct tree_node *node = tree_find(root, at);

	return node && node->kind == TREE_SCALAR ? node->text : "";
}

static uint32_t wrong;

static void expect(const struct planted *planted, const char *what, const char *seen,
	const char *expected, bool part)
{
	bool good = part ? strstr(seen, expected) != NULL : strcmp(seen, expected) == 0;

	if (good)
		return;
	print_error("%s: %s is '%s', not '%s'\n", planted->what, what, seen, expected);
	wrong++;
}

/* A text of the question about the first program; that about the iteration, if any, is first. */
static const char *answered(
	const struct planted *planted, const struct tree_node *root, const char *at)
{
	char full[64];

	snprintf(full, sizeof full, "questions.%d.%s", planted->designs[0].other ? 1 : 0, at);
	return text_at(root, full);
}

static void judge(const struct planted *planted)
{
	const struct tree_node *root;
	const char *outcome;
	double flips;

	write_loads(planted);
	root = ask(planted->metric);
	if (planted->iteration)
		expect(planted, "the iteration", text_at(root, "questions.0.outcome"),
			planted->iteration, false);
	outcome = answered(planted, root, "outcome");
	if (!strstr(planted->outcome, outcome) || !outcome[0])
		expect(planted, "the outcome", outcome, planted->outcome, false);
	if (planted->winner)
		expect(planted, "the winner", answered(planted, root, "winner"), planted->winner,
			false);
	expect(planted, "the metric", answered(planted, root, "metric"), planted->measured, false);
	if (planted->mechanism)
		expect(planted, "the mechanism", answered(planted, root, "mechanism.stage"),
			planted->mechanism, true);
	expect(planted, "what contradicts", answered(planted, root, "sides.0.words"),
		planted->side ? planted->side : "", planted->side != NULL);
	flips = strtod(answered(planted, root, "crossovers.0.at"), NULL);
	if ((planted->flips == 0) != (flips == 0)) {
		print_error("%s: flips at %g\n", planted->what, flips);
		wrong++;
	}
	if (planted->flips > 0 && (flips < 0.8 * planted->flips || flips > 1.2 * planted->flips)) {
		print_error("%s: flips at %g, not %g\n", planted->what, flips, planted->flips);
		wrong++;
	}
	done();
}

TEST(every_verdict_of_the_library_is_right)
{
	for (int i = 0; i < LIBRARY; i++)
		judge(&library[i]);
	assert_int_equal(wrong, 0);
}

/* With one seed, intervals are computed from the operations of the run, and the output states the
 * number of seeds. */
TEST(one_seed_says_so)
{
	struct planted planted = library[0];
	const struct tree_node *root;

	planted.seeds = 1;
	write_loads(&planted);
	root = ask(NULL);
	assert_string_equal(text_at(root, "questions.0.seeds"), "1");
	done();
	planted.seeds = 5;
	write_loads(&planted);
	root = ask(NULL);
	assert_string_equal(text_at(root, "questions.0.seeds"), "5");
	done();
}

static int make_folder(void **state)
{
	int code = shell_folder_make(state);

	snprintf(path, sizeof path, "%s/planted.h5", shell_folder);
	return code;
}

TEST_MAIN(make_folder, shell_folder_remove)
