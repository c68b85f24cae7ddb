/* Runs the experiments for decisions (see decisions.h). */
#include "bench/tools/decisions/decisions.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "decision.h"

bool decisions_run(struct decisions *decisions, const struct validate_options *options)
{
	decision_map(decisions);
	decisions->predictions =
		allocate(decisions->runs.count + 1u, sizeof *decisions->predictions);
	for (uint32_t i = 0; i < decisions->runs.count; i++)
		decisions->predictions[i].experiment =
			decision_experiment(decisions->runs.rows[i].family);
	if (!validate_run(&decisions->runs, options, decisions->predictions))
		return false;
	decision_judge(decisions);
	return true;
}

void decisions_free(struct decisions *decisions)
{
	if (decisions)
		predictions_free(decisions->predictions, decisions->runs.count);
}
