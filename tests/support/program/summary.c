/* Summaries of scenarios that tests run (see summary.h). */
#include "test.h"

#include "summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <hdf5.h>

int summary_try(const char *scenario, const char *options)
{
	char path[sizeof shell_folder + 32];
	FILE *file;

	snprintf(path, sizeof path, "%s/scenario.yaml", shell_folder);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(scenario, file);
	fclose(file);
	return shell(
		"cd '%s' && \"$MESHSIM_BINARY\" run scenario.yaml %s -o result.h5 >out 2>&1 || "
		"{ code=$?; cat out; exit $code; }",
		shell_folder, options);
}

void summary_run(const char *scenario, const char *options)
{
	int code = summary_try(scenario, options);

	if (code != 0)
		fail_msg("'%s' with '%s' ended with %d", scenario, options, code);
}

struct summary_column summary_column(const char *name)
{
	struct summary_column column = {0};
	char path[sizeof shell_folder + 32], in_file[128];
	hid_t file, set, space, type;

	snprintf(in_file, sizeof in_file, "%s", name);
	for (char *c = in_file; *c; c++)
		*c = *c == '.' ? '_' : *c;

	snprintf(path, sizeof path, "%s/result.h5", shell_folder);
	file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
	set = H5Dopen2(file, "/summary", H5P_DEFAULT);
	space = H5Dget_space(set);
	type = H5Tcreate(H5T_COMPOUND, sizeof column.values[0]);
	column.runs = (uint32_t)H5Sget_simple_extent_npoints(space);
	assert_in_range(column.runs, 1, SUMMARY_RUNS_MAX);
	H5Tinsert(type, in_file, 0, H5T_NATIVE_DOUBLE);
	for (uint32_t i = 0; i < column.runs; i++)
		column.values[i] = -1e300; /* remains if the column is missing */
	if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, column.values) < 0 ||
		column.values[0] == -1e300)
		fail_msg("no column '%s'", name);
	H5Tclose(type);
	H5Sclose(space);
	H5Dclose(set);
	H5Fclose(file);
	return column;
}
