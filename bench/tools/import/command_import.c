/* `meshsim import`: writes a scenario from the recordings of another program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "bench/run/runner.h"
#include "bench/scenario/load.h"
#include "bench/tools/import/import.h"
#include "bench/tools/options/option.h"

struct options {
	const char *path, *platform, *output, *from, *to, *format, *rank;
	uint32_t runtime_args, imbalance_percent, fuse_ns, queues;
};

static const struct option_row option_table[] = {
	{"platform", 0, "NAME", "machine of the scenario; one that the recording fits by default",
		OPTION_TEXT, .offset = offsetof(struct options, platform)},
	{"output", 'o', "FILE.yaml", "write to this file; to standard output by default",
		OPTION_TEXT, .offset = offsetof(struct options, output)},
	{"from", 0, "SIGNPOST", "begin at the first signpost of this name", OPTION_TEXT,
		.offset = offsetof(struct options, from)},
	{"to", 0, "SIGNPOST", "end at the next signpost of this name", OPTION_TEXT,
		.offset = offsetof(struct options, to)},
	{"format", 0, "NAME", "op-report or chakra; by default what the file looks like",
		OPTION_TEXT, .offset = offsetof(struct options, format)},
	{"runtime-args", 0, "N",
		"arguments of each core and kernel, which a report lacks; 12 by default",
		OPTION_COUNT, .offset = offsetof(struct options, runtime_args), .least = 0,
		.most = 341, .fallback = 12},
	{"imbalance", 0, "PERCENT",
		"how much shorter the core runs that ends first, where the report lacks it; 30 by "
		"default",
		OPTION_COUNT, .offset = offsetof(struct options, imbalance_percent), .least = 0,
		.most = 99, .fallback = 30},
	{"fuse", 0, "NS",
		"longest compute between sends and receives that is part of their kernel; 20000 by "
		"default",
		OPTION_COUNT, .offset = offsetof(struct options, fuse_ns), .least = 0,
		.most = 1000000000, .fallback = IMPORT_FUSE_NS},
	{"rank", 0, "WHAT",
		"what a rank of a trace is: chip, mesh (as many chips as the platform has for each "
		"rank), or ROWSxCOLUMNS chips; chip by default",
		OPTION_TEXT, .offset = offsetof(struct options, rank)},
	{"queues", 0, "N",
		"1: a chip runs the nodes of a trace one after the other; 2: it communicates while "
		"it computes, where nodes do not depend on each other; 2 by default",
		OPTION_COUNT, .offset = offsetof(struct options, queues), .least = 1, .most = 2,
		.fallback = IMPORT_QUEUES},
	{NULL, 0, "REPORT.csv|TRACE", NULL, OPTION_TEXT, .offset = offsetof(struct options, path),
		.missing = "no file given", .extra = "one file at a time"},
	{0},
};

static bool command_import_check(void *given, struct text *why)
{
	const struct options *options = given;

	if (options->format && !importer_named(options->format)) {
		text_printf(why, "--format: there is no format '%s':", options->format);
		for (size_t i = 0; importer_at(i); i++)
			text_printf(why, "%s %s", i > 0 ? "," : "", importer_at(i)->name);
	}
	if (why->length == 0 && options->rank && strcmp(options->rank, "chip") != 0 &&
		strcmp(options->rank, "mesh") != 0 &&
		!import_rank_shape(options->rank, &(struct mesh_shape){0}))
		text_printf(why, "--rank: '%s' is none of chip, mesh, ROWSxCOLUMNS", options->rank);
	return why->length == 0;
}

/* Prints each line of `notes`, with "note: " before it. */
static void print_notes(const char *notes)
{
	while (*notes) {
		size_t length = strcspn(notes, "\n");

		fprintf(stderr, "note: %.*s\n", (int)length, notes);
		notes += length + (notes[length] == '\n');
	}
}

static int import(const struct options *options, const char *output, struct diag *diag)
{
	const struct importer *importer = options->format ? importer_named(options->format)
							  : importer_of(options->path, diag);
	const struct import_request request = {.path = options->path,
		.platform = options->platform,
		.from = options->from,
		.to = options->to,
		.runtime_args = options->runtime_args,
		.imbalance_percent = options->imbalance_percent,
		.fuse_ns = options->fuse_ns,
		.queues = options->queues,
		.rank = options->rank};
	struct text scenario = {0}, notes = {0};
	int code = EXIT_BAD_INPUT;

	if (importer && importer->import(&request, &scenario, &notes, diag) &&
		output_write_or_say(output, &scenario_output_kind, &scenario)) {
		print_notes(text_string(&notes));
		code = EXIT_GOOD;
	}
	text_fini(&scenario);
	text_fini(&notes);
	return code;
}

static int command_import_run(const void *given)
{
	const struct options *options = given;
	const char *output = options->output ? options->output : "-";
	struct diag *diag = diag_new();
	int code = EXIT_BAD_INPUT;

	if (output_check_or_say(output, &scenario_output_kind))
		code = import(options, output, diag);
	diag_print(diag, stderr);
	diag_free(diag);
	return code;
}

const struct command_work command_import = {
	OPTION_TABLE(option_table, struct options),
	.reads_platforms = true,
	.check = command_import_check,
	.run = command_import_run,
};
