/* The variant `none` of struct ordering_ops: dispatchers execute broadcasts and unicasts in order
 * of arrival. This order can be wrong, so runs with this variant show why the other orderings are
 * needed (spec 3.8.4). */
#include "mesh/choice/rows.h"

const struct ordering_ops ordering_none = {
	.entry = {.name = "none",
		.description = "dispatchers take broadcasts and unicasts as they arrive",
		.section = "3.8.4",
		.resources = "nothing",
		.hazard = "broadcasts and unicasts overtake each other"},
};
