/* Runs a callback on a scenario's device. */

#include <stdio.h>
#include <stdlib.h>

#include "bench/run/runner.h"
#include "run_world.h"

/* Time limit in the native world, which cannot detect stalls. Every measurement is shorter. */
enum { WALL_S = 300 };

static void inside_give_up(void *unused, const char *why)
{
	(void)why;
	(void)unused;
	fprintf(stderr, "meshsim: given up after %d s\n", WALL_S);
	_Exit(EXIT_STALLED);
}

static void say_nothing(void *unused)
{
	(void)unused;
}

enum status run_inside(const struct run_plan *plan,
	void (*use)(void *context, struct device_handle *device), void *context, struct text *why)
{
	const struct run_world *row = plan->native ? &run_native : &run_sim;
	struct machine_constants constants;
	struct diag *diag = diag_new();
	struct client client = {.plan = plan,
		.diag = diag,
		.costs = &constants.firmware_costs,
		.limits = &constants.firmware_limits,
		.recorder = op_recorder_new(1, plan->native),
		.finished = say_nothing,
		.instead = use,
		.instead_context = context};
	enum run_end end = RUN_STALLED;
	enum status status;

	machine_constants_bind(plan->platform, scenario_host_model(plan->scenario), &constants);
	if (row->limit)
		row->limit(WALL_S, inside_give_up, NULL);
	status = row->run(plan, &constants, &client, &end, why);
	if (status == STATUS_OK && (end != RUN_FINISHED || client.outcome != CLIENT_DONE)) {
		text_append(why, text_string(&client.why));
		status = STATUS_CLOSED;
	}
	op_recorder_free(client.recorder);
	diag_free(diag);
	return status;
}
