/* Prints predicted gaps beside measured ones (op_gaps.h), as a table or as JSON. */
#include <math.h>
#include <stdio.h>

#include "base/json.h"
#include "bench/tools/op_gaps/op_gaps.h"

static const char *const class_names[OP_CLASSES] = {"device-bound", "host-bound"};

static void print_number(double value, int width, int digits)
{
	if (isnan(value))
		printf("  %*s", width, "-");
	else
		printf("  %*.*f", width, digits, value);
}

static void print_row(const char *name, const char *by, const struct op_score *score, bool formula)
{
	printf("%-12s  %-10s  %5u", name, by, score->rows);
	print_number(score->median_ns, 7, 0);
	print_number(score->p90_ns, 7, 0);
	print_number(score->ranking, 7, 3);
	print_number(100 * score->near, 11, 1);
	print_number(formula ? NAN : score->skew_median_ns, 12, 0);
	print_number(formula ? NAN : score->skew_p90_ns, 7, 0);
	printf("\n");
}

void op_gaps_print(const struct op_gaps *gaps)
{
	double whole, told;

	printf("op_gaps: %u operations of %u programs on %s; scored from operation %u on\n",
		gaps->call_count, gaps->report->program_count, gaps->machine, gaps->from + 1);
	if (gaps->report->device_count > 1)
		printf("of %u devices, as calls of all of them: %u rows\n",
			gaps->report->device_count, gaps->count);
	if (gaps->fitted_programs > 0)
		printf("runtime arguments of %u programs are fitted to the first half\n",
			gaps->fitted_programs);
	printf("\n");
	printf("%-12s  %-10s  %5s  %7s  %7s  %7s  %11s  %12s  %7s\n", "gaps", "predicted", "rows",
		"median", "p90", "ranking", "within 30 %", "skew: median", "p90");
	printf("%-12s  %-10s  %5s  %7s  %7s  %7s  %11s  %12s  %7s\n", "", "by", "", "ns", "ns", "",
		"%", "ns", "ns");
	for (int i = 0; i < OP_CLASSES; i++) {
		struct op_score run = op_gaps_score(gaps, (enum op_class)i, false);
		struct op_score formula = op_gaps_score(gaps, (enum op_class)i, true);

		if (run.rows == 0)
			continue;
		print_row(class_names[i], "meshsim", &run, false);
		print_row("", "formula", &formula, true);
	}
	op_gaps_whole(gaps, &whole, &told);
	if (isnan(told))
		printf("nothing is scored: all are first uses of programs, or follow pauses\n");
	else
		printf("\nwhole: %+.2f %%; %.1f %% of the operations are told apart\n", 100 * whole,
			100 * told);
	printf("\n  device-bound: a gap of at most 2.5 us was measured; host-bound: up to 100 us. "
	       "First\n  uses of programs and longer pauses are left out. skew: first to last "
	       "start.\n  formula: start = max(end before + %.0f ns, call + lag), fitted to the "
	       "first half.\n",
		gaps->floor_ns);
}

static void json_score(
	struct json *json, const struct op_gaps *gaps, enum op_class which, bool formula)
{
	struct op_score score = op_gaps_score(gaps, which, formula);

	json_object(json);
	json_text(json, "class", class_names[which]);
	json_text(json, "by", formula ? "formula" : "meshsim");
	json_unsigned_of(json, "rows", score.rows);
	json_real_of(json, "median", score.median_ns);
	json_real_of(json, "p90", score.p90_ns);
	json_real_of(json, "ranking", score.ranking);
	json_real_of(json, "within_30", score.near);
	json_real_of(json, "skew_median", formula ? NAN : score.skew_median_ns);
	json_real_of(json, "skew_p90", formula ? NAN : score.skew_p90_ns);
	json_object_end(json);
}

void op_gaps_print_json(const struct op_gaps *gaps)
{
	struct json json;
	double whole, told;

	op_gaps_whole(gaps, &whole, &told);
	json_start(&json, NULL);
	json.flat_from = 3;
	json_object(&json);
	json_text(&json, "family", "op_gaps");
	json_text(&json, "unit", "ns");
	json_text(&json, "platform", gaps->machine);
	json_unsigned_of(&json, "operations", gaps->call_count);
	json_unsigned_of(&json, "devices", gaps->report->device_count);
	json_unsigned_of(&json, "fitted_programs", gaps->fitted_programs);
	json_unsigned_of(&json, "scored_from", gaps->from + 1);
	json_real_of(&json, "whole", whole);
	json_real_of(&json, "told_apart", told);
	json_real_of(&json, "formula_floor", gaps->floor_ns);
	json_array_of(&json, "scores");
	for (int i = 0; i < 2 * OP_CLASSES; i++)
		json_score(&json, gaps, (enum op_class)(i / 2), i % 2 == 1);
	json_array_end(&json);
	json_object_end(&json);
	json_print(&json, stdout);
}
