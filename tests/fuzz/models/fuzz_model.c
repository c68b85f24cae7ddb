/* Fuzzes model files. Any input gives either errors, or a scenario that is read as YAML again. */
#include <stdlib.h>

#include "base/ensure.h"
#include "base/tree.h"
#include "bench/scenario/machine_constants.h"
#include "bench/tools/models/model.h"

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
	struct model *model = model_read_text("fuzzed.yaml", (const char *)data, size, diag);
	struct text scenario = {0};

	ensure(model || diag_errors(diag) > 0, "no model, and no error");
	if (model &&
		model_write_scenario(model, "fuzzed.yaml", "t3k", machine(), diag, &scenario)) {
		struct tree *tree =
			tree_read_text("scenario", text_string(&scenario), scenario.length, diag);

		ensure(tree && diag_errors(diag) == 0, "a scenario that is no YAML:\n%s",
			text_string(&scenario));
		tree_free(tree);
	}
	text_fini(&scenario);
	model_free(model);
	diag_free(diag);
	return 0;
}
