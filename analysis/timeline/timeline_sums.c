/* Draws sums over the whole run, one slice after another, for threads, links, firmware stages and
 * queues. The slices do not show when something happened, so the names of the processes say that
 * they are sums. */
#include <stdlib.h>
#include <string.h>

#include "picture.h"

/* A sum: its column, and the name of its slice. */
struct part {
	const char *column, *name;
};

enum { PARTS_MAX = 5, NUMBERS_MAX = 7 };

/* Describes how the rows of one table are drawn. */
struct sums {
	const char *process;
	const struct dataset *dataset;
	const char *needs;  /* a column; rows in which it is 0 are left out; NULL: no column */
	const char *starts; /* a column with the start of the first slice; NULL: the start is 0 */
	struct part parts[PARTS_MAX];
	const char *numbers[NUMBERS_MAX]; /* names of the columns that become arguments */
};

static void timeline_sums_add_row(struct timeline *timeline, const struct sums *sums, uint64_t row,
	uint32_t process, const char *name)
{
	const struct dataset *dataset = sums->dataset;
	uint32_t track = picture_track(timeline->picture, process, name);
	int64_t now = sums->starts ? dataset_integer_of(dataset, sums->starts, row) : 0;

	for (int p = 0; p < PARTS_MAX && sums->parts[p].column; p++) {
		int64_t time = dataset_integer_of(dataset, sums->parts[p].column, row);
		struct picture_slice slice = {
			.start = now, .end = now + time, .name = sums->parts[p].name};
		if (time <= 0 || now < 0 || time > INT64_MAX - now)
			continue;
		for (int n = 0; n < NUMBERS_MAX && sums->numbers[n]; n++)
			picture_number(&slice, sums->numbers[n],
				dataset_integer_of(dataset, sums->numbers[n], row));
		picture_slice(timeline->picture, track, &slice);
		now += time;
	}
}

static void add_table(struct timeline *timeline, const struct sums *sums)
{
	const struct dataset *dataset = sums->dataset;
	bool any = false;
	uint32_t process = 0;

	for (uint64_t row = 0; row < dataset->row_count; row++) {
		if (sums->needs && dataset_integer_of(dataset, sums->needs, row) <= 0)
			continue;
		if (!any)
			process = picture_process(timeline->picture, sums->process);
		any = true;
		timeline_sums_add_row(
			timeline, sums, row, process, dataset_text_of(dataset, "name", row));
	}
}

/* A processor of the firmware or of a kernel. */
struct core {
	int64_t chip, busy;
	const char *role;
	uint64_t row;
};

/* Sorts by chip and role, the busiest core first. */
static int compare_cores(const void *a, const void *b)
{
	const struct core *x = a, *y = b;
	int roles = strcmp(x->role, y->role);

	if (x->chip != y->chip)
		return x->chip < y->chip ? -1 : 1;
	if (roles != 0)
		return roles;
	if (x->busy != y->busy)
		return x->busy > y->busy ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

static struct core *sort_cores(struct timeline *timeline, const struct dataset *dataset)
{
	struct core *cores = arena_array(timeline->arena, dataset->row_count, sizeof(*cores));

	for (uint64_t row = 0; row < dataset->row_count; row++)
		cores[row] = (struct core){.chip = dataset_integer_of(dataset, "chip", row),
			.busy = dataset_integer_of(dataset, "busy", row),
			.role = dataset_text_of(dataset, "role", row),
			.row = row};
	qsort(cores, dataset->row_count, sizeof(*cores), compare_cores);
	return cores;
}

/* Adds one track for each role on each chip. The track shows the busiest processor with this role.
 * There is no track for each processor, because among thousands of workers, the other tracks would
 * be hard to find. */
static void add_cores(struct timeline *timeline)
{
	const struct sums sums = {.process = "firmware: sums over the run, busiest of its chip",
		.dataset = &timeline->run.cores,
		.parts = {{"busy", "busy"}, {"blocked", "blocked"}},
		.numbers = {"tile", "processor", "steps", "busy_cycles"}};
	const struct core *cores = sort_cores(timeline, sums.dataset);
	uint64_t count = sums.dataset->row_count, next;
	uint32_t process = 0;

	if (count)
		process = picture_process(timeline->picture, sums.process);
	for (uint64_t i = 0; i < count; i = next) {
		const char *name = arena_printf(
			timeline->arena, "chip %lld %s", (long long)cores[i].chip, cores[i].role);
		for (next = i + 1; next < count && cores[next].chip == cores[i].chip &&
				   strcmp(cores[next].role, cores[i].role) == 0;)
			next++;
		if (next - i > 1)
			name = arena_printf(timeline->arena, "%s, busiest of %llu", name,
				(unsigned long long)(next - i));
		if (dataset_integer_of(sums.dataset, "steps", cores[i].row) > 0)
			timeline_sums_add_row(timeline, &sums, cores[i].row, process, name);
	}
}

void timeline_sums(struct timeline *timeline)
{
	const struct run_tables *run = &timeline->run;
	const struct sums all[] = {
		{.process = "threads: sums over the run, not in order",
			.dataset = &run->threads,
			.needs = NULL,
			.starts = "started",
			.parts = {{"busy", "busy"}, {"spinning", "spinning"},
				{"switching", "switching"}, {"waiting", "without a core"},
				{"parked", "parked"}},
			.numbers = {"copying", "switches", "preemptions", "wakes_hot", "wakes_idle",
				"polls"}},
		{.process = "links: sums over the run",
			.dataset = &run->links,
			.needs = "messages",
			.parts = {{"busy", "busy"}},
			.numbers = {"bandwidth", "bytes", "payload", "messages", "waited",
				"blocked"}},
		{.process = "queues that were full: sums over the run",
			.dataset = &run->queues,
			.needs = "blocked",
			.parts = {{"blocked_time", "blocked"}},
			.numbers = {"capacity", "high_water", "taken", "blocked"}},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		add_table(timeline, &all[i]);
	add_cores(timeline);
}
