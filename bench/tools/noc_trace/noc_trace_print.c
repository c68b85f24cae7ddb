/* Prints the outcome of replays (see noc_trace.h), as tables or as JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/json.h"
#include "bench/tools/noc_trace/noc_trace.h"
#include "bench/tools/reference/validate.h"

enum { NAME_WIDTH = 28 };

/* Computes the errors of the predictions in way `way` (noc_trace.h), over all traces that ran.
 * Compares the times of kernels or, if `waits` is set, the waits at barriers. The errors are NAN if
 * no trace ran. */
static struct family_errors errors_of(const struct noc_trace *traces,
	const struct noc_trace_outcome *outcomes, uint32_t count, uint32_t way, bool waits)
{
	struct reference_row *rows = allocate(count + 1u, sizeof *rows);
	struct prediction *predictions = allocate(count + 1u, sizeof *predictions);
	struct reference reference = {rows, count};
	struct family_errors errors;

	for (uint32_t i = 0; i < count; i++) {
		double value = waits ? outcomes[i].recorded_wait : (double)traces[i].cycles;
		double predicted = waits ? outcomes[i].wait[way] : outcomes[i].cycles[way];

		rows[i] = (struct reference_row){
			.family = "noc_trace", .system = "", .metric = "", .value = value};
		predictions[i] = (struct prediction){.ran = outcomes[i].ran && value > 0,
			.value = predicted,
			.error = value > 0 ? (predicted > value ? predicted - value
								: value - predicted) /
						     value
					   : 0};
	}
	errors = validate_errors(&reference, predictions, "noc_trace");
	if (errors.rows == errors.refused)
		errors.median = errors.p90 = errors.worst = errors.ranking = NAN;
	free(predictions);
	free(rows);
	return errors;
}

static void print_ways(
	const struct noc_trace *traces, const struct noc_trace_outcome *outcomes, uint32_t count)
{
	printf("%-*s  %8s  %6s  %6s  %7s  %22s\n", NAME_WIDTH, "predicted with model.noc", "median",
		"p90", "worst", "ranking", "waits at barriers: p50");
	printf("%-*s  %8s  %6s  %6s  %7s  %22s\n", NAME_WIDTH, "", "%", "%", "%", "", "%");
	for (uint32_t way = 0; way < NOC_TRACE_WAYS; way++) {
		struct family_errors times = errors_of(traces, outcomes, count, way, false);
		struct family_errors waits = errors_of(traces, outcomes, count, way, true);

		if (times.rows == times.refused) {
			printf("%-*s  %8s  %6s  %6s  %7s  %22s\n", NAME_WIDTH, noc_trace_way(way),
				"-", "-", "-", "-", "-");
			continue;
		}
		printf("%-*s  %8.2f  %6.2f  %6.2f  %7.3f  %22.2f\n", NAME_WIDTH, noc_trace_way(way),
			100 * times.median, 100 * times.p90, 100 * times.worst, times.ranking,
			100 * waits.median);
	}
}

static void print_trace(const struct noc_trace *trace, const struct noc_trace_outcome *outcome)
{
	printf("%-*.*s  %9u  %8llu", NAME_WIDTH, NAME_WIDTH, trace->name, trace->transfer_count,
		(unsigned long long)trace->cycles);
	if (!outcome->ran) {
		printf("  %s\n", text_string(&outcome->reason));
		return;
	}
	for (uint32_t way = 0; way < NOC_TRACE_WAYS; way++)
		printf("  %+8.1f", 100 * (outcome->cycles[way] / (double)trace->cycles - 1));
	printf("\n");
}

void noc_trace_print(const struct noc_trace *traces, const struct noc_trace_outcome *outcomes,
	uint32_t count, const char *machine)
{
	uint32_t skipped = 0;

	printf("Kernel times of %u recorded trace%s, replayed on %s\n\n", count,
		count == 1 ? "" : "s", machine);
	print_ways(traces, outcomes, count);
	printf("\n%-*s  %9s  %8s  %28s\n", NAME_WIDTH, "trace", "transfers", "measured",
		"predicted against measured");
	printf("%-*s  %9s  %8s  %8s  %8s  %8s\n", NAME_WIDTH, "", "", "", "inter-", "links",
		"plain");
	printf("%-*s  %9s  %8s  %8s  %8s  %8s\n", NAME_WIDTH, "", "", "", "faces", "", "formula");
	printf("%-*s  %9s  %8s  %8s  %8s  %8s\n", NAME_WIDTH, "", "", "cycles", "%", "%", "%");
	for (uint32_t i = 0; i < count; i++) {
		print_trace(&traces[i], &outcomes[i]);
		skipped += traces[i].skipped;
	}
	if (skipped > 0)
		printf("\n%u recorded events are no transfers and were not replayed; their time "
		       "was.\n",
			skipped);
}

static void json_ways(struct json *json, const struct noc_trace *traces,
	const struct noc_trace_outcome *outcomes, uint32_t count)
{
	json_array_of(json, "ways");
	for (uint32_t way = 0; way < NOC_TRACE_WAYS; way++) {
		struct family_errors times = errors_of(traces, outcomes, count, way, false);
		struct family_errors waits = errors_of(traces, outcomes, count, way, true);

		json_object(json);
		json_text(json, "name", noc_trace_way(way));
		json_real_of(json, "median", times.median);
		json_real_of(json, "p90", times.p90);
		json_real_of(json, "worst", times.worst);
		json_real_of(json, "ranking", times.ranking);
		json_real_of(json, "wait_median", waits.median);
		json_object_end(json);
	}
	json_array_end(json);
}

static void json_trace(
	struct json *json, const struct noc_trace *trace, const struct noc_trace_outcome *outcome)
{
	json_object(json);
	json_text(json, "name", trace->name);
	json_unsigned_of(json, "transfers", trace->transfer_count);
	json_unsigned_of(json, "skipped", trace->skipped);
	json_unsigned_of(json, "cycles", trace->cycles);
	json_real_of(json, "wait_cycles", outcome->recorded_wait);
	json_text(json, "reason", outcome->ran ? NULL : text_string(&outcome->reason));
	json_array_of(json, "predicted_cycles");
	for (uint32_t way = 0; way < NOC_TRACE_WAYS && outcome->ran; way++)
		json_real(json, outcome->cycles[way]);
	json_array_end(json);
	json_array_of(json, "predicted_wait_cycles");
	for (uint32_t way = 0; way < NOC_TRACE_WAYS && outcome->ran; way++)
		json_real(json, outcome->wait[way]);
	json_array_end(json);
	json_object_end(json);
}

void noc_trace_print_json(const struct noc_trace *traces, const struct noc_trace_outcome *outcomes,
	uint32_t count, const char *machine)
{
	struct json json;

	json_start(&json, NULL);
	json_object(&json);
	json_text(&json, "platform", machine);
	json_ways(&json, traces, outcomes, count);
	json_array_of(&json, "traces");
	for (uint32_t i = 0; i < count; i++)
		json_trace(&json, &traces[i], &outcomes[i]);
	json_array_end(&json);
	json_object_end(&json);
	json_print(&json, stdout);
}
