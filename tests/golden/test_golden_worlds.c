/* label: full  timeout: 300
 * Tests that the native and the simulated world do the same work. The scenario quickstart, and a
 * broadcast with a thread per chip, run in both worlds. The counts of work must be equal, and the
 * data that are read back must be correct. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <hdf5.h>

#include "shell.h"

enum { ROWS_MAX = 64 };

struct row {
	char work[48];
	uint64_t units;
};

static void run(const char *scenario, const char *world)
{
	int code = shell("\"$MESHSIM_BINARY\" run '%s' --world %s -o '%s/%s.h5' >/dev/null",
		scenario, world, shell_folder, world);

	if (code != 0)
		fail_msg("a run of %s in the world %s ended with %d", scenario, world, code);
}

static uint32_t read_work(const char *world, struct row *rows, uint64_t *verified)
{
	char path[sizeof shell_folder + 32];
	hid_t file, run_group, set, type, text, space, attribute;
	hssize_t count;

	snprintf(path, sizeof path, "%s/%s.h5", shell_folder, world);
	file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
	run_group = H5Gopen2(file, "/runs/000000", H5P_DEFAULT);
	attribute = H5Aopen(run_group, "verified", H5P_DEFAULT);
	H5Aread(attribute, H5T_NATIVE_UINT64, verified);
	set = H5Dopen2(run_group, "work", H5P_DEFAULT);
	space = H5Dget_space(set);
	count = H5Sget_simple_extent_npoints(space);
	assert_in_range(count, 1, ROWS_MAX);
	text = H5Tcopy(H5T_C_S1);
	H5Tset_size(text, sizeof rows->work);
	H5Tset_cset(text, H5T_CSET_UTF8);
	type = H5Tcreate(H5T_COMPOUND, sizeof *rows);
	H5Tinsert(type, "work", offsetof(struct row, work), text);
	H5Tinsert(type, "units", offsetof(struct row, units), H5T_NATIVE_UINT64);
	assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows) >= 0);
	H5Tclose(type);
	H5Tclose(text);
	H5Sclose(space);
	H5Dclose(set);
	H5Aclose(attribute);
	H5Gclose(run_group);
	H5Fclose(file);
	return (uint32_t)count;
}

static void compare_worlds(const char *scenario)
{
	struct row sim[ROWS_MAX], native[ROWS_MAX];
	uint64_t sim_verified = 0, native_verified = 0;
	uint32_t count, bad = 0;

	run(scenario, "sim");
	run(scenario, "native");
	count = read_work("sim", sim, &sim_verified);
	assert_int_equal(read_work("native", native, &native_verified), count);
	assert_true(sim_verified > 16);
	assert_int_equal(native_verified, sim_verified);
	for (uint32_t i = 0; i < count; i++) {
		assert_string_equal(sim[i].work, native[i].work);
		/* The number of polls depends on the schedule. */
		if (strcmp(sim[i].work, "POLL") == 0 || sim[i].units == native[i].units)
			continue;
		print_error("%s: %llu simulated, %llu natively\n", sim[i].work,
			(unsigned long long)sim[i].units, (unsigned long long)native[i].units);
		bad++;
	}
	assert_int_equal(bad, 0);
}

TEST(quickstart_is_the_same_work_in_both_worlds)
{
	compare_worlds(MESHSIM_SOURCE_DIR "/scenarios/quickstart.yaml");
}

TEST(a_broadcast_to_64_chips_is_the_same_work_in_both_worlds)
{
	char path[sizeof shell_folder + 32];
	FILE *file;

	snprintf(path, sizeof path, "%s/broadcast.yaml", shell_folder);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs("meshsim: 1\n"
	      "name: broadcast\n"
	      "platform: tgg\n"
	      "runtime: {forward: {path: broadcast, initiators: 4}}\n"
	      "workload:\n"
	      "  - write_buffer: {buffer: a, bytes: 1048576, spread: sharded}\n"
	      "  - write_buffer: {buffer: b, bytes: 65536}\n"
	      "  - repeat: 8\n"
	      "    do:\n"
	      "      - enqueue_workload: {cores: all, kernel_bytes: 8192, runtime_args: 32}\n"
	      "  - finish\n"
	      "  - read_buffer: {buffer: a}\n"
	      "  - read_buffer: {buffer: b}\n"
	      "measure: {verify_cores: 500}\n",
		file);
	fclose(file);
	compare_worlds(path);
}

TEST_MAIN(shell_folder_make, shell_folder_remove)
