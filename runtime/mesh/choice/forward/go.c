/* Chooses the workers that receive go signals (spec 3.8.5). A launch advances the launch rings of
 * only those workers that receive a go signal. mesh/program sends the signals. */
#include "mesh/choice/rows.h"

const struct go_ops go_running = {
	.entry = {.name = "running",
		.description = "only to the cores that run the program; the host tracks the launch "
			       "ring chip by chip",
		.section = "3.8.5",
		.resources = "a go per rectangle of cores, on the chips that run the program"},
};

const struct go_ops go_all = {
	.entry = {.name = "all",
		.description = "to every core of every chip, in lock-step; an empty launch for "
			       "those that run nothing",
		.section = "3.8.5",
		.resources = "a go and an answer of every Tensix core per launch on each chip; of "
			     "every Ethernet core per launch that runs on any"},
	.everywhere = true,
};
