/* Computes the time that host threads spent on cores for the operations of a subject, which is a
 * kind of operation or a step (measure.h). */
#include <string.h>

#include "analysis/operations/measure.h"

/* The operations of a subject in a run: the indices of the first and of the last one, and the
 * number of calls that made them. Operations of other subjects may lie between them. */
struct stretch {
	uint32_t first, last, count;
};

static struct stretch stretch_of(const struct operations *operations, const char *subject)
{
	struct stretch stretch = {0, UINT32_MAX, 0};

	for (uint32_t i = 0; i < operations->count; i++) {
		if (!operation_is(&operations->at[i], subject) || operations->at[i].warmup)
			continue;
		if (stretch.last == UINT32_MAX)
			stretch.first = i;
		stretch.last = i;
		stretch.count += !is_earlier_part(operations, i);
	}
	return stretch;
}

/* True if all operations that this operation's thread calls are on the same mesh. */
static bool is_of_one_mesh(const struct operations *operations, const struct operation *operation)
{
	bool same = true;

	for (uint32_t i = 0; i < operations->count && same; i++)
		same = operations->at[i].mesh_number == operation->mesh_number ||
		       strcmp(operations->at[i].thread, operation->thread) != 0;
	return same;
}

/* True if threads of other meshes have had CPU time while this mesh had operations. */
static bool has_others(const struct operations *operations)
{
	bool found = false;

	for (uint32_t i = 0; i < operations->count && !found; i++)
		found = operations->at[i].others_returned > 0;
	return found;
}

/* Returns a CPU time of all threads without the part of others; -1 if it is unknown. */
static int64_t without(int64_t cpu, int64_t others)
{
	return cpu < 0 ? cpu : cpu - others;
}

/* Takes the CPU time of other meshes' threads away from an operation on a mesh. Operations on other
 * meshes then have no CPU times, since the file has theirs without the threads of this mesh. */
static void take_others_away(struct operation *operation, uint32_t mesh_number)
{
	bool other = operation->mesh_number != mesh_number;

	operation->cpu_called =
		other ? -1 : without(operation->cpu_called, operation->others_called);
	operation->cpu_returned =
		other ? -1 : without(operation->cpu_returned, operation->others_returned);
	operation->cpu_complete =
		other ? -1 : without(operation->cpu_complete, operation->others_complete);
}

const struct operations *measure_own_cpu(
	const struct operations *operations, uint32_t index, struct arena *arena)
{
	struct operations *own;

	if (!has_others(operations) || !is_of_one_mesh(operations, &operations->at[index]))
		return operations;
	own = arena_alloc(arena, sizeof *own);
	*own = *operations;
	own->at = arena_array(arena, operations->count, sizeof *own->at);
	memcpy(own->at, operations->at, operations->count * sizeof *own->at);
	for (uint32_t i = 0; i < own->count; i++)
		take_others_away(&own->at[i], operations->at[index].mesh_number);
	return own;
}

/* True if another operation of the stretch has the same step as this operation. */
static bool is_of_round(const struct operations *operations, const struct stretch *stretch,
	const struct operation *operation)
{
	for (uint32_t i = stretch->first; i <= stretch->last; i++)
		if (operations->at[i].step == operation->step &&
			operations->at[i].mesh_number == operation->mesh_number)
			return true;
	return false;
}

/* Returns the time at which the host knew that an operation was complete. If the host never knew
 * this, returns the time at which the operation was complete. */
static int64_t complete_at(const struct operations *operations, uint32_t index)
{
	int64_t known = known_at(operations, index);

	return known >= 0 ? known : completed_at(&operations->at[index]);
}

/* Returns the index of the last operation whose work counts for the stretch. Checks the later
 * operations of the stretch's thread in order, and stops at the first one that does not count. An
 * operation counts if its step also has operations in the stretch. A finish, or an operation of the
 * same kind as the last one in the stretch, also counts if the stretch was not yet complete when
 * the previous operation returned. */
static uint32_t end_of_round(const struct operations *operations, const struct stretch *stretch)
{
	const struct operation *last = &operations->at[stretch->last];
	int64_t complete = complete_at(operations, stretch->last), ends;
	uint32_t end = stretch->last;

	for (uint32_t i = stretch->last + 1; i < operations->count; i++) {
		const struct operation *next = &operations->at[i];
		bool alike =
			strcmp(next->kind, "finish") == 0 || strcmp(next->kind, last->kind) == 0;
		bool of_round = is_of_round(operations, stretch, next);

		if (strcmp(next->thread, last->thread) != 0)
			continue;
		if (!of_round &&
			(operations->at[end].marks[MARK_RETURNED].last >= complete || !alike))
			break;
		end = i;
		ends = of_round ? complete_at(operations, i) : complete;
		complete = ends > complete ? ends : complete;
	}
	return end;
}

/* Considers the operations whose work counts for the stretch (end_of_round()). Returns the one
 * that returned when the CPU time of the host was highest. Returns UINT32_MAX if this CPU time is
 * known for none of them. */
static uint32_t last_returned(const struct operations *operations, const struct stretch *stretch)
{
	uint32_t end = end_of_round(operations, stretch), last = UINT32_MAX;
	int64_t until = -1;

	for (uint32_t i = stretch->first; i <= end; i++)
		if (operations->at[i].cpu_returned > until) {
			until = operations->at[i].cpu_returned;
			last = i;
		}
	return last;
}

double measure_host_cpu(const struct operations *operations, const char *subject)
{
	struct stretch stretch = stretch_of(operations, subject);
	int64_t since, until;
	uint32_t last;

	if (stretch.count == 0)
		return -1;
	since = operations->at[stretch.first].cpu_called;
	last = last_returned(operations, &stretch);
	until = last == UINT32_MAX ? -1 : operations->at[last].cpu_returned;
	return since < 0 || until < since ? -1 : (double)(until - since) / stretch.count;
}

/* A time, and the CPU time of the host until then. */
struct cpu_sample {
	int64_t time, cpu;
};

/* True if the host waits between the calls of the stretch, and not only after the last one. This is
 * so if all earlier operations of the stretch are complete at one of its calls. The CPU time that
 * the host spends once in each wait is then a part of every round. */
static bool waits_between(
	const struct operations *operations, const char *subject, const struct stretch *stretch)
{
	int64_t complete = INT64_MAX;
	bool waits = false;

	for (uint32_t i = stretch->first; i <= stretch->last && !waits; i++) {
		const struct operation *operation = &operations->at[i];
		int64_t end = completed_at(operation);

		if (!operation_is(operation, subject) || operation->warmup)
			continue;
		waits = complete <= operation->marks[MARK_CALLED].last;
		complete = complete == INT64_MAX || end > complete ? end : complete;
	}
	return waits;
}

enum { SAMPLES_LEAST = 4 };

/* Returns the mean number of cores that the host uses after the last call of the stretch, while it
 * waits until all operations are complete. To leave out the wake-ups when the wait begins and
 * ends, measures only from the first to the last but one completion in the second half of the
 * wait. If there are too few of these, or if the host also waits between calls, measures from the
 * last call until operation `returned` returned. In this case, leaves out the time and the CPU
 * time of one call (`call`). */
static double cores_behind(const struct operations *operations, const char *subject,
	const struct stretch *stretch, uint32_t returned, const struct cpu_sample *call)
{
	const struct operation *last = &operations->at[stretch->last];
	const struct operation *end = &operations->at[returned];
	int64_t called = last->marks[MARK_CALLED].last;
	int64_t half = called + (completed_at(last) - called) / 2;
	struct cpu_sample first = {0, 0}, before = {0, 0}, latest = {0, 0};
	uint32_t count = 0;

	for (uint32_t i = stretch->first; i <= stretch->last; i++) {
		const struct operation *operation = &operations->at[i];
		struct cpu_sample sample = {completed_at(operation), operation->cpu_complete};

		if (!operation_is(operation, subject) || operation->warmup || sample.cpu < 0 ||
			sample.time < half || sample.time < latest.time)
			continue;
		before = latest;
		latest = sample;
		first = count++ == 0 ? sample : first;
	}
	if (count <= SAMPLES_LEAST || before.time <= first.time ||
		waits_between(operations, subject, stretch)) {
		first = (struct cpu_sample){called + call->time, last->cpu_called + call->cpu};
		before = (struct cpu_sample){end->marks[MARK_RETURNED].last, end->cpu_returned};
	}
	return before.time > first.time && before.cpu > first.cpu
		       ? (double)(before.cpu - first.cpu) / (double)(before.time - first.time)
		       : 0;
}

/* Returns the next operation of the subject after operation `index`, which must exist. */
static uint32_t next_of(const struct operations *operations, const char *subject, uint32_t index)
{
	do
		index++;
	while (!operation_is(&operations->at[index], subject) || operations->at[index].warmup ||
		is_earlier_part(operations, index));
	return index;
}

double measure_host_cpu_in_flight(
	const struct operations *operations, const char *subject, uint32_t settled, double interval)
{
	struct stretch stretch = stretch_of(operations, subject);
	const struct operation *first, *last;
	struct cpu_sample call;
	double cpu, time, rest;
	uint32_t returned, calls = stretch.count - 1;

	if (stretch.count < 2)
		return measure_host_cpu(operations, subject);
	returned = last_returned(operations, &stretch);
	for (; settled > 0 && calls > 1; settled--, calls--)
		stretch.first = next_of(operations, subject, stretch.first);
	first = &operations->at[stretch.first];
	last = &operations->at[stretch.last];
	if (first->cpu_called < 0 || last->cpu_called < 0 || returned == UINT32_MAX)
		return -1;
	cpu = (double)(last->cpu_called - first->cpu_called) / calls;
	time = (double)(last->marks[MARK_CALLED].last - first->marks[MARK_CALLED].last) / calls;
	rest = interval > time ? interval - time : 0;
	call = (struct cpu_sample){(int64_t)time, (int64_t)cpu};
	return cpu + rest * cores_behind(operations, subject, &stretch, returned, &call);
}
