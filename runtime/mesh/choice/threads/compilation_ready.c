/* No compilation: kernels were compiled before the program started. */
#include "mesh/choice/rows.h"

const struct compilation_ops compilation_ready = {
	.entry = {.name = "ready",
		.description = "no thread: kernels were compiled before the program began",
		.section = "5.1.1",
		.resources = "nothing"}};
