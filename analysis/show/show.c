/* `meshsim show` (analysis/show.h). Prints either everything or nothing: a child process reads the
 * file and prints, and its answer is copied if it ended well (result.h). */
#include "analysis/show.h"

#include "analysis/print/wrap.h"
#include "analysis/read/result.h"
#include "show_private.h"

struct request {
	const char *file;
	enum show_form form;
	uint32_t columns; /* width of the terminal, see struct show_page */
	bool wide;
};

static bool show_summary(
	struct summary *summary, const struct request *request, FILE *out, struct text *why)
{
	const struct show_page page = {out, request->columns, request->wide};

	switch (request->form) {
	case SHOW_TEXT:
		return show_text(summary, &page, why);
	case SHOW_BRIEF:
		return show_brief(summary, &page, why);
	case SHOW_JSON:
		return show_json(summary, out, why);
	case SHOW_LOG:
		return show_log(summary, true, &page, why);
	}
	return false;
}

static bool print(void *context, FILE *out, struct text *why)
{
	const struct request *request = context;
	struct summary summary;
	bool good;

	if (!summary_open(&summary, request->file, why))
		return false;
	good = show_summary(&summary, request, out, why) && summary_whole(&summary, why);
	summary_close(&summary);
	return good;
}

int analysis_show(const char *file, enum show_form form, bool wide, FILE *out)
{
	struct request request = {
		.file = file, .form = form, .columns = table_columns(wide, out), .wide = wide};

	/* a brief table has a limited width even if the output is no terminal */
	if (form == SHOW_BRIEF && !wide && !is_terminal(out))
		request.columns = answer_columns(out);
	return probe_answer(file, print, &request, out);
}
