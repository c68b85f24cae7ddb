/* Checks scenarios in which one host broadcasts to the devices of all hosts
 * (runtime.distributed.broadcast: machine). The runtime rejects the same scenarios when the mesh is
 * opened. */
#include "bench/scenario/hosts.h"
#include "mesh/choice.h"
#include "step_check.h"

static bool asks_to_span(const struct scenario *scenario)
{
	const struct runtime_keys *keys = &scenario->runtime;

	return reach_row(keys->distributed.broadcast)->spans &&
	       forward_row(keys->forward.path)->broadcasts;
}

bool machine_spans(const struct platform *platform, const struct scenario *scenario)
{
	return machine_links(platform) > 0 && asks_to_span(scenario);
}

static void refuse_span(
	const struct run_plan *run, struct diag *diag, const char *key, const char *why)
{
	diag_error(diag, tree_where(tree_root(run->tree), key), "%s", why);
}

void span_check(const struct run_plan *run, struct diag *diag)
{
	const struct runtime_keys *keys = &run->scenario->runtime;

	if (!asks_to_span(run->scenario))
		return;
	if (machine_links(run->platform) == 0)
		refuse_span(run, diag, "runtime.distributed.broadcast",
			"broadcast: machine takes hosts whose chips links join (hosts.links of the "
			"platform)");
	if (keys->mesh_count > 1)
		refuse_span(run, diag, "runtime.distributed.broadcast",
			"with broadcast: machine, executors number the chips of the whole machine, "
			"so there is one mesh, not runtime.meshes");
	if (completion_row(keys->completion)->notice == NOTICE_GATHER)
		refuse_span(run, diag, "runtime.completion",
			"an aggregator notifies one host, and with distributed.broadcast: machine "
			"the devices of a broadcast have several");
	if (feed_row(keys->forward.feed)->shared &&
		(keys->forward.initiators.per != NULL || keys->forward.initiators.count > 1))
		refuse_span(run, diag, "runtime.forward.feed",
			"feed: shared is one issue queue, in the memory of one host, and with "
			"distributed.broadcast: machine initiators have several");
	if (keys->bring_up == BRING_UP_TIMED)
		refuse_span(run, diag, "runtime.bring_up",
			"bring_up: timed takes broadcasts that stay on their host "
			"(distributed.broadcast: per-host)");
	if (receive_row(keys->distributed.receive)->pinned)
		refuse_span(run, diag, "runtime.distributed.receive",
			"with receive: pinned, executors record events where memory is short, and "
			"with distributed.broadcast: machine all must record the same ones");
}
