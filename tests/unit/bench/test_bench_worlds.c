/* Tests the comparison of `meshsim fuzz --world both`, which runs a scenario in the native world
 * and in the simulation. The results of both must be equal, except for times and polls. If they are
 * not, the comparison must name the first difference. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../bench/tools/fuzz/trial.h"
#include "bench/results/results.h"
#include "test_folder.h"

enum { IDENTITY = 41 };

/* Results of a run that depend on its work, and results that depend on the machine. */
struct left {
	const char *kind;
	uint64_t verified, commands, operations, bytes, copied, polls;
	int64_t last;
};

static const struct left usual = {"finish", 7, 90, 3, 4096, 512, 11, 8000};

static struct world_part part_of(const struct left *left, const char *name, char path[256])
{
	struct kind_row kind = {
		.operations = left->operations, .last = left->last, .bytes = left->bytes};
	struct work_row work[] = {{.work = "POLL", .units = left->polls},
		{.work = "read packed byte", .units = left->polls},
		{.work = "copy cached>pinned", .units = left->copied}};
	struct run_record record = {.identity = IDENTITY,
		.status = RUN_STATUS_OK,
		.message = "",
		.world = name,
		.simgrid_configuration = "",
		.scenario = "",
		.platform = "",
		.totals = {.verified = left->verified, .commands = left->commands}};

	snprintf(path, 256, "%s/%s", test_folder(), name);
	snprintf(kind.kind, sizeof kind.kind, "%s", left->kind);
	record_table(&record, results_kinds(), &kind, 1);
	record_table(&record, results_work(), work, sizeof work / sizeof work[0]);
	assert_int_equal(results_write_part(path, &record), STATUS_OK);
	return (struct world_part){path, IDENTITY};
}

/* Returns the message for a run with `native` natively, and the usual results simulated. */
static const char *said_of(const struct left *native)
{
	static char said[512];
	char paths[2][256];
	struct world_part here = part_of(&usual, "sim", paths[0]);
	struct world_part there = part_of(native, "native", paths[1]);
	FILE *out = fmemopen(said, sizeof said, "w");
	bool agree;

	assert_non_null(out);
	memset(said, 0, sizeof said);
	agree = worlds_agree(&here, &there, out);
	fclose(out);
	assert_int_equal(agree, said[0] == '\0');
	return said;
}

TEST(times_and_looks_may_differ)
{
	struct left native = usual;

	native.polls = 90000;
	native.last = 123456789;
	assert_string_equal(said_of(&native), "");
}

TEST(other_values_or_other_work_are_named)
{
	static const struct {
		size_t member;
		const char *said;
	} differ[] = {
		{offsetof(struct left, verified), "the total of verified: 7 simulated, 5 natively"},
		{offsetof(struct left, commands),
			"the total of commands: 90 simulated, 5 natively"},
		{offsetof(struct left, operations), "how many are finish: 3 simulated, 5 natively"},
		{offsetof(struct left, bytes), "the bytes of finish: 4096 simulated, 5 natively"},
		{offsetof(struct left, copied),
			"the work copy cached>pinned: 512 simulated, 5 natively"},
	};
	struct left native = usual;

	for (size_t i = 0; i < sizeof differ / sizeof differ[0]; i++) {
		const uint64_t other = 5;
		char expected[128];

		native = usual;
		memcpy((char *)&native + differ[i].member, &other, sizeof other);
		snprintf(expected, sizeof expected, "the worlds differ in %s\n", differ[i].said);
		assert_string_equal(said_of(&native), expected);
	}
	native = usual;
	native.kind = "barrier";
	assert_string_equal(said_of(&native),
		"the worlds differ in how many are finish: 3 simulated, 0 natively\n");
}

TEST(a_part_of_another_run_is_none)
{
	char path[256], said[512] = "";
	struct world_part part = part_of(&usual, "sim", path), other = {path, IDENTITY + 1};
	FILE *out = fmemopen(said, sizeof said, "w");

	assert_non_null(out);
	assert_false(worlds_agree(&part, &other, out));
	fclose(out);
	assert_non_null(strstr(said, "cannot be read"));
}

TEST_MAIN(NULL, NULL)
