/* The machines on which rows were measured, and functions for all families, which read the
 * parameters of a row and write the head of a scenario. The row must have passed
 * experiment_check(). */
#include <stdlib.h>
#include <string.h>

#include "bench/tools/reference/experiment.h"

static const struct experiment_system systems[] = {
	{"n300", 1000, {8, 7}, 1, 2, 0, 0},
	{"t3k", 1000, {8, 7}, 2, 4, 0, 0},
	{"galaxy", 1000, {8, 9}, 4, 8, 0, 0},
	{"p150", 1350, {11, 9}, 1, 1, 0, 0},
	{"p150-x4", 1350, {11, 9}, 2, 2, 0, 0},
	{"p150-x8", 1350, {11, 9}, 2, 4, 0, 0},
	/* in the whole ring, 7 flows use the busiest link, as in a ring of 8 devices */
	{"blackhole-galaxy", 1350, {11, 9}, 8, 4, 8, 1},
};

const struct experiment_system *experiment_system(const char *name)
{
	for (size_t i = 0; i < sizeof systems / sizeof *systems; i++)
		if (strcmp(systems[i].name, name) == 0)
			return &systems[i];
	return &systems[0];
}

uint64_t experiment_number(const struct reference_row *row, const char *key, uint64_t fallback)
{
	const struct reference_param *param = reference_param(row, key);

	return param ? strtoull(param->value, NULL, 10) : fallback;
}

bool experiment_is(
	const struct reference_row *row, const char *key, const char *value, const char *fallback)
{
	return strcmp(reference_text(row, key, fallback), value) == 0;
}

void experiment_head(struct text *yaml, const char *family, const char *platform)
{
	text_printf(yaml, "meshsim: 1\nname: %s\nplatform: %s\nmodel: {noise: off}\n", family,
		platform);
}

const char *experiment_processors(const struct reference_row *row)
{
	const char *name = reference_text(row, "processors", "all");

	if (strcmp(name, "trisc") == 0)
		return "[trisc0, trisc1, trisc2]";
	if (strcmp(name, "brisc+trisc") == 0)
		return "[brisc, trisc0, trisc1, trisc2]";
	return name;
}

void experiment_add_key(
	const struct reference_row *row, const char *key, uint64_t usual, struct text *yaml)
{
	uint64_t value = experiment_number(row, key, usual);

	if (value != usual)
		text_printf(yaml, ", %s: %llu", key, (unsigned long long)value);
}

void experiment_add_cores(const struct reference_row *row, struct text *yaml)
{
	const unsigned *all = experiment_system(row->system)->all_cores;
	const char *cores = reference_text(row, "cores", "all");

	if (strcmp(cores, "all") == 0)
		text_printf(yaml, "[%u, %u]", all[0], all[1]);
	else if (experiment_number(row, "subdevice_core_ranges", 0) > 0)
		text_printf(yaml, "[1, %s], sub_device: ranges", cores);
	else
		text_append(yaml, cores);
}
