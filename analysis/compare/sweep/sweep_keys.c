/* Names and values of swept keys, see sweep_points.h. */
#include "analysis/compare/sweep_points.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

const char *swept_key(const struct summary *summary, uint32_t index)
{
	return summary->dataset.columns[summary->swept_first + index].name;
}

bool key_is_condition(const char *name)
{
	static const char *const conditions[] = {"workload", "platform", "model", "runtime.mesh",
		"runtime.meshes", "measure", "limits"};

	for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++) {
		size_t length = strlen(conditions[i]);
		if (strncmp(name, conditions[i], length) == 0 &&
			(name[length] == '\0' || name[length] == '.'))
			return true;
	}
	return false;
}

bool key_number(const char *text, double *number)
{
	double product = 1;
	bool list = text[0] == '[';
	const char *end;

	if (list)
		text += 1 + strspn(text + 1, " ");
	do {
		end = number_read_real_until(text, list ? ", ]" : "", number);
		if (!end)
			return false;
		product *= *number;
		text = end + strspn(end, list ? ", " : "");
	} while (list && *text != ']' && *text);
	*number = product;
	return list ? strcmp(text, "]") == 0 : *text == '\0';
}
