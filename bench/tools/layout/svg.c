/* Writes SVG, and recognizes the files that it has written. */
#include "parts.h"

#include <string.h>

#include "base/text.h"
#include "bench/tools/layout/layout_view.h"

static const char head[] = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"meshsim\"";

static bool is_drawing(const char *bytes, size_t length)
{
	return length >= sizeof head - 1 && memcmp(bytes, head, sizeof head - 1) == 0;
}

const struct output_kind drawing_kind = {"drawing", true, is_drawing};

void svg_start(struct text *out, double width, double height)
{
	text_printf(out,
		"%s viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\">\n"
		"<style>rect{stroke:none}.data{fill:#3b7dd8}.gap{fill:#e0b040}.grid{fill:#c9ced6}"
		".tile{fill:#e9ecf0}.frame{fill:none;stroke:#333;stroke-width:1}"
		"text{font:12px sans-serif;fill:#222}</style>\n",
		head, width, height, width, height);
}

void svg_end(struct text *out)
{
	text_append(out, "</svg>\n");
}

void svg_rect(struct text *out, const char *kind, double x, double y, double width, double height)
{
	text_printf(out,
		"<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>\n", kind,
		x, y, width, height);
}

void svg_words(struct text *out, double x, double y, const char *text)
{
	text_printf(out, "<text x=\"%.1f\" y=\"%.1f\">", x, y);
	text_append_xml(out, text);
	text_append(out, "</text>\n");
}
