/* Prints the outcome of bring-up: flows, their steps, and the faults that they notice. */
#include <inttypes.h>
#include <string.h>

#include "analysis/print/wrap.h"
#include "bring_up.h"

enum { BRING_UP_COLUMNS = 80 };

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

/* Short words for the moments, which the legend explains. */
static const char *moment_word(unsigned moment)
{
	return moment == MOMENT_BEFORE_LAUNCH ? "before"
	       : moment == MOMENT_AT_LAUNCH   ? "launch"
					      : "first";
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
		snprintf(cell, sizeof(cell), "%s %s%s", moment_word(result->moment),
			flow_message_name(result->message), result->reached ? "+" : "");
	fprintf(out, " %-15s", cell);
}

static const struct bring_up_trial *trial_of(
	const struct bring_up_trial *trials, uint32_t count, unsigned fault, unsigned flow)
{
	for (uint32_t i = 0; i < count; i++)
		if ((unsigned)trials[i].flow == flow && (unsigned)trials[i].fault == fault)
			return &trials[i];
	return NULL;
}

static void append_reason(const struct bring_up_trial *trial, struct text *out)
{
	const struct flow_result *result = &trial->result;

	if (trial->impossible)
		text_printf(out, "cannot happen here: %s", trial->impossible);
	else if (!trial->ended)
		text_append(out, "the run was lost");
	else if (result->moment != MOMENT_NEVER)
		text_append(out, result->why);
	else
		text_printf(out,
			"not noticed; %u of %u links and connections have fewer channels than the "
			"descriptor asks for",
			result->links_less, result->links);
}

/* Prints why each flow noticed a fault or not. Flows with the same reason share a paragraph. */
static void print_reasons(
	const struct bring_up_trial *trials, uint32_t count, unsigned fault, FILE *out)
{
	struct text reasons[FLOW_COUNT] = {0};

	for (unsigned flow = 0; flow < FLOW_COUNT; flow++) {
		const struct bring_up_trial *trial = trial_of(trials, count, fault, flow);

		if (trial)
			append_reason(trial, &reasons[flow]);
	}
	for (unsigned flow = 0; flow < FLOW_COUNT; flow++) {
		struct text line = {0};

		if (reasons[flow].length == 0)
			continue;
		text_append(&line, flow_row((enum flow_kind)flow)->name);
		for (unsigned other = flow + 1; other < FLOW_COUNT; other++) {
			if (strcmp(text_string(&reasons[other]), text_string(&reasons[flow])) != 0)
				continue;
			text_printf(&line, ", %s", flow_row((enum flow_kind)other)->name);
			text_clear(&reasons[other]);
		}
		text_printf(&line, ": %s", text_string(&reasons[flow]));
		wrap_hang(text_string(&line), 2, 4, BRING_UP_COLUMNS, "", out);
		text_fini(&line);
	}
	for (unsigned flow = 0; flow < FLOW_COUNT; flow++)
		text_fini(&reasons[flow]);
}

void bring_up_print_faults(const struct bring_up_trial *trials, uint32_t count, FILE *out)
{
	fprintf(out, "\n%-16s", "fault");
	for (unsigned flow = 0; flow < FLOW_COUNT; flow++)
		fprintf(out, " %-15s", flow_row((enum flow_kind)flow)->name);
	for (unsigned fault = 1; fault < BRING_UP_FAULT_COUNT; fault++) {
		fprintf(out, "\n%-16s", bring_up_fault_name((enum bring_up_fault)fault));
		for (unsigned flow = 0; flow < FLOW_COUNT; flow++) {
			const struct bring_up_trial *trial = trial_of(trials, count, fault, flow);

			if (trial)
				print_cell(trial, out);
		}
	}
	fprintf(out,
		"\n\n  before, launch, first: noticed before the launch, at launch, at the first\n"
		"    dispatch, and by which message. +: the job goes on. -: cannot happen here.\n");
	for (unsigned fault = 1; fault < BRING_UP_FAULT_COUNT; fault++) {
		fprintf(out, "\n%s\n", bring_up_fault_name((enum bring_up_fault)fault));
		print_reasons(trials, count, fault, out);
	}
}
