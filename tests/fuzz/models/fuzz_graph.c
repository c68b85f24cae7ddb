/* label: full
 * Fuzzes graph files. Any input must give either errors, or a model binary that can be read. */
#include <stdlib.h>

#include "base/ensure.h"
#include "bench/scenario/machine_constants.h"
#include "bench/tools/models/graph.h"

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag *diag = diag_new();
	struct graph *graph = graph_read_text("fuzzed.yaml", (const char *)data, size, diag);
	struct text bytes = {0}, why = {0};

	ensure(graph || diag_errors(diag) > 0, "no graph, and no error");
	if (graph && graph_build(graph, "fuzzed.yaml", "t3k", machine(), diag, &bytes)) {
		const struct model_binary *binary;
		struct arena arena = {0};

		ensure(model_binary_read(bytes.bytes, bytes.length, &arena, &why, &binary) ==
				STATUS_OK,
			"a binary that is refused: %s", text_string(&why));
		arena_fini(&arena);
	}
	text_fini(&why);
	text_fini(&bytes);
	graph_free(graph);
	diag_free(diag);
	return 0;
}
