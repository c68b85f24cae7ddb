/* bench-engine: measures the event engine in a load in which all events have different times.
 * Prints the CPU time per broadcast, events per second, and bytes per core. For comparison, also
 * measures the same exchange of messages with raw SimGrid communications. Each figure is the median
 * over several processes, printed with its minimum and maximum. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ensure.h"
#include "base/table/order.h"
#include "engine_exchange.h"

enum { REPEATS_MAX = 101 };

struct options {
	unsigned repeats;
	double scale; /* factor on the number of broadcasts */
	bool simgrid;
};

struct row {
	const char *name;
	struct exchange exchange;
	void (*run)(const struct exchange *exchange, struct exchange_cost *cost);
};

static const struct row rows[] = {
	{"leaping, 8 commands, 3 events a core", {8, 8, 8, 3, 400, false}, exchange_on_engine},
	{"leaping, 20 commands, 6 events a core", {8, 8, 20, 6, 200, false}, exchange_on_engine},
	{"leaping, 8 commands, 3 events a core", {32, 32, 8, 3, 20, false}, exchange_on_engine},
	{"leaping, 20 commands, 6 events a core", {32, 32, 20, 6, 10, false}, exchange_on_engine},
	{"stepping, 8 commands, 3 events a core", {8, 8, 8, 3, 40, true}, exchange_on_engine},
	{"raw SimGrid, 8 commands", {8, 8, 8, 3, 3, false}, exchange_on_simgrid},
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]), ROW_BASE = 0, ROW_STEPPING = 4, ROW_SIMGRID = 5 };

/* Median, minimum and maximum of the repeats. */
struct spread {
	double median, least, most;
};

static struct spread engine_spread_of(double *values, unsigned count)
{
	sort_reals(values, count);
	return (struct spread){median_of(values, count), values[0], values[count - 1]};
}

static struct exchange_cost run_in_child(const struct row *row, double scale)
{
	struct exchange exchange = row->exchange;
	struct exchange_cost cost, *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
					   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status = 0;
	exchange.broadcasts = (uint32_t)(exchange.broadcasts * scale);
	if (exchange.broadcasts == 0)
		exchange.broadcasts = 1;
	ensure_memory(shared != MAP_FAILED, "a result");
	fflush(NULL);
	pid_t child = fork();
	ensure(child >= 0, "no process for '%s'", row->name);
	if (child == 0) {
		row->run(&exchange, shared);
		shared->cpu_s /= exchange.broadcasts;
		shared->events /= exchange.broadcasts;
		shared->deliveries /= exchange.broadcasts;
		shared->simulated_ps /= exchange.broadcasts;
		_Exit(0);
	}
	waitpid(child, &status, 0);
	ensure(status == 0, "'%s' ended with %#x", row->name, (unsigned)status);
	cost = *shared;
	munmap(shared, sizeof(*shared));
	return cost;
}

static struct spread engine_print_row(const struct row *row, const struct options *options)
{
	double ms[REPEATS_MAX], rate[REPEATS_MAX], bytes[REPEATS_MAX];
	struct exchange_cost cost = {0};
	uint32_t chips = row->exchange.columns * row->exchange.rows;
	for (unsigned i = 0; i < options->repeats; i++) {
		cost = run_in_child(row, options->scale);
		ms[i] = cost.cpu_s * 1e3;
		rate[i] = (double)cost.events / cost.cpu_s * 1e-6;
		bytes[i] = (double)cost.bytes / (chips * EXCHANGE_CORES);
	}
	struct spread per_broadcast = engine_spread_of(ms, options->repeats);
	struct spread events = engine_spread_of(rate, options->repeats);
	struct spread core = engine_spread_of(bytes, options->repeats);
	printf("%-37s %5u %8.2f (%.2f..%.2f)\t", row->name, chips, per_broadcast.median,
		per_broadcast.least, per_broadcast.most);
	printf("%8llu %8llu %6.0f %9.3f", (unsigned long long)cost.deliveries,
		(unsigned long long)cost.events, core.median, (double)cost.simulated_ps * 1e-6);
	if (cost.events > 0)
		printf("  %5.1f (%.1f..%.1f)", events.median, events.least, events.most);
	printf("\n");
	return per_broadcast;
}

static void print_wakes(const struct options *options)
{
	static const struct row row = {"wake-ups", {1, 1, 0, 0, 200, false}, exchange_wakes};
	double us[REPEATS_MAX];
	for (unsigned i = 0; i < options->repeats; i++)
		us[i] = run_in_child(&row, options->scale).cpu_s * 1e3;
	struct spread wake = engine_spread_of(us, options->repeats);
	printf("One wake-up of an actor: %.2f us CPU (%.2f..%.2f)\n", wake.median, wake.least,
		wake.most);
}

static void print_ratio(const char *what, struct spread above, struct spread below)
{
	printf("%s: %.1f times (%.1f..%.1f)\n", what, above.median / below.median,
		above.least / below.most, above.most / below.least);
}

static error_t engine_parse(int key, char *text, struct argp_state *state)
{
	struct options *options = state->input;
	char *end = NULL;
	switch (key) {
	case 'r':
		options->repeats = (unsigned)strtoul(text, &end, 10);
		if (*end || options->repeats < 1 || options->repeats > REPEATS_MAX)
			argp_error(state, "repeats: 1 to %d", REPEATS_MAX);
		return 0;
	case 's':
		options->scale = strtod(text, &end);
		if (*end || !(options->scale > 0) || options->scale > 1000)
			argp_error(state, "scale: above 0, at most 1000");
		return 0;
	case 'n':
		options->simgrid = false;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int main(int argc, char **argv)
{
	static const struct argp_option table[] = {
		{"repeats", 'r', "N", 0, "Processes per figure (default 5)", 0},
		{"scale", 's', "X", 0, "Times as many broadcasts per process (default 1)", 0},
		{"no-simgrid", 'n', NULL, 0, "Leave raw SimGrid out", 0},
		{0},
	};
	static const struct argp argp = {table, engine_parse, NULL,
		"CPU time of the event engine per broadcast to every core of a mesh of chips", NULL,
		NULL, NULL};
	struct options options = {.repeats = 5, .scale = 1.0, .simgrid = true};
	struct spread spreads[ROWS];
	argp_parse(&argp, argc, argv, 0, NULL, &options);
	printf("Median (least..most) of %u processes; distinct times; %d cores a chip, %d stages; "
	       "no payload, no recording.\n"
	       "%-37s %5s %-23s\t%8s %8s %6s %9s  %s\n",
		options.repeats, EXCHANGE_CORES, EXCHANGE_STAGES, "per broadcast", "chips",
		" ms CPU", "messages", "events", "B/core", "us", "M events per CPU s");
	unsigned count = options.simgrid ? ROWS : ROWS - 1;
	for (unsigned i = 0; i < count; i++)
		spreads[i] = engine_print_row(&rows[i], &options);
	print_wakes(&options);
	print_ratio("stepping / leaping", spreads[ROW_STEPPING], spreads[ROW_BASE]);
	if (options.simgrid)
		print_ratio("raw SimGrid / engine, the same messages", spreads[ROW_SIMGRID],
			spreads[ROW_BASE]);
	return 0;
}
