/* Rectangles and words of drawings in SVG. */
#ifndef BENCH_TOOLS_LAYOUT_SVG_H
#define BENCH_TOOLS_LAYOUT_SVG_H

#include "base/text.h"

/* Begins a drawing of so many pixels; ends it. */
void svg_start(struct text *out, double width, double height);
void svg_end(struct text *out);

/* A rectangle of a class: data, gap, grid, tile, or frame, which is not filled. */
void svg_rect(struct text *out, const char *kind, double x, double y, double width, double height);

/* Words at their left end; `text` is escaped. */
void svg_words(struct text *out, double x, double y, const char *text);

#endif
