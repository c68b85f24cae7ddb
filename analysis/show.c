/* `meshsim show`: opens, prints, or says why not. See analysis/show.h. */
#include "analysis/show.h"

#include "show_private.h"

enum { EXIT_GOOD = 0, EXIT_BAD_INPUT = 2 };

int analysis_show(const char *file, bool json, FILE *out)
{
	struct view view;
	struct text why;
	bool good;

	text_init(&why);
	good = view_open(&view, file, &why);
	if (good) {
		good = json ? show_json(&view, out, &why) : show_text(&view, out, &why);
		view_close(&view);
	}
	if (!good) {
		fflush(out);
		fprintf(stderr, "meshsim: %s: %s\n", file, text_string(&why));
	}
	text_fini(&why);
	return good ? EXIT_GOOD : EXIT_BAD_INPUT;
}
