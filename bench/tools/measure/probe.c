/* Functions for probes (probe.h): they run rounds, and add figures. A figure whose value is smaller
 * than its spread is marked as unusable. */
#include "probe.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/ensure.h"
#include "bench/tools/measure/samples.h"

enum { WARM_UP_ROUNDS = 2, CALLS_MIN = 4 };

/* If the median relative error of a line is above this, the line is not used. */
static const double worst_error = 0.5;

/* Finds the number of calls that fill a round, by doubling. */
static uint32_t probe_calls_of(
	const struct pace *pace, void (*run)(void *argument, uint32_t calls), void *argument)
{
	for (uint32_t calls = CALLS_MIN;; calls *= 2) {
		int64_t begin_ns = clock_thread_ns();

		run(argument, calls);
		if (clock_thread_ns() - begin_ns >= pace->round_ns / 2 || calls >= 1u << 24)
			return calls;
	}
}

void probe_rounds(const struct pace *pace, void (*run)(void *argument, uint32_t calls),
	void *argument, struct samples *samples)
{
	uint32_t calls = probe_calls_of(pace, run, argument);

	for (uint32_t round = 0; round < WARM_UP_ROUNDS + pace->rounds; round++) {
		int64_t begin_ns = clock_thread_ns();

		run(argument, calls);
		if (round >= WARM_UP_ROUNDS)
			samples_add(samples, (double)(clock_thread_ns() - begin_ns) / calls);
	}
}

struct figure *probe_figure(
	struct probing *probing, const char *name, const char *unit, const char *how)
{
	struct measurement *out = probing->out;
	struct figure *figure = &out->figures[out->figure_count++];

	ensure(out->figure_count < FIGURES_MAX, "too many figures");
	*figure = (struct figure){.name = arena_string(&out->arena, name),
		.probe = probing->probe->name,
		.unit = unit,
		.how = how};
	return figure;
}

const char *figure_refusal(const struct figure *figure)
{
	if (!(figure->value > 0) || (strcmp(figure->unit, "ps") == 0 && figure->value < 1))
		return "too small to be told from nothing";
	if (figure->spread > figure->value)
		return "the spread is larger than the value";
	if (figure->error > worst_error)
		return "no straight line: the rounds are off it by more than a half";
	return NULL;
}

void probe_median(struct probing *probing, const char *name, const char *unit, double scale,
	struct samples *samples, const char *how)
{
	struct figure *figure = probe_figure(probing, name, unit, how);
	struct quantiles of = samples_quantiles(samples);

	figure->value = scale * of.p50;
	figure->spread = scale * of.spread;
	figure->p50 = scale * of.p50;
	figure->p90 = scale * of.p90;
	figure->p99 = scale * of.p99;
	figure->repetitions = samples->count;
	figure->refused = figure_refusal(figure);
}

void probe_term(struct probing *probing, const char *name, const char *unit, double scale,
	const struct regression *regression, uint32_t term, const char *how)
{
	struct figure *figure = probe_figure(probing, name, unit, how);
	const struct regression_term *of;

	if (!regression) {
		figure->refused = "the rounds do not make a line";
		return;
	}
	of = &regression->terms[term];
	figure->value = scale * of->value;
	figure->spread = scale * of->spread;
	figure->p50 = scale * of->p50;
	figure->p90 = scale * of->p90;
	figure->p99 = scale * of->p99;
	figure->repetitions = regression->rounds;
	figure->fitted = true;
	figure->error = regression->error;
	figure->worst = regression->worst;
	figure->refused = figure_refusal(figure);
}

void probe_rate(struct probing *probing, const char *name, const struct regression *regression,
	uint32_t term, const char *how)
{
	struct figure *figure;

	probe_term(probing, name, "B/s", 1, regression, term, how);
	figure = &probing->out->figures[probing->out->figure_count - 1];
	if (figure->refused)
		return;
	figure->spread *= 1e9 / (figure->value * figure->value);
	figure->value = 1e9 / figure->value;
	figure->p50 = 1e9 / figure->p50;
	figure->p90 = 1e9 / figure->p90;
	figure->p99 = 1e9 / figure->p99;
}

void probe_refuse(struct probing *probing, const char *name, const char *how, const char *why)
{
	probe_figure(probing, name, "", how)->refused = why;
}

void probe_say(const struct probing *probing, const char *detail)
{
	if (!isatty(STDERR_FILENO))
		return;
	fprintf(stderr, "\rmeasuring %s%s%s\033[K", probing->probe->name, *detail ? ": " : "",
		detail);
	fflush(stderr);
}
