/* Compares the results of a trial in the simulated and the native world (trial.h): totals, amounts
 * of work, and operations of each kind. */
#include "trial.h"

#include <inttypes.h>
#include <string.h>

#include "bench/results/results.h"

/* The results of one run in each world, and the file to which differences are printed. */
struct pair {
	struct part_summary sim, native;
	FILE *out;
};

static bool same(
	const struct pair *pair, const char *kind, const char *name, uint64_t sim, uint64_t native)
{
	if (sim == native)
		return true;
	fprintf(pair->out,
		"the worlds differ in %s %s: %" PRIu64 " simulated, %" PRIu64 " natively\n", kind,
		name, sim, native);
	return false;
}

/* Compares totals that depend only on the work. The most informative totals come first. */
static bool same_totals(const struct pair *pair)
{
#define SAME(member)                                                                               \
	same(pair, "the total of", #member, pair->sim.totals.member, pair->native.totals.member)
	return SAME(verified) && SAME(streams_built) && SAME(streams_reused) && SAME(unicasts) &&
	       SAME(broadcasts) && SAME(commands) && SAME(issued_bytes);
#undef SAME
}

static const struct kind_row *find_kind(const struct part_summary *part, const char *kind)
{
	for (uint32_t i = 0; i < part->kind_count; i++)
		if (strcmp(part->kinds[i].kind, kind) == 0)
			return &part->kinds[i];
	return NULL;
}

/* Compares the number of operations of each kind and their bytes. Does not compare the order of
 * operations: if each mesh has its own thread, the order depends on the machine. */
static bool same_operations(const struct pair *pair)
{
	const struct part_summary *sim = &pair->sim, *native = &pair->native;

	if (!same(pair, "the number of", "kinds of operations", sim->kind_count,
		    native->kind_count))
		return false;
	for (uint32_t i = 0; i < sim->kind_count; i++) {
		const struct kind_row none = {.operations = 0}, *here = &sim->kinds[i];
		const struct kind_row *there = find_kind(native, here->kind);

		there = there ? there : &none;
		if (!same(pair, "how many are", here->kind, here->operations, there->operations) ||
			!same(pair, "the bytes of", here->kind, here->bytes, there->bytes))
			return false;
	}
	return true;
}

/* Returns true for kinds of work whose amount depends on timing: polls, API calls, work that one
 * thread hands over to another, and the encoded data of each frame. */
static bool depends_on_time(const char *work)
{
	static const char *const looks[] = {
		"POLL", "API_CALL", "QUEUE_PUSH", "QUEUE_POP", "write ", "read "};

	for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++)
		if (strncmp(work, looks[i], strlen(looks[i])) == 0)
			return true;
	return false;
}

static uint64_t units_of(const struct part_summary *part, const char *work)
{
	for (uint32_t i = 0; i < part->work_count; i++)
		if (strcmp(part->work[i].work, work) == 0)
			return part->work[i].units;
	return 0;
}

static bool same_work(const struct pair *pair)
{
	for (uint32_t i = 0; i < pair->sim.work_count; i++) {
		const struct work_row *row = &pair->sim.work[i];

		if (!depends_on_time(row->work) && !same(pair, "the work", row->work, row->units,
							   units_of(&pair->native, row->work)))
			return false;
	}
	return true;
}

static bool read_part(const struct world_part *of, struct part_summary *part, FILE *out)
{
	if (results_read_part(of->path, of->identity, part) == STATUS_OK)
		return true;
	fprintf(out, "%s cannot be read\n", of->path);
	return false;
}

bool worlds_agree(const struct world_part *sim, const struct world_part *native, FILE *out)
{
	struct pair pair = {.out = out};
	bool agree = read_part(sim, &pair.sim, out) && read_part(native, &pair.native, out) &&
		     same_totals(&pair) && same_operations(&pair) && same_work(&pair);

	part_summary_fini(&pair.sim);
	part_summary_fini(&pair.native);
	return agree;
}
