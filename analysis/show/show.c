/* `meshsim show` (analysis/show.h). Prints either everything or nothing. For this, a child process
 * reads the file first (probe.h), and the output is collected in memory and written at the end. */
#include "analysis/show.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/print/wrap.h"
#include "analysis/read/probe.h"
#include "base/ensure.h"
#include "show_private.h"

struct request {
	const char *file;
	enum show_form form;
	uint32_t columns; /* width of the terminal, see struct show_page */
	char *bytes;	  /* what was printed; the caller frees it */
	size_t length;
};

static bool show_summary(
	struct summary *summary, const struct request *request, FILE *out, struct text *why)
{
	const struct show_page page = {out, request->columns};

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

static bool print(void *context, struct text *why)
{
	struct request *request = context;
	struct summary summary;

	if (!summary_open(&summary, request->file, why))
		return false;
	FILE *out = open_memstream(&request->bytes, &request->length);
	ensure(out, "no stream: %s", strerror(errno));
	bool good = show_summary(&summary, request, out, why) && summary_whole(&summary, why);
	ensure(fclose(out) == 0, "memory: %s", strerror(errno));
	summary_close(&summary);
	return good;
}

int analysis_show(const char *file, enum show_form form, bool wide, FILE *out)
{
	struct request request = {.file = file, .form = form, .columns = table_columns(wide, out)};
	struct text why;
	int code;

	/* a brief table has a limited width even if the output is no terminal */
	if (form == SHOW_BRIEF && !wide && !is_terminal(out))
		request.columns = answer_columns(out);
	code = probe_file(file, print, &request);

	if (code != EXIT_GOOD)
		return code;
	text_init(&why);
	ensure(print(&request, &why), "%s: %s, but not when it was read before", file,
		text_string(&why));
	fwrite(request.bytes, 1, request.length, out);
	free(request.bytes);
	text_fini(&why);
	return EXIT_GOOD;
}
