/* Computes the CPU time of one round of a loop whose rounds are in flight (sweep_loops.h). */
#include <math.h>
#include <string.h>

#include "analysis/compare/sweep_loops.h"

enum {
	PHASES_MAX = 2 * SWEEP_PARTS_MAX,
	SAMPLES_LEAST = 3 /* samples of an interval; with fewer, its ends are used */
};

/* A part of the time in which a thread does one thing: it calls rounds, or waits for them. */
struct flight_phase {
	uint32_t thread;
	bool waits;
	int64_t begin, end;
	double time;  /* time of the phase in one round, ps */
	double share; /* part of a core that the thread needs in the phase; -1: unknown */
};

struct flight {
	const struct operations *operations;
	const struct sweep_whole *whole;
	const struct loop_threads *threads;
	struct flight_phase phases[PHASES_MAX];
	uint32_t count;
	int64_t ends[PHASES_MAX + 1]; /* start of the measurement, and ends of phases, in order */
	uint32_t end_count;
};

/* A time, and the CPU time of the host until then. */
struct flight_sample {
	int64_t time, cpu;
};

static void flight_add(struct flight *flight, const struct flight_phase *phase)
{
	uint32_t at = flight->end_count++;

	flight->phases[flight->count++] = *phase;
	for (; at > 0 && flight->ends[at - 1] > phase->end; at--)
		flight->ends[at] = flight->ends[at - 1];
	flight->ends[at] = phase->end;
}

/* Returns the mean time from one call of a thread to the next, in the second half of its rounds. If
 * a thread must wait for room in a queue, its last calls are slower. So if the mean of the last
 * quarter is larger, returns the mean of the last quarter instead. */
static double time_of_call(const struct loop_threads *threads, uint32_t index, uint32_t rounds)
{
	const struct loop_thread *thread = &threads->at[index];
	uint32_t half = rounds - 1 - rounds / 2, quarter = rounds - 1 - 3 * rounds / 4;
	double time = (double)(thread->posted - thread->middle_posted) / half;

	if (quarter > 0)
		time = fmax(time, (double)(thread->posted - thread->late_posted) / quarter);
	return time;
}

/* Finds the phases of all threads: in a phase, a thread calls rounds or waits for them. The
 * measurement starts when every thread has called its middle round, but at the latest in the middle
 * of the time in which all threads make calls. Returns false if there is no such time, or if there
 * are too few rounds. */
static bool find_phases(struct flight *flight, uint32_t rounds)
{
	const struct loop_threads *threads = flight->threads;
	int64_t start = 0, begin = 0, first = INT64_MAX;

	for (uint32_t i = 0; i < threads->count; i++) {
		const struct loop_thread *thread = &threads->at[i];

		start = thread->middle_posted > start ? thread->middle_posted : start;
		begin = thread->begin > begin ? thread->begin : begin;
		first = thread->posted < first ? thread->posted : first;
	}
	if (rounds - 1 - rounds / 2 < 1 || first <= begin)
		return false;
	start = start < begin + (first - begin) / 2 ? start : begin + (first - begin) / 2;
	flight->ends[flight->end_count++] = start;
	for (uint32_t i = 0; i < threads->count; i++) {
		const struct loop_thread *thread = &threads->at[i];
		double time = time_of_call(threads, i, rounds);

		flight_add(
			flight, &(struct flight_phase){i, false, start, thread->posted, time, -1});
		flight_add(flight, &(struct flight_phase){i, true, thread->posted, thread->complete,
					   fmax(thread->length - time, 0), -1});
	}
	return true;
}

/* Finds the phases of threads that wait for each round before they call the next one. */
static bool find_waited(struct flight *flight)
{
	const struct loop_threads *threads = flight->threads;

	flight->ends[flight->end_count++] = threads->start;
	for (uint32_t i = 0; i < threads->count; i++) {
		const struct loop_thread *thread = &threads->at[i];

		if (thread->end <= threads->start)
			return false;
		flight_add(flight, &(struct flight_phase){i, false, threads->start, thread->end,
					   thread->length, -1});
	}
	return true;
}

static bool is_active(const struct flight_phase *phase, int64_t from, int64_t to)
{
	return phase->begin <= from && phase->end >= to && phase->end > phase->begin;
}

static struct flight_sample sample_of(const struct operation *operation, bool complete)
{
	if (complete)
		return (struct flight_sample){completed_at(operation), operation->cpu_complete};
	return (struct flight_sample){operation->marks[MARK_CALLED].last, operation->cpu_called};
}

/* Finds the samples of one step in the interval from `from` to `to`. Sets `ends` to the first and
 * the last sample, and returns the number of samples. Must not count wake-ups when a phase begins
 * or ends. So it leaves out the first half of an interval that begins at the end of a phase. If
 * `phase` is a phase of waiting, it also leaves out the last sample. */
static uint32_t find_samples(const struct flight *flight, const struct flight_phase *phase,
	bool complete, int64_t from, int64_t to, struct flight_sample ends[2])
{
	const char *thread = flight->threads->at[phase->thread].name;
	uint32_t step = flight->whole->count, count = 0;
	struct flight_sample before = {0, 0};

	if (from != flight->ends[0])
		from += (to - from) / 2;
	for (uint32_t i = 0; i < flight->operations->count; i++) {
		const struct operation *operation = &flight->operations->at[i];
		struct flight_sample sample = sample_of(operation, complete);
		uint32_t part = sweep_whole_part(flight->whole, operation);

		if (part == flight->whole->count || strcmp(operation->thread, thread) != 0 ||
			sample.cpu < 0 || sample.time < from || sample.time > to ||
			(step != flight->whole->count && part != step))
			continue;
		step = part;
		if (count++ == 0)
			ends[0] = sample;
		ends[1] = phase->waits ? before : sample;
		before = sample;
	}
	return phase->waits && count > 0 ? count - 1 : count;
}

/* Returns the number of cores that the host needs in an interval; -1 if it is unknown. The samples
 * are calls of a thread in this interval or, if no thread has enough calls, completions. Of several
 * threads with enough samples, takes the one with the longest rounds. */
static double cores_within(const struct flight *flight, int64_t from, int64_t to)
{
	double cores = -1, longest = -1;

	for (int complete = 0; complete < 2 && cores < 0; complete++)
		for (uint32_t i = 0; i < flight->count; i++) {
			const struct flight_phase *phase = &flight->phases[i];
			struct flight_sample ends[2] = {{0, 0}, {0, 0}};

			if (!is_active(phase, from, to) || phase->time <= longest ||
				(phase->waits && !complete) ||
				find_samples(flight, phase, complete, from, to, ends) <
					SAMPLES_LEAST ||
				ends[1].time <= ends[0].time)
				continue;
			longest = phase->time;
			cores = (double)(ends[1].cpu - ends[0].cpu) /
				(double)(ends[1].time - ends[0].time);
		}
	return cores;
}

/* Divides the number of cores that the host used in an interval among the phases of the interval.
 * Phases whose share is not known get equal shares of the rest. Returns false if the interval has
 * too few samples. */
static bool find_flight_shares(struct flight *flight, int64_t from, int64_t to)
{
	double cores = cores_within(flight, from, to);
	uint32_t unknown = 0;

	if (cores < 0)
		return false;
	for (uint32_t i = 0; i < flight->count; i++) {
		const struct flight_phase *phase = &flight->phases[i];

		if (!is_active(phase, from, to))
			continue;
		unknown += phase->share < 0;
		cores -= phase->share < 0 ? 0 : phase->share;
	}
	for (uint32_t i = 0; i < flight->count; i++)
		if (is_active(&flight->phases[i], from, to) && flight->phases[i].share < 0)
			flight->phases[i].share = fmax(cores, 0) / unknown;
	return true;
}

/* True if a thread has a round within an interval. */
static bool has_round(const struct flight *flight, int64_t from, int64_t to)
{
	bool has = false;

	for (uint32_t i = 0; i < flight->count; i++)
		has |= is_active(&flight->phases[i], from, to) &&
		       flight->phases[i].time < (double)(to - from);
	return has;
}

double loop_cpu_by_phases(const struct operations *operations, const struct sweep_whole *whole,
	const struct loop_threads *threads, uint32_t rounds, bool waited)
{
	struct flight flight = {.operations = operations, .whole = whole, .threads = threads};
	double cpu = 0;

	if (waited ? !find_waited(&flight) : !find_phases(&flight, rounds))
		return -1;
	for (uint32_t i = flight.end_count - 1; i > 0; i--) {
		int64_t from = flight.ends[i - 1], to = flight.ends[i];

		if (!find_flight_shares(&flight, from, to) && waited &&
			has_round(&flight, from, to))
			return -1;
	}
	for (uint32_t i = 0; i < flight.count; i++) {
		const struct flight_phase *phase = &flight.phases[i];

		if (phase->share < 0 && !phase->waits)
			return -1;
		cpu += fmax(phase->share, 0) * phase->time;
	}
	return cpu;
}
