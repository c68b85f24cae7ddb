/* `meshsim show`: opens, prints, or says why not. See analysis/show.h. Refuses to print half of
 * what it could read: everything is printed into memory first, in a guarded child (probe.h), then
 * here. */
#include "analysis/show.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/read/probe.h"
#include "base/ensure.h"
#include "show_private.h"

struct request {
	const char *file;
	enum show_form form;
	char *bytes; /* what was printed; the caller frees it */
	size_t length;
};

static bool show_view(struct view *view, enum show_form form, FILE *out, struct text *why)
{
	switch (form) {
	case SHOW_TEXT:
		return show_text(view, out, why);
	case SHOW_BRIEF:
		return show_brief(view, out, why);
	case SHOW_JSON:
		return show_json(view, out, why);
	}
	return false;
}

static bool print(void *context, struct text *why)
{
	struct request *request = context;
	struct view view;

	if (!view_open(&view, request->file, why))
		return false;
	FILE *out = open_memstream(&request->bytes, &request->length);
	ensure(out, "no stream: %s", strerror(errno));
	bool good = show_view(&view, request->form, out, why);
	ensure(fclose(out) == 0, "memory: %s", strerror(errno));
	view_close(&view);
	return good;
}

int analysis_show(const char *file, enum show_form form, FILE *out)
{
	struct request request = {.file = file, .form = form};
	struct text why;
	int code = guard_read(file, print, &request);

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
