/* Fuzzes Chakra traces of several ranks. An input has the files of the ranks one after the other,
 * each behind its length in two bytes. Any trace gives either errors, or a scenario that is read as
 * YAML again, and the same one a second time. */
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/tree.h"
#include "bench/scenario/machine_constants.h"
#include "bench/tools/import/chakra.h"

enum { RANKS_MOST = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct platform *machine(void)
{
	static struct platform *platform;

	if (!platform) {
		struct diag *diag = diag_new();

		platform = machine_platform(MESHSIM_SOURCE_DIR "/platforms/t3k.yaml", diag);
		ensure(platform, "no platform");
		diag_free(diag);
	}
	return platform;
}

/* Reads the ranks of the input. Returns false if a rank has errors, or if there are no ranks. */
static bool read_ranks(const uint8_t *data, size_t size, struct arena *arena, struct diag *diag,
	struct chakra_trace *trace)
{
	while (size >= 2 && trace->count < RANKS_MOST) {
		size_t length = data[0] | (size_t)data[1] << 8;

		length = length < size - 2 ? length : size - 2;
		if (!chakra_read_rank(
			    "rank", data + 2, length, arena, diag, &trace->ranks[trace->count++]))
			return false;
		data += 2 + length;
		size -= 2 + length;
	}
	return trace->count > 0;
}

static void import(const struct chakra_trace *trace, const char *rank, struct arena *arena,
	struct text *scenario)
{
	const struct import_request request = {
		.path = "fuzzed", .runtime_args = 12, .fuse_ns = IMPORT_FUSE_NS, .rank = rank};
	struct diag *diag = diag_new();
	struct text notes = {0};
	bool good = chakra_import_trace(
		trace, &request, machine(), "t3k", arena, diag, scenario, &notes);

	ensure(good == (diag_errors(diag) == 0), "%zu errors and %s", diag_errors(diag),
		good ? "a scenario" : "no scenario");
	if (good) {
		struct tree *tree =
			tree_read_text("scenario", text_string(scenario), scenario->length, diag);

		ensure(tree && diag_errors(diag) == 0, "a scenario that is no YAML:\n%s",
			text_string(scenario));
		tree_free(tree);
	}
	text_fini(&notes);
	diag_free(diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct chakra_rank ranks[RANKS_MOST] = {{.count = 0}};
	struct chakra_trace trace = {.name = "fuzzed", .ranks = ranks};
	const char *rank = size % 3 == 0 ? "mesh" : size % 3 == 1 ? "1x2" : "chip";
	struct text scenario = {0}, again = {0};
	struct diag *diag = diag_new();
	struct arena arena;

	arena_init(&arena);
	if (read_ranks(data, size, &arena, diag, &trace)) {
		import(&trace, rank, &arena, &scenario);
		import(&trace, rank, &arena, &again);
		ensure(scenario.length == again.length &&
				strcmp(text_string(&scenario), text_string(&again)) == 0,
			"two scenarios of one trace");
	}
	arena_fini(&arena);
	text_fini(&scenario);
	text_fini(&again);
	diag_free(diag);
	return 0;
}
