/* The steps of layout_init(), for the parser, which reports the place of a failure in the text. */
#ifndef LAYOUT_LAYOUT_PRIVATE_H
#define LAYOUT_LAYOUT_PRIVATE_H

#include "layout/layout.h"

/* Each requires that the ones before it succeeded. */
enum status layout_check_tensor(const struct layout *layout, struct text *why);
enum status layout_check_map(struct layout *layout, struct text *why);
enum status layout_check_grid(struct layout *layout, struct text *why);
enum status layout_check_memref(struct layout *layout, struct text *why);
enum status layout_check_fill(const struct layout *layout, struct text *why);

#endif
