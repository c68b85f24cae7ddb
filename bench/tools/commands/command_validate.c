/* `meshsim validate`: simulates the experiments of a file with reference figures, and compares the
 * results with the figures. It is an error if a row has a system, metric or parameter that the
 * row's family of experiments does not have. With --decisions, compares options that were all
 * measured on hardware. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "bench/scenario/load.h"
#include "bench/run/runner.h"
#include "commands.h"
#include "analysis/report.h"
#include "bench/scenario/machine_constants.h"
#include "bench/tools/decisions/decisions.h"
#include "bench/tools/fabric_trace/fabric_trace.h"
#include "bench/tools/noc_trace/noc_trace.h"
#include "bench/tools/op_gaps/op_gaps.h"
#include "bench/tools/reference/errors.h"
#include "bench/tools/reference/validate.h"
#include "bench/results/version.h"

struct options {
	const char *reference, *family, *plot, *noc_traces, *fabric_traces, *platform, *scenarios,
		*op_report, *decisions_file;
	struct option_texts sets, by;
	struct validate_keys keys; /* the keys of all --by options */
	uint32_t jobs;
	bool rows, json, decisions, other_machines;
};

static const struct option_row option_table[] = {
	{"reference", 0, "FILE.csv", "figures to compare with", OPTION_TEXT,
		.offset = offsetof(struct options, reference)},
	{"family", 0, "NAME", "only the rows of this family", OPTION_TEXT,
		.offset = offsetof(struct options, family)},
	{"decisions", 0, NULL,
		"ask about choices that were measured both ways: is the right option better, and "
		"by as much?",
		OPTION_FLAG, .offset = offsetof(struct options, decisions)},
	{"other-machines", 0, NULL,
		"print how far off each machine is when it is predicted from the others, as "
		"`calibrate --fit --folds` has found; runs nothing",
		OPTION_FLAG, .offset = offsetof(struct options, other_machines)},
	{"rows", 0, NULL, "print every row", OPTION_FLAG, .offset = offsetof(struct options, rows)},
	{"by", 0, "KEY[,KEY]", "split the table by system, metric or parameters of the rows",
		OPTION_TEXTS, .offset = offsetof(struct options, by)},
	{"plot", 0, "FILE.html", "draw predicted against measured figures, as a page", OPTION_TEXT,
		.offset = offsetof(struct options, plot)},
	{"set", 0, "KEY=VALUE", "change a key of every row's scenario", OPTION_TEXTS,
		.offset = offsetof(struct options, sets)},
	{"noc-traces", 0, "PATH",
		"replay recorded transfers of kernels in place of the figures: a file, or all "
		"*.json of a folder",
		OPTION_TEXT, .offset = offsetof(struct options, noc_traces)},
	{"fabric-traces", 0, "PATH",
		"replay recorded operations on several devices: a folder with topology.json and a "
		"file for each device, or a folder of such folders",
		OPTION_TEXT, .offset = offsetof(struct options, fabric_traces)},
	{"op-report", 0, "REPORT.csv",
		"run a profiler's report, and compare the times between its operations (family "
		"op_gaps)",
		OPTION_TEXT, .offset = offsetof(struct options, op_report)},
	{"platform", 0, "NAME",
		"machine of --noc-traces, n150-endpoints by default, or that has the chips of "
		"--fabric-traces, t3k-endpoints by default; of --op-report, n150-profiled or "
		"p150-profiled by default",
		OPTION_TEXT, .offset = offsetof(struct options, platform)},
	{"scenarios", 0, "FOLDER", "keep the scenario of each replay of traces there", OPTION_TEXT,
		.offset = offsetof(struct options, scenarios)},
	OPTION_JSON(struct options, json),
	OPTION_JOBS(struct options, jobs),
	{NULL, 0, "FILE.csv", NULL, OPTION_TEXT, .offset = offsetof(struct options, decisions_file),
		.extra = "one file of decisions at a time"},
	{0},
};

static bool check_decisions(const struct options *options, struct text *why)
{
	if (!options->decisions && options->decisions_file)
		text_printf(why,
			"%s: a file of decisions needs --decisions, one of figures --reference",
			options->decisions_file);
	else if (options->decisions &&
		 (options->noc_traces || options->fabric_traces || options->op_report ||
			 options->reference || options->family || options->plot || options->rows ||
			 options->by.count > 0))
		text_append(why, "--decisions goes with FILE.csv, --set, --json and --jobs alone");
	return why->length == 0;
}

static bool check_traces(const struct options *options, struct text *why)
{
	bool traces = options->noc_traces || options->fabric_traces || options->op_report;

	if (!!options->noc_traces + !!options->fabric_traces + !!options->op_report > 1)
		text_append(why, "one of --noc-traces, --fabric-traces and --op-report");
	else if (traces && (options->reference || options->family || options->plot ||
				   options->rows || options->by.count > 0))
		text_printf(why, "--%s goes with --platform, --scenarios, --json and --jobs only",
			options->noc_traces	 ? "noc-traces"
			: options->fabric_traces ? "fabric-traces"
						 : "op-report");
	else if ((options->platform || options->scenarios) && !traces)
		text_printf(why, "--%s is for --noc-traces, --fabric-traces and --op-report",
			options->platform ? "platform" : "scenarios");
	return why->length == 0;
}

static bool check_other_machines(const struct options *options, struct text *why)
{
	if (options->other_machines &&
		(options->decisions || options->noc_traces || options->fabric_traces ||
			options->op_report || options->reference || options->family ||
			options->plot || options->rows || options->json || options->by.count > 0 ||
			options->sets.count > 0))
		text_append(why, "--other-machines goes alone");
	return why->length == 0;
}

static bool command_validate_check_usage(void *given, struct text *why)
{
	struct options *options = given;

	if (!check_decisions(options, why) || !check_other_machines(options, why))
		return false;
	if (!check_traces(options, why))
		return false;
	if (options->family && !experiment_find(options->family)) {
		text_printf(why, "--family: there is no family '%s'", options->family);
		return false;
	}
	for (uint32_t i = 0; i < options->by.count; i++)
		if (!validate_keys_parse(&options->keys, "--by", options->by.at[i], why))
			return false;
	return true;
}

/* Keeps only the rows of one family. */
static void keep_family(const char *family, struct reference *reference)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < reference->count; i++)
		if (strcmp(reference->rows[i].family, family) == 0)
			reference->rows[kept++] = reference->rows[i];
	reference->count = kept;
}

/* Reads the errors of the model on figures that were left out of the fit. These errors are known
 * only for the rows that come with meshsim, with unchanged constants. Returns false if the options
 * ask for other rows or constants, or if the file cannot be read. */
static bool read_kept_out(const struct options *options, struct errors_file *file)
{
	return !options->reference && options->sets.count == 0 && errors_file_read(file);
}

static void print(const struct options *options, const struct reference *reference,
	const struct prediction *predictions)
{
	struct errors_file file, *kept_out;
	const struct validate_json json = {options->keys.names, options->keys.count, options->rows};

	if (options->json) {
		validate_print_json(reference, predictions, &json);
		return;
	}
	kept_out = read_kept_out(options, &file) ? &file : NULL;
	if (options->rows)
		validate_print_rows(reference, predictions);
	if (options->keys.count > 0) {
		validate_print_groups(
			reference, predictions, options->keys.names, options->keys.count, kept_out);
		printf("\n");
	}
	validate_print_families(reference, predictions, kept_out);
}

static bool plot(const struct options *options, const struct reference *reference,
	const struct prediction *predictions)
{
	bool shipped = !options->reference && options->sets.count == 0, good;
	struct text table;

	if (!options->plot)
		return true;
	text_init(&table);
	report_errors_of(reference, predictions, shipped, &table);
	good = analysis_errors_page(text_string(&table), version_commit(), options->plot);
	text_fini(&table);
	return good;
}

static int run_decisions(const struct options *options)
{
	struct validate_options run = {.sets = (const char *const *)options->sets.at,
		.set_count = options->sets.count,
		.jobs = options->jobs,
		.progress = true};
	const char *path = options->decisions_file ? options->decisions_file : shipped_decisions();
	struct diag *diag = diag_new();
	struct decisions *decisions;
	int code = EXIT_BAD_INPUT;
	struct arena arena;

	arena_init(&arena);
	decisions = decisions_read(path, &arena, diag);
	if (decisions && decisions_run(decisions, &run)) {
		if (options->json)
			decisions_print_json(decisions);
		else
			decisions_print(decisions);
		code = EXIT_GOOD;
	}
	diag_print(diag, stderr);
	decisions_free(decisions);
	arena_fini(&arena);
	diag_free(diag);
	return code;
}

/* Reads all traces, even if one of them has errors. Returns false after errors. */
static bool read_traces(const char *path, struct arena *arena, struct diag *diag,
	struct noc_trace **traces, uint32_t *count)
{
	const char *const *files = noc_trace_list(path, arena, diag, count);
	bool good = files != NULL;

	*traces = arena_array(arena, *count + 1u, sizeof **traces);
	for (uint32_t i = 0; files && i < *count; i++)
		good = noc_trace_read(files[i], arena, diag, &(*traces)[i]) && good;
	return good;
}

static int replay_traces(const struct options *options)
{
	const char *machine = options->platform ? options->platform : "n150-endpoints";
	char *path = strchr(machine, '/') ? realpath(machine, NULL) : NULL;
	struct noc_trace_outcome *outcomes = NULL;
	struct platform *platform = NULL;
	struct diag *diag = diag_new();
	struct noc_trace *traces;
	struct arena arena;
	uint32_t count;
	int code = EXIT_BAD_INPUT;

	arena_init(&arena);
	if (!read_traces(options->noc_traces, &arena, diag, &traces, &count))
		goto out;
	platform = machine_platform(machine, diag);
	if (!platform)
		goto out;
	outcomes = allocate(count + 1u, sizeof *outcomes);
	/* The scenarios are written to another folder, so they need the whole path of the file. */
	if (!noc_trace_run(traces, count,
		    &(struct noc_trace_request){
			    path ? path : machine, platform, options->scenarios, options->jobs},
		    outcomes, diag))
		goto out;
	(options->json ? noc_trace_print_json : noc_trace_print)(traces, outcomes, count, machine);
	code = EXIT_GOOD;
	for (uint32_t i = 0; i < count; i++)
		if (!outcomes[i].ran)
			code = EXIT_REFUSED;
out:
	free(path);
	diag_print(diag, stderr);
	noc_trace_outcomes_free(outcomes, count);
	platform_free(platform);
	arena_fini(&arena);
	diag_free(diag);
	return code;
}

/* Reads recorded operations, and finds their packets and waits. */
static bool prepare_operations(const struct options *options, const struct platform *platform,
	struct arena *arena, struct diag *diag, struct fabric_traces *traces)
{
	bool good = fabric_traces_read(options->fabric_traces, arena, diag, traces);

	for (uint32_t i = 0; i < traces->count && good; i++)
		good = fabric_trace_prepare(&traces->traces[i], platform, arena, diag);
	return good;
}

static int replay_operations(const struct options *options)
{
	const char *machine = options->platform ? options->platform : "t3k-endpoints";
	char *path = strchr(machine, '/') ? realpath(machine, NULL) : NULL;
	struct fabric_outcome *outcomes = NULL;
	struct fabric_traces traces = {NULL, 0};
	struct diag *diag = diag_new();
	struct platform *platform = machine_platform(machine, diag);
	int code = EXIT_BAD_INPUT;
	struct arena arena;

	arena_init(&arena);
	if (!platform || !prepare_operations(options, platform, &arena, diag, &traces))
		goto out;
	outcomes = allocate(traces.count + 1u, sizeof *outcomes);
	if (!fabric_traces_run(&traces,
		    &(struct fabric_trace_request){
			    path ? path : machine, platform, options->scenarios, options->jobs},
		    outcomes, diag))
		goto out;
	(options->json ? fabric_traces_print_json : fabric_traces_print)(
		&traces, outcomes, machine);
	code = EXIT_GOOD;
	for (uint32_t i = 0; i < traces.count; i++)
		if (!outcomes[i].ran)
			code = EXIT_REFUSED;
out:
	free(path);
	diag_print(diag, stderr);
	fabric_outcomes_free(outcomes, traces.count);
	platform_free(platform);
	arena_fini(&arena);
	diag_free(diag);
	return code;
}

static int validate_gaps(const struct options *options)
{
	const struct op_gaps_request request = {.path = options->op_report,
		.platform = options->platform,
		.folder = options->scenarios,
		.sets = (const char *const *)options->sets.at,
		.set_count = options->sets.count,
		.fits = true};
	struct diag *diag = diag_new();
	struct op_gaps gaps;
	struct arena arena;
	bool good;

	arena_init(&arena);
	good = op_gaps_run(&request, &arena, diag, &gaps);
	if (good) {
		op_gaps_formula(&gaps, &arena);
		(options->json ? op_gaps_print_json : op_gaps_print)(&gaps);
	}
	diag_print(diag, stderr);
	arena_fini(&arena);
	diag_free(diag);
	return good ? EXIT_GOOD : EXIT_BAD_INPUT;
}

static int validate_figures(const struct options *options)
{
	struct validate_options run = {.sets = (const char *const *)options->sets.at,
		.set_count = options->sets.count,
		.jobs = options->jobs,
		.progress = true};
	const char *path = options->reference ? options->reference : shipped_reference();
	struct prediction *predictions = NULL;
	struct diag *diag = diag_new();
	struct reference reference = {0};
	struct arena arena;
	int code = EXIT_BAD_INPUT;

	arena_init(&arena);
	if (options->plot && !analysis_errors_page_check(options->plot))
		goto out;
	if (!reference_read(path, &arena, diag, &reference))
		goto out;
	if (options->family)
		keep_family(options->family, &reference);
	predictions = allocate(reference.count + 1u, sizeof *predictions);
	if (!validate_check(&reference, predictions, diag))
		goto out;
	if (!validate_run(&reference, &run, predictions))
		goto out;
	print(options, &reference, predictions);
	if (plot(options, &reference, predictions))
		code = EXIT_GOOD;
out:
	diag_print(diag, stderr);
	predictions_free(predictions, reference.count);
	arena_fini(&arena);
	diag_free(diag);
	return code;
}

static int print_other_machines(void)
{
	struct errors_file *file = allocate(1, sizeof *file);
	bool good = errors_file_read(file);

	if (good)
		errors_print_machines(file);
	else
		fprintf(stderr, "meshsim: cannot read %s\n", shipped_errors());
	free(file);
	return good ? EXIT_GOOD : EXIT_BAD_INPUT;
}

static int command_validate_run(const void *given)
{
	const struct options *options = given;

	if (options->other_machines)
		return print_other_machines();
	if (options->decisions)
		return run_decisions(options);
	if (options->fabric_traces)
		return replay_operations(options);
	if (options->op_report)
		return validate_gaps(options);
	return options->noc_traces ? replay_traces(options) : validate_figures(options);
}

const struct command_work command_validate = {
	OPTION_TABLE(option_table, struct options),
	.reads_platforms = true,
	.check = command_validate_check_usage,
	.run = command_validate_run,
};
