/* Prints the outcome of bring-up: flows, their steps, and the faults that they notice. */
#include <inttypes.h>

#include "bring_up.h"

static uint64_t sum(const uint64_t *numbers)
{
	uint64_t all = 0;

	for (unsigned i = 0; i < FLOW_MESSAGE_COUNT; i++)
		all += numbers[i];
	return all;
}

void bring_up_print_flows(const struct bring_up_trial *trials, uint32_t count, FILE *out)
{
	fprintf(out, "%-13s %15s %9s %12s  %s\n", "flow", "first dispatch", "messages", "bytes",
		"bindings");
	for (uint32_t i = 0; i < count; i++) {
		const struct flow_result *result = &trials[i].result;

		if (!trials[i].ended)
			fprintf(out, "%-13s %15s\n", flow_row(trials[i].flow)->name, "lost");
		else
			fprintf(out,
				"%-13s %12.3f ms %9" PRIu64 " %12" PRIu64 "  %016" PRIx64 "%s\n",
				flow_row(trials[i].flow)->name, (double)result->reached_ns / 1e6,
				sum(result->messages), sum(result->bytes), result->bindings_hash,
				result->reached ? "" : " (not reached)");
	}
}

void bring_up_print_steps(const struct bring_up_trial *trial, FILE *out)
{
	const struct flow_part *part = flow_row(trial->flow)->parts;

	fprintf(out, "\n%s: step, who, how many, begins and ends at ms, longest of one\n",
		flow_row(trial->flow)->name);
	for (; part->step != FLOW_STEP_COUNT; part++) {
		const struct flow_span *span = &trial->result.steps[part->step];

		if (span->actors > 0)
			fprintf(out, "  %-15s %-9s %5u %12.3f %12.3f %12.3f\n",
				flow_step_name(part->step), flow_actor_name(part->actor),
				span->actors, (double)span->first_ns / 1e6,
				(double)span->last_ns / 1e6, (double)span->longest_ns / 1e6);
	}
}

/* Writes one cell of the table: when the fault was noticed, and by which message. */
static void print_cell(const struct bring_up_trial *trial, FILE *out)
{
	const struct flow_result *result = &trial->result;
	char cell[64];

	if (trial->impossible)
		snprintf(cell, sizeof(cell), "-");
	else if (!trial->ended)
		snprintf(cell, sizeof(cell), "lost");
	else if (result->moment == MOMENT_NEVER)
		snprintf(cell, sizeof(cell), result->reached ? "never" : "stuck");
	else
		snprintf(cell, sizeof(cell), "%s: %s%s", flow_moment_name(result->moment),
			flow_message_name(result->message), result->reached ? " (goes on)" : "");
	fprintf(out, "  %-34s", cell);
}

void bring_up_print_faults(const struct bring_up_trial *trials, uint32_t count, FILE *out)
{
	fprintf(out, "\n%-17s", "fault");
	for (unsigned flow = 0; flow < FLOW_COUNT; flow++)
		fprintf(out, "  %-34s", flow_row((enum flow_kind)flow)->name);
	for (unsigned fault = 1; fault < BRING_UP_FAULT_COUNT; fault++) {
		fprintf(out, "\n%-17s", bring_up_fault_name((enum bring_up_fault)fault));
		for (unsigned flow = 0; flow < FLOW_COUNT; flow++)
			for (uint32_t i = 0; i < count; i++)
				if ((unsigned)trials[i].flow == flow &&
					(unsigned)trials[i].fault == fault)
					print_cell(&trials[i], out);
	}
	fprintf(out, "\n\n");
	for (uint32_t i = 0; i < count; i++) {
		const struct bring_up_trial *trial = &trials[i];
		const struct flow_result *result = &trial->result;

		fprintf(out, "%s, %s: ", bring_up_fault_name(trial->fault),
			flow_row(trial->flow)->name);
		if (trial->impossible)
			fprintf(out, "cannot happen here: %s\n", trial->impossible);
		else if (result->moment != MOMENT_NEVER)
			fprintf(out, "%s\n", result->why);
		else
			fprintf(out,
				"not noticed; %u of %u links and connections have fewer "
				"channels than the descriptor asks for\n",
				result->links_less, result->links);
	}
}
