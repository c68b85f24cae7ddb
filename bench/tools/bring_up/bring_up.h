/* `meshsim bring-up`: runs the flows of bring_up/flow.h on the machine of a scenario, with a fault
 * planted in the machine or in the user's files, in either world. */
#ifndef BENCH_TOOLS_BRING_UP_H
#define BENCH_TOOLS_BRING_UP_H

#include "bench/bring_up/bring_up.h"
#include "bench/scenario/load.h"

/* One run. */
struct bring_up_trial {
	enum flow_kind flow;
	enum bring_up_fault fault;
	bool without[FLOW_MESSAGE_COUNT];
	const char *impossible; /* why the fault cannot happen; the run is left out */
	bool ended;		/* the run has a result; false: its process was lost */
	struct flow_result result;
};

struct bring_up_world {
	const struct run_plan *plan;
	struct bring_up_source source;
	bool native, warm;
	const char *transport;
	uint32_t jobs;
};

/* worlds.c: runs each trial in a process of its own. Returns false if a process could not be
 * started. */
bool bring_up_run(
	const struct bring_up_world *world, struct bring_up_trial *trials, uint32_t count);

/* print.c, print_json.c */
void bring_up_print_flows(const struct bring_up_trial *trials, uint32_t count, FILE *out);
void bring_up_print_steps(const struct bring_up_trial *trial, FILE *out);
void bring_up_print_json(const struct bring_up_world *settings, const struct bring_up_trial *trials,
	uint32_t count, FILE *out);
void bring_up_print_faults(const struct bring_up_trial *trials, uint32_t count, FILE *out);

#endif
