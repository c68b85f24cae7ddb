/* `meshsim explain` (analysis/explain.h). Reads one run or two, splits their times into stages, and
 * prints the stages or their differences. */
#include "analysis/read/summary.h"
#include "analysis/read/result.h"
#include "base/ensure.h"
#include "explain_private.h"

int analysis_explain(const char *file, const struct explain_options *options, FILE *out)
{
	struct explanation explanation = {.has_stages = false};
	struct explain_request request = {file, options, &explanation};
	int code = options->second ? pair_probe(options->second) : EXIT_GOOD;
	struct text why;

	if (code == EXIT_GOOD)
		code = probe_file(file, explanation_read, &request);
	if (code != EXIT_GOOD)
		return code;
	text_init(&why);
	ensure(explanation_read(&request, &why), "%s: %s", file, text_string(&why));
	text_fini(&why);
	summary_say_end(explanation.summaries[0], explanation.rows[0]);
	if (!explanation.single)
		summary_say_end(explanation.summaries[1], explanation.rows[1]);
	explanation_split(&explanation);
	explain_conclude(&explanation);
	if (options->json)
		explain_json(&explanation, out);
	else
		explain_text(&explanation, options->all, options->color, out);
	explanation_close(&explanation);
	return EXIT_GOOD;
}
