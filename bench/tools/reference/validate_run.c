/* Runs reference rows (see validate.h). Each row runs in a child process, which opens the row's
 * scenario like `meshsim run` and writes a part file. The parent reads the operations of the run
 * from this file. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/file/file.h"
#include "bench/tools/reference/validate.h"
#include "bench/record/recorder.h"
#include "bench/results/table.h"
#include "bench/results/results.h"
#include "bench/run/children.h"
#include "bench/run/runner.h"
#include "bench/scenario/load.h"
#include "cause/cause.h"
#include "simgrid/library.h"

enum { ROW_LIMIT_S = 300, PATH_BYTES = SCRATCH_PATH_BYTES + 64 };

struct validation {
	const struct reference *reference;
	const struct validate_options *options;
	struct prediction *predictions;
	struct scratch *scratch;
	struct progress progress;
};

static void path_of(
	const struct validation *validation, uint32_t row, const char *ending, char *path)
{
	snprintf(path, PATH_BYTES, "%s/row-%u.%s", scratch_path(validation->scratch), row, ending);
}

static const char **all_sets(
	const struct validate_options *options, const struct prediction *prediction)
{
	const char **sets = allocate(options->set_count + prediction->set_count, sizeof *sets);

	for (uint32_t i = 0; i < options->set_count; i++)
		sets[i] = options->sets[i];
	for (uint32_t i = 0; i < prediction->set_count; i++)
		sets[options->set_count + i] = prediction->sets[i];
	return sets;
}

/* Runs a row in a child process. Frees nothing, because the process ends. */
static void run_row(void *context, uint32_t row)
{
	const struct validation *validation = context;
	const char **sets = all_sets(validation->options, &validation->predictions[row]);
	struct load_options load = {
		.sets = sets,
		.set_count =
			validation->options->set_count + validation->predictions[row].set_count,
		.platform_directory = platform_directory(),
	};
	static const struct path_wish none = {0};
	struct run_request request = {.jobs = 1,
		.marks_only = !validation->options->shares,
		.paths = &none,
		.command_line = "meshsim validate"};
	char path[PATH_BYTES], part[PATH_BYTES];

	path_of(validation, row, "yaml", path);
	path_of(validation, row, "part", part);
	run_child_of_file(path, &load, &request, part);
}

static bool validate_run_write_scenario(const struct validation *validation, uint32_t row)
{
	char path[PATH_BYTES];
	struct text yaml;
	bool good;

	text_init(&yaml);
	validation->predictions[row].experiment->scenario(&validation->reference->rows[row], &yaml);
	path_of(validation, row, "yaml", path);
	good = file_write(path, 0600, &yaml);
	text_fini(&yaml);
	return good;
}

/* Returns the total length of the critical paths of the operations that have the kind and the
 * metric of row `at`. */
static double way_in(const struct charge_row *rows, uint32_t count, uint32_t at)
{
	double sum = 0;

	for (uint32_t i = 0; i < count; i++)
		if (rows[i].constant[0] == '\0' && strcmp(rows[i].kind, rows[at].kind) == 0 &&
			strcmp(rows[i].metric, rows[at].metric) == 0)
			sum += (double)rows[i].time;
	return sum;
}

/* Returns the total length of the critical paths of a kind of operations. Each metric has its own
 * paths; the metric with the largest total counts. Returns 0 if there are no such operations. */
static double way_of(const struct charge_row *rows, uint32_t count, const char *kind)
{
	double most = 0;

	for (uint32_t i = 0; i < count; i++) {
		bool whole = rows[i].constant[0] == '\0' && strcmp(rows[i].kind, kind) == 0;
		double way = whole ? way_in(rows, count, i) : 0;

		most = way > most ? way : most;
	}
	return most;
}

static void find_share(const struct charge_row *rows, uint32_t count, uint32_t at, double *shares)
{
	double way = way_of(rows, count, rows[at].kind);
	int charge = CHARGE_COUNT;

	while (charge-- > 0 && strcmp(charge_path((enum charge)charge), rows[at].constant) != 0)
		;
	if (strcmp(rows[at].metric, "all") == 0 && charge > 0 && way > 0 &&
		(double)rows[at].time / way > shares[charge])
		shares[charge] = (double)rows[at].time / way;
}

static bool read_shares(struct h5_file *file, struct prediction *prediction)
{
	struct table layout = results_charges();
	void *charges = NULL;
	uint32_t count = 0;
	bool good = part_table(file, "/run", &layout, &charges, &count);
	const struct charge_row *rows = charges;

	prediction->shares = allocate(CHARGE_COUNT, sizeof *prediction->shares);
	for (uint32_t i = 0; good && i < count; i++)
		find_share(rows, count, i, prediction->shares);
	free(charges);
	return good;
}

/* Computes a figure of host threads, if the row has such a metric. */
static bool read_threads(
	struct h5_file *file, const struct reference_row *row, struct prediction *prediction)
{
	const struct experiment *experiment = prediction->experiment;
	struct table layout = results_threads();
	void *threads = NULL;
	uint32_t count = 0;
	bool good;

	if (experiment->of_threads == NULL || strcmp(experiment->of_threads, row->metric) != 0)
		return true;
	good = part_table(file, "/run", &layout, &threads, &count);
	if (good)
		prediction->value = experiment->threads(row, threads, count);
	free(threads);
	return good;
}

static bool read_figure(
	const struct validation *validation, uint32_t row, struct prediction *prediction)
{
	struct table layout = results_ops();
	char part[PATH_BYTES];
	uint32_t count = 0;
	void *ops = NULL;
	struct h5_file *file;
	bool good;

	path_of(validation, row, "part", part);
	file = part_open(part);
	if (!file)
		return false;
	good = part_table(file, "", &layout, &ops, &count);
	if (good && validation->options->shares)
		good = read_shares(file, prediction);
	if (good)
		prediction->value = prediction->experiment->figure(
			&validation->reference->rows[row], ops, count);
	if (good)
		good = read_threads(file, &validation->reference->rows[row], prediction);
	h5_close(file);
	free(ops);
	return good && prediction->value > 0;
}

static bool row_ended(void *context, const struct child_end *end)
{
	struct validation *validation = context;
	struct prediction *prediction = &validation->predictions[end->number];
	double reference = validation->reference->rows[end->number].value;
	double off;

	prediction->wall_s = end->wall_s;
	if (end->timed_out) {
		text_printf(&prediction->reason, "given up after %d s", ROW_LIMIT_S);
	} else if (end->code != EXIT_GOOD) {
		children_say_error(end, &prediction->reason);
		if (prediction->reason.length == 0)
			text_append(&prediction->reason, "it ended without a word");
	} else if (!read_figure(validation, end->number, prediction)) {
		text_append(&prediction->reason, "the run did not get to the figure");
	} else {
		off = prediction->value - reference;
		prediction->error = (off < 0 ? -off : off) / reference;
		prediction->ran = true;
	}
	progress_step(&validation->progress);
	return true;
}

static uint32_t row_limit(void *context, uint32_t row)
{
	(void)context;
	(void)row;
	return ROW_LIMIT_S;
}

static const struct children_ops row_children = {
	.work = run_row,
	.ended = row_ended,
	.limit_s = row_limit,
};

bool validate_run(const struct reference *reference, const struct validate_options *options,
	struct prediction *predictions)
{
	struct validation validation = {
		reference, options, predictions, .scratch = scratch_open("validate")};
	uint32_t *numbers = allocate(reference->count + 1u, sizeof *numbers);
	uint32_t count = 0;
	bool good = true;

	if (!validation.scratch) {
		free(numbers);
		return false;
	}
	for (uint32_t row = 0; row < reference->count && good; row++)
		if (predictions[row].experiment) {
			numbers[count++] = row;
			good = validate_run_write_scenario(&validation, row);
		}
	if (options->progress)
		progress_start(&validation.progress, "validate", count, 0);
	simgrid_library_load();
	good = good && children_run(&row_children, &validation, numbers, count, options->jobs);
	if (options->progress)
		progress_hide(&validation.progress);
	if (!good)
		fprintf(stderr, "meshsim: cannot run the rows: %s\n", strerror(errno));
	scratch_close(validation.scratch);
	free(numbers);
	return good;
}

void predictions_free(struct prediction *predictions, uint32_t count)
{
	for (uint32_t i = 0; predictions && i < count; i++) {
		text_fini(&predictions[i].reason);
		free(predictions[i].shares);
	}
	free(predictions);
}
