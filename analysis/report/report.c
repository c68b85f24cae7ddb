/* `meshsim report`: builds the JSON model of a page, and writes the page. The members of the model
 * are listed in analysis/report.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/read/result.h"
#include "base/ensure.h"
#include "base/output.h"
#include "report_private.h"

/* ---- the model ---- */

static void write_compare(struct report *report, struct json *json)
{
	struct json inner;
	struct text text;

	if (report->compare_why)
		json_text(json, "compare_why", report->compare_why);
	json_key(json, "compare");
	if (report->compare_why) {
		json_null(json);
		return;
	}
	text_init(&text);
	json_start(&inner, &text);
	inner.flat_from = 3;
	compare_value(&report->comparison, &inner);
	json_raw(json, text_string(&text));
	text_fini(&text);
}

static void write_errors(struct report *report, struct json *json)
{
	struct text text;

	text_init(&text);
	json_key(json, "errors");
	if (report->options->errors && !report->is_trial) {
		report->options->errors(report->options->errors_context, &text);
		json_raw(json, text_string(&text));
	} else {
		json_null(json);
	}
	text_fini(&text);
}

static bool report_write_model(struct report *report, struct text *out)
{
	struct json json;
	bool good;

	json_start(&json, out);
	json.flat_from = 3;
	json_object(&json);
	report_head(report, &json);
	report_runs(report, &json);
	json_text(&json, "kind", report->kind);
	json_text(&json, "metric", metric_names[report->metric]);
	write_compare(report, &json);
	good = report_samples(report, &json) && report_details(report, &json);
	if (!good)
		return false;
	report_platforms(report, &json);
	write_errors(report, &json);
	json_object_end(&json);
	json_end(&json);
	return true;
}

/* Writes the facts that depend on the day and on the machine. They are not part of the model, so
 * that equal results have models with equal bytes. */
static void write_host(struct report *report, const char *file, struct text *out)
{
	static const char *const attributes[] = {"created", "command_line", "machine"};
	struct result *result = report->comparison.summary.result;
	const char *slash = strrchr(file, '/');
	struct dataset runs;
	struct json json;

	json_start(&json, out);
	json.flat_from = 2;
	json_object(&json);
	json_text(&json, "file", slash ? slash + 1 : file);
	for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
		json_text(&json, attributes[i], result_text(result, "/host", attributes[i]));
	json_integer_of(&json, "cores", (int64_t)result_number(result, "/host", "cores"));
	json_integer_of(&json, "jobs", (int64_t)result_number(result, "/host", "jobs"));
	json_array_of(&json, "runs");
	if (result_table_in(result, "/host/runs", &report->comparison.arena, &runs, &report->why) ==
		STATUS_OK)
		for (uint64_t row = 0; row < runs.row_count; row++) {
			json_array(&json);
			report_short(&json, dataset_real_of(&runs, "wall_s", row));
			report_short(&json, dataset_real_of(&runs, "cpu_s", row));
			report_short(&json, dataset_real_of(&runs, "peak_bytes", row));
			json_array_end(&json);
		}
	json_array_end(&json);
	json_object_end(&json);
	json_end(&json);
}

/* ---- reading ---- */

struct work {
	const char *file;
	struct report *report;
	const struct compare_options *options;
	const struct compare_rerun_ops *rerun_ops;
	struct text model;
};

/* Reads the points to compare. If there are none, sets `compare_why` to the reason and returns
 * true; the page then has no verdicts, but still shows which runs failed. Returns false, with a
 * sentence in `why`, if the file is damaged, or if the user chose a kind or metric that does not
 * exist. */
static bool report_read_points(struct report *report, struct text *why)
{
	struct comparison *comparison = &report->comparison;
	const struct compare_options *options = comparison->options;

	report->kind = "";
	report->metric = METRIC_LATENCY;
	report->compare_why = NULL;
	if (!compare_read(comparison, why)) {
		if (options->kind || options->metric || result_damage(comparison->summary.result))
			return false;
		report->compare_why = arena_string(&comparison->arena, text_string(why));
		text_clear(why);
		return true;
	}
	report->kind = comparison->subjects[0].points.kind;
	report->metric = comparison->subjects[0].points.metric;
	return true;
}

static bool build(void *context, struct text *why)
{
	struct work *work = context;
	struct report *report = work->report;
	struct comparison *comparison = &report->comparison;
	bool good;

	arena_init(&comparison->arena);
	comparison->options = work->options;
	comparison->rerun_ops = work->rerun_ops;
	if (!summary_open(&comparison->summary, work->file, why) ||
		!report_read_points(report, why))
		return false;
	if (!report->compare_why && !compare_answer(comparison, why)) {
		if (work->options->by_count > 0 || result_damage(comparison->summary.result))
			return false;
		report->compare_why = arena_string(&comparison->arena, text_string(why));
		text_clear(why);
	}
	good = report_write_model(report, &work->model);
	text_append(why, text_string(&report->why));
	return good && summary_whole(&comparison->summary, why);
}

/* True if an existing file starts like a page, or like a model without a page. */
static bool is_report(const char *head, size_t length)
{
	(void)length;
	if (strncmp(head, "<!DOCTYPE html>", strlen("<!DOCTYPE html>")) == 0)
		return strstr(head, "<meta name=\"generator\" content=\"meshsim report\">") != NULL;
	return strncmp(head, "{\n  \"format\": ", strlen("{\n  \"format\": ")) == 0 &&
	       strstr(head, "\"meshsim_version\": ") != NULL;
}

const struct output_kind report_output = {"report of meshsim", true, is_report};

/* Makes the page. With options->model_only, writes only the model (JSON) of the page. */
static void make_page(const struct work *work, struct text *page)
{
	struct report *report = work->report;
	struct text host;

	if (report->options->model_only) {
		text_append(page, text_string(&work->model));
		return;
	}
	text_init(&host);
	write_host(report, work->file, &host);
	report_page(&(struct report_content){result_text(report->comparison.summary.result, "/",
						     "scenario_name"),
			    text_string(&work->model), text_string(&host), REPORT_PAGE_WHOLE},
		page);
	text_fini(&host);
}

static void close_work(struct work *work)
{
	text_fini(&work->model);
	text_fini(&work->report->why);
	summary_close(&work->report->comparison.summary);
	arena_fini(&work->report->comparison.arena);
}

/* Prints the page. Runs in a child process, so it need not close what it opened. */
static bool print_page(void *context, FILE *out, struct text *why)
{
	struct work *work = context;
	struct text page = {0};

	if (!build(work, why))
		return false;
	make_page(work, &page);
	return fwrite(text_string(&page), 1, page.length, out) == page.length;
}

/* Makes a page from the file alone, without new runs of the scenario. A child process reads the
 * file, because a damaged file could crash the reader. The child also makes the page, so the parent
 * need not read the file again. */
static int answer_page(struct work *work, struct text *page)
{
	char *bytes = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&bytes, &length);
	int code;

	ensure(out, "no stream: %s", strerror(errno));
	code = probe_answer(work->file, print_page, work, out);
	ensure(fclose(out) == 0, "memory: %s", strerror(errno));
	text_append(page, bytes);
	free(bytes);
	return code;
}

/* Makes a page whose verdicts need runs. First a child process reads the file without the runs. */
static int rerun_page(
	struct work *work, const struct compare_rerun_ops *rerun_ops, struct text *page)
{
	struct report *report = work->report;
	struct compare_options first = report->options->compare;
	struct text why = {0};
	int code;

	first.robust = first.refine = false;
	work->options = &first;
	report->is_trial = true;
	code = probe_file(work->file, build, work);
	if (code != EXIT_GOOD)
		return code;
	report->is_trial = false;
	work->options = &report->options->compare;
	work->rerun_ops = rerun_ops;
	ensure(build(work, &why), "%s: %s", work->file, text_string(&why));
	make_page(work, page);
	close_work(work);
	text_fini(&why);
	return EXIT_GOOD;
}

int analysis_report(const char *file, const struct report_options *options,
	const struct compare_rerun_ops *rerun_ops, const char *path)
{
	bool reruns = options->compare.robust || options->compare.refine;
	struct report report = {.options = options};
	struct work work = {.file = file, .report = &report, .options = &options->compare};
	struct text page = {0};
	int code;

	if (!output_check_or_say(path, &report_output))
		return EXIT_BAD_INPUT;
	code = reruns ? rerun_page(&work, rerun_ops, &page) : answer_page(&work, &page);
	if (code == EXIT_GOOD && !output_write_or_say(path, &report_output, &page))
		code = EXIT_BAD_INPUT;
	text_fini(&page);
	return code;
}
