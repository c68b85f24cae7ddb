/* `meshsim history`: builds the JSON model of its page and writes the page. */
#include "analysis/report.h"

#include <string.h>

#include "analysis/read/result.h"
#include "report_private.h"

static void write_files(const struct history *history, struct json *json)
{
	json_array_of(json, "files");
	for (uint32_t i = 0; i < history->file_count; i++) {
		const struct history_file *file = &history->files[i];
		json_object(json);
		json_text(json, "name", file->name);
		json_text(json, "created", file->created);
		json_text(json, "commit", file->commit);
		json_object_end(json);
	}
	json_array_end(json);
}

static void write_moved(struct json *json, const char *key, const char *name, double moved)
{
	json_key(json, key);
	if (!name) {
		json_null(json);
		return;
	}
	json_object(json);
	json_text(json, "name", name);
	json_real_of(json, "moved", moved);
	json_object_end(json);
}

static void write_steps(const struct history *history, struct json *json)
{
	json_array_of(json, "steps");
	for (uint32_t i = 0; i < history->step_count; i++) {
		const struct history_step *step = &history->steps[i];
		json_object(json);
		json_integer_of(json, "from", step->from);
		json_integer_of(json, "to", step->to);
		json_text(json, "run", step->run);
		json_text(json, "kind", step->kind);
		json_text(json, "metric", step->metric);
		json_text(json, "figure", step->statistic);
		json_real_of(json, "old", step->old);
		json_real_of(json, "new", step->new);
		json_real_of(json, "low", step->margin.low);
		json_real_of(json, "high", step->margin.high);
		write_moved(json, "stage", step->stage, step->stage_moved);
		write_moved(json, "constant", step->constant, step->constant_moved);
		json_object_end(json);
	}
	json_array_end(json);
}

static bool write_scenarios(struct history *history, struct json *json, struct text *why)
{
	bool good = true;

	json_array_of(json, "scenarios");
	for (uint32_t first = 0, count; good && first < history->file_count; first += count) {
		count = 1;
		while (first + count < history->file_count &&
			strcmp(history->files[first + count].scenario,
				history->files[first].scenario) == 0)
			count++;
		good = history_scenario(history, first, count, json, why);
	}
	json_array_end(json);
	return good;
}

static bool history_write_model(struct history *history, struct text *model, struct text *why)
{
	struct json json;
	bool good;

	json_start(&json, model);
	json.flat_from = 3;
	json_object(&json);
	json_integer_of(&json, "format", 1);
	report_page_without_runs(&json);
	json_object_of(&json, "history");
	json_integer_of(&json, "left_out", history->left_out);
	json_integer_of(&json, "unread", history->unread);
	write_files(history, &json);
	good = write_scenarios(history, &json, why);
	write_steps(history, &json);
	json_bool_of(&json, "more_steps", history->more_steps);
	json_object_end(&json);
	json_object_end(&json);
	json_end(&json);
	return good;
}

int analysis_history(const struct history_options *options)
{
	struct history history = {.file_count = 0};
	struct text model, page, why;
	int code = EXIT_BAD_INPUT;

	if (!output_check_or_say(options->output, &report_output))
		return code;
	text_init(&model);
	text_init(&page);
	text_init(&why);
	arena_init(&history.arena);
	history.steps = arena_array(&history.arena, HISTORY_STEPS_MAX, sizeof(*history.steps));
	if (!history_find(&history, options, &why) ||
		!history_write_model(&history, &model, &why)) {
		fprintf(stderr, "meshsim: %s: %s\n", options->folder, text_string(&why));
		goto out;
	}
	code = EXIT_GOOD;
	if (options->model_only)
		text_append(&page, text_string(&model));
	else
		report_page(&(struct report_content){"History", text_string(&model), "{}",
				    REPORT_PAGE_HISTORY},
			&page);
	if (!output_write_or_say(options->output, &report_output, &page))
		code = EXIT_BAD_INPUT;
out:
	arena_fini(&history.arena);
	text_fini(&why);
	text_fini(&page);
	text_fini(&model);
	return code;
}
