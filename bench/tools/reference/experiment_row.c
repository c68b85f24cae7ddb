/* Functions that all families share: they read the parameters of a row, and write the head of a
 * scenario. The row must have passed experiment_check(). */
#include <stdlib.h>
#include <string.h>

#include "bench/tools/reference/experiment.h"

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
