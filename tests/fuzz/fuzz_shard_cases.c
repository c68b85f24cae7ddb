/* Fuzzes the reader of files with sharding cases. Any input gives either errors with their places,
 * or cases whose outcomes can be printed. A case is computed only if it is within the limits. */
#include <stdint.h>
#include <stdio.h>

#include "base/ensure.h"
#include "bench/tools/layout/layout_view.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static FILE *nowhere(void)
{
	static FILE *file;

	if (!file)
		file = fopen("/dev/null", "w");
	ensure(file, "no /dev/null");
	return file;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag *diag = diag_new();
	struct shard_cases *cases = shard_cases_run_text(
		"fuzz", (const char *)data, size, &(struct mapper_mesh){2, 4}, diag);

	ensure(!cases == (diag_errors(diag) > 0), "%zu errors and %s", diag_errors(diag),
		cases ? "cases" : "no cases");
	if (cases) {
		shard_cases_print(cases, nowhere());
		shard_cases_json(cases, nowhere());
	}
	shard_cases_free(cases);
	diag_free(diag);
	return 0;
}
