/* Writes the page of `meshsim validate --plot` (analysis/report.h). It is a report with only one
 * section, about the simulator's errors, and with a model that has no runs. */
#include "analysis/report.h"

#include "base/json.h"
#include "report_private.h"

bool analysis_errors_page_check(const char *path)
{
	return output_check_or_say(path, &report_output);
}

static void empty(struct json *json, const char *key)
{
	json_array_of(json, key);
	json_array_end(json);
}

void report_page_without_runs(struct json *json)
{
	empty(json, "keys");
	empty(json, "short_keys");
	json_object_of(json, "runs");
	empty(json, "run");
	empty(json, "status");
	empty(json, "seed");
	empty(json, "keys");
	json_object_end(json);
	json_key(json, "compare");
	json_null(json);
	empty(json, "distributions");
}

static void errors_page_write_model(const char *table, const char *commit, struct text *out)
{
	struct json json;

	json_start(&json, out);
	json.flat_from = 2;
	json_object(&json);
	json_integer_of(&json, "format", 1);
	json_object_of(&json, "file");
	json_text(&json, "git_commit", commit);
	json_object_end(&json);
	report_page_without_runs(&json);
	json_key(&json, "errors");
	json_raw(&json, table);
	json_object_end(&json);
	json_end(&json);
}

bool analysis_errors_page(const char *table, const char *commit, const char *path)
{
	struct text model, page;
	bool good;

	text_init(&model);
	text_init(&page);
	errors_page_write_model(table, commit, &model);
	report_page(&(struct report_content){"Simulated against measured", text_string(&model),
			    "{}", REPORT_PAGE_ERRORS},
		&page);
	good = output_write_or_say(path, &report_output, &page);
	text_fini(&model);
	text_fini(&page);
	return good;
}
