/* Writes the HTML page around a report's model. The page loads nothing from the network: its style,
 * scripts and charting library were embedded in the program at build time. They come from the
 * folder page/ and from Debian's package of d3. */
#include <stdint.h>
#include <string.h>

#include "base/ensure.h"
#include "base/text.h"
#include "report_private.h"

/* asset(NAME, "file") embeds a file as report_NAME, which ends before report_NAME_end. */
#define asset(name, file)                                                                          \
	__asm__(".pushsection .rodata\n"                                                           \
		".balign 8\n"                                                                      \
		"report_" #name ":\n"                                                              \
		".incbin \"" file "\"\n"                                                           \
		"report_" #name "_end:\n"                                                          \
		".byte 0\n"                                                                        \
		".popsection\n");                                                                  \
	extern const char report_##name[], report_##name##_end[]

asset(html, REPORT_FOLDER "/page.html");
asset(css, REPORT_FOLDER "/page.css");
asset(library, REPORT_LIBRARY);
asset(scripts, REPORT_SCRIPTS);
asset(plot, REPORT_PLOT);
asset(history, REPORT_HISTORY);

static void append_slot(
	struct text *out, const char *slot, size_t length, const struct report_content *content)
{
	const char *model = content->model, *host = content->host, *title = content->title;
	const char *const scripts[][2] = {
		[REPORT_PAGE_WHOLE] = {report_scripts, report_scripts_end},
		[REPORT_PAGE_ERRORS] = {report_plot, report_plot_end},
		[REPORT_PAGE_HISTORY] = {report_history, report_history_end},
	};
	const struct {
		const char *name, *from, *to;
	} assets[] = {
		{"style", report_css, report_css_end},
		{"library", report_library, report_library_end},
		{"scripts", scripts[content->kind][0], scripts[content->kind][1]},
		{"model", model, model + strlen(model)},
		{"host", host, host + strlen(host)},
	};

	if (length == strlen("title") && strncmp(slot, "title", length) == 0) {
		text_append_xml(out, title);
		return;
	}
	for (size_t i = 0; i < sizeof(assets) / sizeof(assets[0]); i++)
		if (length == strlen(assets[i].name) &&
			strncmp(slot, assets[i].name, length) == 0) {
			text_append_bytes(
				out, assets[i].from, (size_t)(assets[i].to - assets[i].from));
			return;
		}
	ensure(false, "slot '%.*s' of page.html", (int)length, slot);
}

void report_page(const struct report_content *content, struct text *out)
{
	const char *at = report_html, *open, *close;

	while ((open = strstr(at, "{{")) && open < report_html_end) {
		text_append_bytes(out, at, (size_t)(open - at));
		close = strstr(open, "}}");
		ensure(close, "a slot of page.html does not end");
		append_slot(out, open + 2, (size_t)(close - open - 2), content);
		at = close + 2;
	}
	text_append_bytes(out, at, (size_t)(report_html_end - at));
}
