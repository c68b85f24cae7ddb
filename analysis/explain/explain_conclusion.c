/* Writes the conclusion of an explanation: which parts of the machine take the time of a run, or
 * cause the difference between two runs (explain_private.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/print/value_text.h"
#include "base/ensure.h"
#include "explain_private.h"

/* Parts of the machine, as sentences name them. Each stage belongs to exactly one part. */
enum part {
	PART_ENQUEUE,
	PART_HOST_WAIT,
	PART_MESSAGES,
	PART_PCIE,
	PART_PREFETCH,
	PART_FABRIC,
	PART_DISPATCH,
	PART_KERNELS,
	PART_COMPLETION,
	PART_OTHER,
};

static const struct {
	const char *key, *words;
} parts[PART_COUNT] = {
	[PART_ENQUEUE] = {"enqueue", "the host's serial enqueue"},
	[PART_HOST_WAIT] = {"host_wait", "waits and wake-ups of host threads"},
	[PART_MESSAGES] = {"messages", "messages between hosts"},
	[PART_PCIE] = {"pcie", "PCIe to the chips"},
	[PART_PREFETCH] = {"prefetch", "prefetching"},
	[PART_FABRIC] = {"fabric", "the way over the fabric"},
	[PART_DISPATCH] = {"dispatch", "dispatch to the workers"},
	[PART_KERNELS] = {"kernels", "the kernels"},
	[PART_COMPLETION] = {"completion", "the completion's way back"},
	[PART_OTHER] = {"other", "other work"},
};

static const enum part part_of[STAGE_COUNT] = {
	[STAGE_CALL] = PART_ENQUEUE,
	[STAGE_BUILD] = PART_ENQUEUE,
	[STAGE_COMPILE] = PART_ENQUEUE,
	[STAGE_STORAGE] = PART_ENQUEUE,
	[STAGE_COPY] = PART_ENQUEUE,
	[STAGE_POST] = PART_ENQUEUE,
	[STAGE_QUEUE] = PART_ENQUEUE,
	[STAGE_POLL] = PART_HOST_WAIT,
	[STAGE_SPIN] = PART_HOST_WAIT,
	[STAGE_WAKE] = PART_HOST_WAIT,
	[STAGE_SWITCH] = PART_HOST_WAIT,
	[STAGE_WAIT_CORE] = PART_HOST_WAIT,
	[STAGE_WAIT_MEMORY] = PART_HOST_WAIT,
	[STAGE_WAIT_THREAD] = PART_HOST_WAIT,
	[STAGE_WAIT_LOOK] = PART_HOST_WAIT,
	[STAGE_WAIT_ROOM] = PART_HOST_WAIT,
	[STAGE_CODEC] = PART_MESSAGES,
	[STAGE_TRANSPORT] = PART_MESSAGES,
	[STAGE_NETWORK] = PART_MESSAGES,
	[STAGE_WAIT_NETWORK] = PART_MESSAGES,
	[STAGE_PCIE_POST] = PART_PCIE,
	[STAGE_WAIT_ISSUE] = PART_PCIE,
	[STAGE_FETCH] = PART_PCIE,
	[STAGE_PCIE_READ] = PART_PCIE,
	[STAGE_PCIE_PEEK] = PART_PCIE,
	[STAGE_WAIT_PCIE] = PART_PCIE,
	[STAGE_PREFETCH] = PART_PREFETCH,
	[STAGE_WAIT_PREFETCH] = PART_PREFETCH,
	[STAGE_PACKETIZE] = PART_FABRIC,
	[STAGE_WAIT_CREDIT] = PART_FABRIC,
	[STAGE_HANDOVER] = PART_FABRIC,
	[STAGE_FABRIC] = PART_FABRIC,
	[STAGE_WAIT_LINK] = PART_FABRIC,
	[STAGE_DEPACKETIZE] = PART_FABRIC,
	[STAGE_DISPATCH] = PART_DISPATCH,
	[STAGE_WAIT_DISPATCH] = PART_DISPATCH,
	[STAGE_NOC] = PART_DISPATCH,
	[STAGE_WAIT_NOC] = PART_DISPATCH,
	[STAGE_DRAM] = PART_DISPATCH,
	[STAGE_WAIT_DRAM] = PART_DISPATCH,
	[STAGE_WORKER] = PART_DISPATCH,
	[STAGE_KERNEL] = PART_KERNELS,
	[STAGE_TRAFFIC] = PART_KERNELS,
	[STAGE_ACKNOWLEDGE] = PART_COMPLETION,
	[STAGE_WAIT_WORKER] = PART_COMPLETION,
	[STAGE_RECORD] = PART_COMPLETION,
	[STAGE_AGGREGATE] = PART_COMPLETION,
	[STAGE_WAIT_EVENT] = PART_COMPLETION,
	[STAGE_PCIE_EVENT] = PART_COMPLETION,
	[STAGE_WAIT_READER] = PART_COMPLETION,
	[STAGE_OTHER] = PART_OTHER,
};

/* Returns the weight of a part or a stage from its times in the two runs: the difference of the
 * times. If a single run is explained, returns the time in this run. */
static double weight_of(const struct explanation *explanation, const int64_t time[2])
{
	return explanation->single ? (double)time[0] : (double)(time[1] - time[0]);
}

static int conclusion_by_weight(const void *a, const void *b)
{
	const struct explain_part *x = a, *y = b;

	if (fabs(x->weight) != fabs(y->weight))
		return fabs(x->weight) > fabs(y->weight) ? -1 : 1;
	return strcmp(x->key, y->key);
}

/* The median skew of the explained operations, ps; -1 if they have no skew. */
static int64_t skew_of(const struct explanation *explanation, int side)
{
	struct arena scratch;
	struct samples samples;
	int64_t skew = -1;

	arena_init(&scratch);
	samples = samples_take(
		&explanation->operations[side], explanation->kind, METRIC_SKEW, &scratch);
	if (samples.count > 0)
		skew = samples_at(&samples, 500)->value;
	arena_fini(&scratch);
	return skew;
}

void explain_conclude(struct explanation *explanation)
{
	const struct path_pair *path = &explanation->paths[PATH_ASKED];
	double largest[PART_COUNT];

	for (int p = 0; p < PART_COUNT; p++) {
		explanation->parts[p] =
			(struct explain_part){.key = parts[p].key, .words = parts[p].words};
		largest[p] = -1;
	}
	for (int s = 0; explanation->has_stages && s < STAGE_COUNT; s++) {
		struct explain_part *part = &explanation->parts[part_of[s]];
		const int64_t time[2] = {path->split[0].time[s], path->split[1].time[s]};
		double weight = weight_of(explanation, time);
		part->time[0] += time[0];
		part->time[1] += time[1];
		part->stages += time[0] != 0 || time[1] != 0;
		if ((time[0] == 0 && time[1] == 0) || fabs(weight) <= largest[part_of[s]])
			continue;
		largest[part_of[s]] = fabs(weight);
		part->largest = (enum stage)s;
	}
	for (int p = 0; p < PART_COUNT; p++) {
		struct explain_part *part = &explanation->parts[p];
		part->weight = weight_of(explanation, part->time);
		part->one_stage = largest[p] >= 0.9 * fabs(part->weight) && part->stages > 0;
	}
	qsort(explanation->parts, PART_COUNT, sizeof(*explanation->parts), conclusion_by_weight);
	for (int i = 0; i < 2; i++)
		explanation->skew[i] = skew_of(explanation, i);
}

/* ---- words ---- */

/* Parts whose share of the whole is smaller than this are not named. */
#define PART_LEAST 0.05

/* If a part is larger than this multiple of the whole, the excess is not due to rounding. */
#define PART_MORE 1.0005

/* Two runs tie if they differ by a share smaller than TIE_LEAST. In a tie, some parts may take
 * longer in the second run, and others as much less. The conclusion says so only if these
 * differences are at least the share CANCELLED_LEAST of a run's time. */
#define TIE_LEAST	0.001
#define CANCELLED_LEAST 0.01

enum { PARTS_NAMED = 4, CONSTANTS_NAMED = 2, KEYS_NAMED = 3 };

const char *explain_time(double time, bool with_sign, struct arena *arena)
{
	return time_text(time, DIGITS_LEAST, with_sign, arena);
}

static const char *run_words(struct explanation *explanation, int which)
{
	long long run = explain_run(explanation, which, explanation->rows[which]);

	if (!explanation->files[which])
		return arena_printf(&explanation->arena, "run %lld", run);
	return arena_printf(&explanation->arena, "run %lld of %s", run, explanation->files[which]);
}

/* Names the largest stage of a part that has several stages: " (most of it host copy)". */
static const char *part_most(const struct explain_part *part, struct arena *arena)
{
	if (part->stages < 2)
		return "";
	return arena_printf(
		arena, part->one_stage ? " (%s)" : " (most of it %s)", stage_label(part->largest));
}

/* Returns a text that names the largest parts: "41 % is the host's serial enqueue (most of it host
 * copy)". Names at most PARTS_NAMED parts; except for the largest, each must be at least PART_LEAST
 * of the whole. The others are added up as "the rest". */
static const char *shares_text(struct explanation *explanation, double whole)
{
	struct arena *arena = &explanation->arena;
	const char *text = "";
	double rest = 0;
	int named = 0;

	for (int p = 0; p < PART_COUNT; p++) {
		const struct explain_part *part = &explanation->parts[p];
		if (part->weight == 0)
			continue;
		if (named == PARTS_NAMED || (named > 0 && part->weight < PART_LEAST * whole)) {
			rest += part->weight;
			continue;
		}
		text = arena_printf(arena, "%s%s%.0f %%%s %s%s", text, named ? ", " : "",
			100 * part->weight / whole, named ? "" : " is", part->words,
			part_most(part, arena));
		named++;
	}
	if (rest == 0)
		return text;
	return arena_printf(arena, "%s, %.0f %% the rest", text, 100 * rest / whole);
}

/* True if a part has the sign of the difference, and is larger than the difference. */
static bool is_above(double part, double difference)
{
	return part * difference > 0 && fabs(part) > PART_MORE * fabs(difference);
}

/* If the difference of one part is larger than the whole difference, returns a text that says by
 * how much the other parts reduce it: ", less 2.272 us of the others" or ", but +1.558 us of the
 * others". Otherwise returns "". */
static const char *conclusion_others(double part, double difference, struct arena *arena)
{
	double others = difference - part;

	if (!is_above(part, difference))
		return "";
	return arena_printf(arena, part < 0 ? ", but %s of the others" : ", less %s of the others",
		part < 0 ? explain_time(others, true, arena) : explain_time(-others, false, arena));
}

/* Returns the part that adds most to a difference; NULL if no part adds to it. */
static const struct explain_part *main_part(
	const struct explanation *explanation, double difference)
{
	const struct explain_part *most = NULL;

	for (int p = 0; p < PART_COUNT; p++) {
		const struct explain_part *part = &explanation->parts[p];
		if (part->weight * difference > 0 &&
			(!most || fabs(part->weight) > fabs(most->weight)))
			most = part;
	}
	return most;
}

/* Returns a text that names the parts which cause a difference between two runs. The part that adds
 * most comes first. The whole difference, `difference`, is the sum over all parts. */
static const char *differences_text(struct explanation *explanation, double difference)
{
	struct arena *arena = &explanation->arena;
	const struct explain_part *first = main_part(explanation, difference);
	const char *text;
	double rest;
	int named = 1;

	if (!first)
		return "";
	rest = difference - first->weight;
	text = arena_printf(arena, "%s %s%s%s", first->words,
		explain_time(first->weight, true, arena), part_most(first, arena),
		conclusion_others(first->weight, difference, arena));
	for (int p = 0; p < PART_COUNT && named < PARTS_NAMED; p++) {
		const struct explain_part *part = &explanation->parts[p];
		if (part == first || fabs(part->weight) < fmax(PART_LEAST * fabs(difference), 0.5))
			continue;
		text = arena_printf(arena, "%s%s %s %s%s", text,
			named == 1 && is_above(first->weight, difference) ? ":" : ",", part->words,
			explain_time(part->weight, true, arena), part_most(part, arena));
		rest -= part->weight;
		named++;
	}
	if (fabs(rest) < 0.5 || named == 1)
		return text;
	return arena_printf(arena, "%s, the rest %s", text, explain_time(rest, true, arena));
}

/* For two runs that tie: if their parts differ, says that these differences cancel out. */
static const char *cancelled_text(struct explanation *explanation, double value)
{
	double more = 0, less = 0;

	for (int p = 0; p < PART_COUNT; p++) {
		more += fmax(explanation->parts[p].weight, 0);
		less -= fmin(explanation->parts[p].weight, 0);
	}
	if (fmin(more, less) < CANCELLED_LEAST * value)
		return "";
	return arena_printf(&explanation->arena,
		"some parts take %s longer in the second, and others as much less",
		explain_time(fmin(more, less), false, &explanation->arena));
}

/* Says how much later the last chip starts than the first chip. */
static const char *last_text(const struct explanation *explanation, struct arena *arena)
{
	const int64_t *skew = explanation->skew;
	int last = explanation->single ? 0 : 1;

	if (skew[0] < 0 || skew[1] < 0 || (skew[0] == 0 && skew[1] == 0))
		return "";
	return arena_printf(arena, "; the last chip starts %s after the first%s%s%s",
		explain_time((double)skew[last], false, arena), last ? " (first run: " : "",
		last ? explain_time((double)skew[0], false, arena) : "", last ? ")" : "");
}

/* Returns the name of a swept key for a sentence: the path of the constant if the key is a
 * constant, otherwise the shortest name of the key. */
static const char *conclusion_key(
	const struct summary *summary, uint32_t index, struct arena *arena)
{
	static const char before[] = "platform.", after[] = ".value";
	const char *name = summary->dataset.columns[summary->swept_first + index].name;
	size_t length = strlen(name), head = strlen(before), tail = strlen(after);

	if (length <= head + tail || strncmp(name, before, head) != 0 ||
		strcmp(name + length - tail, after) != 0)
		return summary_short_name(summary, index);
	return arena_printf(arena, "%.*s", (int)(length - head - tail), name + head);
}

/* Returns a text that names the swept keys whose values differ between the two runs: "; it has
 * completion=per-device, not table". Here, "it" is the second run, which has `per-device`; the
 * first run has `table`. */
static const char *keys_text(struct explanation *explanation)
{
	const struct summary *first = explanation->summaries[0],
			     *second = explanation->summaries[1];
	struct arena *arena = &explanation->arena;
	const char *text = "";
	int named = 0;

	for (uint32_t i = 0; i < second->swept_count; i++) {
		const struct dataset_column *column =
			&second->dataset.columns[second->swept_first + i];
		const struct dataset_column *other = dataset_column(&first->dataset, column->name);
		const char *new =
			dataset_cell_text(&second->dataset, column, explanation->rows[1], arena);
		const char *old = other ? dataset_cell_text(&first->dataset, other,
						  explanation->rows[0], arena)
					: "-";
		if (strcmp(old, new) == 0 || ++named > KEYS_NAMED)
			continue;
		text = arena_printf(arena, "%s%s%s=%s%s%s", text, named > 1 ? ", " : "; it has ",
			conclusion_key(second, i, arena), strcmp(new, "-") ? new : "none",
			strcmp(old, "-") ? ", not " : "", strcmp(old, "-") ? old : "");
	}
	return named > KEYS_NAMED ? arena_printf(arena, "%s, %d more", text, named - KEYS_NAMED)
				  : text;
}

/* Returns a text that names the constants with the largest shares of the difference between two
 * runs, or of a single run's time. Leaves out constants whose share has the opposite sign, because
 * they are not reasons for the difference. */
static const char *constants_text(struct explanation *explanation, double whole)
{
	struct arena *arena = &explanation->arena;
	bool single = explanation->single;
	const char *text = "";
	int named = 0;

	for (uint32_t i = 0; i < explanation->charged_count && named < CONSTANTS_NAMED; i++) {
		const struct charged *charged = &explanation->charged[i];
		double weight = charged->time[1] - charged->time[0];
		weight = single ? charged->time[0] : weight;
		if (fabs(weight) < 2 * PART_LEAST * fabs(whole))
			break;
		if (weight * whole < 0)
			continue;
		text = arena_printf(arena, "%s%s %s %s%s", text,
			named++ ? "," : "; constants that weigh most:", charged->name,
			explain_time(weight, !single, arena),
			single ? "" : conclusion_others(weight, whole, arena));
	}
	return text;
}

/* "a round of enqueue_workload", "the latency of finish". */
static const char *subject_text(struct explanation *explanation)
{
	const struct explained *asked = &explanation->asked;
	const char *figure =
		arena_printf(&explanation->arena, "the %s", explain_metric_name(asked));

	if (asked->mode == MEASURE_RUN)
		return "the run";
	if (asked->mode == MEASURE_FLIGHT)
		figure = "the interval between completions";
	else if (asked->mode == MEASURE_TRANSFER)
		figure = "a MiB";
	else if (asked->metric == METRIC_ROUND)
		figure = "a round";
	return arena_printf(&explanation->arena, "%s of %s", figure, explanation->kind);
}

/* Returns how many decimals a share in percent needs so that it is not printed as 0. */
static int decimals_of(double share)
{
	int decimals = fabs(share) < 0.1 ? 1 : 0;

	while (decimals < 4 && fabs(share) * 100 * pow(10, decimals) < 0.5)
		decimals++;
	return decimals;
}

/* True if two runs differ by so little that no part is the reason for it. */
static bool is_tie(double first, double second)
{
	return fabs(second - first) < TIE_LEAST * first;
}

/* " (2.4 % longer over 4 seeds)": the margin by which `compare` decides. */
static const char *seeds_text(struct explanation *explanation)
{
	double margin = explanation->margin;
	struct arena *arena = &explanation->arena;

	if (explanation->seeds < 2)
		return "";
	if (fabs(margin) < 1e-6)
		return arena_printf(arena, " (the same over %u seeds)", explanation->seeds);
	if (fabs(margin) < TIE_LEAST)
		return arena_printf(
			arena, " (%.2f %% over %u seeds)", 100 * fabs(margin), explanation->seeds);
	if (margin >= 1)
		return arena_printf(arena, " (%s times as long over %u seeds)",
			ratio_factor(1 + margin, arena), explanation->seeds);
	return arena_printf(arena, " (%.*f %% %s over %u seeds)", decimals_of(margin),
		100 * fabs(margin), margin > 0 ? "longer" : "less", explanation->seeds);
}

static const char *verdict_text(struct explanation *explanation, double first, double second)
{
	struct arena *arena = &explanation->arena;
	const char *subject = subject_text(explanation), *seeds = seeds_text(explanation);
	const char *names[] = {run_words(explanation, 0), run_words(explanation, 1)};
	const char *where = explain_statistic_words(&explanation->asked);
	double difference = second - first;
	int digits = digits_apart((double[]){first, second}, 2);
	const char *one = time_text(first, digits, false, arena);
	const char *other = time_text(second, digits, false, arena);

	if (explanation->single)
		return arena_printf(arena, "%s: %s takes %s %s", names[0], subject,
			explain_time(first, false, arena), where);
	if (difference == 0)
		return arena_printf(arena, "%s and %s take the same for %s: %s %s%s", names[0],
			names[1], subject, explain_time(first, false, arena), where, seeds);
	if (is_tie(first, second))
		return arena_printf(arena, "%s and %s tie for %s: %s and %s %s, %.2g %% apart%s",
			names[0], names[1], subject, one, other, where,
			100 * fabs(difference) / first, seeds);
	if (first > 0 && difference >= first)
		return arena_printf(arena,
			"%s takes %s times as long as %s for %s, %s instead of %s %s%s", names[1],
			ratio_factor(second / first, arena), names[0], subject, other, one, where,
			seeds);
	return arena_printf(arena, "%s takes %s (%.*f %%) %s than %s for %s, %s instead of %s %s%s",
		names[1], explain_time(fabs(difference), false, arena),
		decimals_of(difference / first), 100 * fabs(difference) / first,
		difference > 0 ? "longer" : "less", names[0], subject, other, one, where, seeds);
}

const char *explain_sentence(struct explanation *explanation)
{
	const struct path_pair *path = &explanation->paths[PATH_ASKED];
	double first = (double)path->value[0], second = (double)path->value[1];
	bool single = explanation->single, tie = !single && is_tie(first, second);
	double whole = single ? first : second - first;
	const char *named = "";

	if (explanation->has_stages)
		named = single ? shares_text(explanation, whole)
			: tie  ? cancelled_text(explanation, first)
			       : differences_text(explanation, whole);
	return arena_printf(&explanation->arena, "%s%s%s%s%s%s",
		verdict_text(explanation, first, second),
		!named[0] ? ""
		: tie	  ? "; "
			  : ": ",
		named, single ? "" : keys_text(explanation),
		tie ? "" : constants_text(explanation, whole),
		last_text(explanation, &explanation->arena));
}
