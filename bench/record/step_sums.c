/* Sums the time on critical paths by step, see recorder_private.h. */
#include "recorder_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/table/alike.h"

/* Maximum number of slots (struct step_slot). Each step has its own slot. If there are more steps
 * than this, the last slot also has the sums of all further steps, and has no name. `meshsim
 * compare` uses fewer steps than this. */
enum { SLOTS_MAX = 128 };

enum { COPY_LEAST = 16 }; /* number of intervals at the first copy */

struct step_copy {
	struct charge_total walked;
	struct charge_total *charges; /* NULL: none */
};

struct step_slot {
	char kind[24], mesh[MESH_NAME_BYTES];
	const char *name; /* "": many steps, or none of the scenario */
	uint8_t mesh_number;
	struct charge_total walked[PATHS];
	struct charge_total *charges[PATHS]; /* sums by charge; NULL: no path so far */
	/* Copies of the sums of intervals at two moments: when the number of intervals was last a
	 * power of two, and when it was the power of two before that. */
	struct step_copy copies[2];
};

struct step_sums {
	const struct step_names *names;
	struct step_slot slots[SLOTS_MAX];
	uint32_t slot_count;
	uint8_t *known; /* [step] slot of its last operation + 1; 0: none */
	uint32_t known_count;
};

struct step_sums *step_sums_new(const struct step_names *names)
{
	struct step_sums *sums = allocate(1, sizeof *sums);

	sums->names = names;
	return sums;
}

void step_sums_free(struct step_sums *sums)
{
	if (!sums)
		return;
	for (uint32_t i = 0; i < sums->slot_count; i++)
		for (int metric = 0; metric < PATHS; metric++)
			free(sums->slots[i].charges[metric]);
	for (uint32_t i = 0; i < sums->slot_count; i++)
		for (int copy = 0; copy < 2; copy++)
			free(sums->slots[i].copies[copy].charges);
	free(sums->known);
	free(sums);
}

const char *step_sums_name(const struct step_sums *sums, const struct op_row *row)
{
	bool named = sums->names && sums->names->names && row->step_number < sums->names->count;

	return named ? sums->names->names[row->step_number] : "";
}

static bool slot_is_of(const struct step_slot *slot, const struct op_row *row, const char *name)
{
	return slot->mesh_number == row->mesh_number && strcmp(slot->kind, row->kind) == 0 &&
	       strcmp(slot->name, name) == 0;
}

static uint32_t find_slot(struct step_sums *sums, const struct op_row *row, const char *name)
{
	uint32_t i = 0;

	while (i < sums->slot_count && !slot_is_of(&sums->slots[i], row, name))
		i++;
	if (i < sums->slot_count)
		return i;
	if (i == SLOTS_MAX) {
		sums->slots[i - 1].name = "";
		return i - 1;
	}
	sums->slots[i] = (struct step_slot){.name = name, .mesh_number = row->mesh_number};
	memcpy(sums->slots[i].kind, row->kind, sizeof row->kind);
	memcpy(sums->slots[i].mesh, row->mesh, sizeof row->mesh);
	sums->slot_count++;
	return i;
}

uint8_t step_sums_slot(struct step_sums *sums, const struct op_row *row)
{
	const char *name = step_sums_name(sums, row);
	uint32_t step = row->step_number;

	if (step >= sums->known_count) {
		sums->known = allocate_more(sums->known, step + 1, sizeof *sums->known);
		memset(&sums->known[sums->known_count], 0, step + 1 - sums->known_count);
		sums->known_count = step + 1;
	}
	if (sums->known[step] == 0 || !slot_is_of(&sums->slots[sums->known[step] - 1], row, name))
		sums->known[step] = (uint8_t)(1 + find_slot(sums, row, name));
	return sums->known[step] - 1;
}

/* Copies the sums of intervals if their number is a power of two. */
static void copy_intervals(struct step_slot *slot)
{
	struct step_copy *copies = slot->copies, oldest = copies[0];
	uint64_t count = slot->walked[PATH_INTERVAL].count;

	if (count < COPY_LEAST || (count & (count - 1)) != 0)
		return;
	if (!oldest.charges)
		oldest.charges = allocate(CHARGE_COUNT, sizeof *oldest.charges);
	oldest.walked = slot->walked[PATH_INTERVAL];
	memcpy(oldest.charges, slot->charges[PATH_INTERVAL], CHARGE_COUNT * sizeof *oldest.charges);
	copies[0] = copies[1];
	copies[1] = oldest;
}

struct charge_total *step_sums_walked(
	struct step_sums *sums, uint8_t slot, uint32_t metric, int64_t ps)
{
	struct step_slot *of = &sums->slots[slot];

	ensure(metric < PATHS, "metric %u of ways", metric);
	if (!of->charges[metric])
		of->charges[metric] = allocate(CHARGE_COUNT, sizeof *of->charges[metric]);
	if (metric == PATH_INTERVAL)
		copy_intervals(of);
	cause_total_add(&of->walked[metric], ps);
	return of->charges[metric];
}

/* ---- rows ---- */

/* Copies a text to a column, and fills the column with zeros. Cuts the text if it does not fit. */
static void name_put(char *column, size_t bytes, const char *text)
{
	memcpy(column, text, strnlen(text, bytes - 1));
}

void charge_row_add(struct charge_row *rows, uint32_t *count, const struct charge_key *key,
	const struct charge_total *total)
{
	struct charge_row *row;

	if (total->count == 0)
		return;
	row = &rows[(*count)++];
	name_put(row->kind, sizeof row->kind, key->kind);
	name_put(row->step, sizeof row->step, key->step);
	name_put(row->metric, sizeof row->metric, key->metric);
	name_put(row->constant, sizeof row->constant, key->constant);
	row->count = total->count;
	row->time = total->ps;
}

size_t step_sums_rows_most(const struct step_sums *sums)
{
	size_t metrics = 0;

	for (uint32_t i = 0; i < sums->slot_count; i++)
		for (int metric = 0; metric < PATHS; metric++)
			metrics += (metric == PATH_INTERVAL ? 2u : 1u) *
				   (sums->slots[i].charges[metric] != NULL);
	return metrics * (CHARGE_COUNT + 1);
}

/* Returns a part of a sum that begins at a copy. */
static struct charge_total since(const struct charge_total *sum, const struct charge_total *copy)
{
	struct charge_total part = {.ps = sum->ps - copy->ps, .count = sum->count - copy->count};

	/* time that was only subtracted has no count */
	if (part.count == 0 && part.ps != 0)
		part.count = 1;
	return part;
}

/* Adds the sums over the last intervals of a step: over at least the last third and at most the
 * last two thirds of them. The first intervals may differ from these, because queues were still
 * empty. */
static void add_late(
	const struct step_slot *slot, const char *step, struct charge_row *rows, uint32_t *count)
{
	const struct charge_total *walked = &slot->walked[PATH_INTERVAL];
	const struct step_copy *copy = &slot->copies[1];
	struct charge_key key = {slot->kind, step, "late_interval", ""};
	struct charge_total total;

	if (copy->charges && 2 * walked->count < 3 * copy->walked.count)
		copy = &slot->copies[0];
	if (!copy->charges)
		return;
	total = since(walked, &copy->walked);
	charge_row_add(rows, count, &key, &total);
	for (int charge = 0; charge < CHARGE_COUNT; charge++) {
		key.constant = charge_path((enum charge)charge);
		total = since(&slot->charges[PATH_INTERVAL][charge], &copy->charges[charge]);
		if (key.constant[0])
			charge_row_add(rows, count, &key, &total);
	}
}

static void add_slot(
	const struct step_slot *slot, const char *step, struct charge_row *rows, uint32_t *count)
{
	for (uint32_t metric = 0; metric < PATHS; metric++) {
		const struct charge_total *charges = slot->charges[metric];
		struct charge_key key = {slot->kind, step,
			metric == PATH_INTERVAL ? "interval" : metric_names[metric], ""};

		if (!charges)
			continue;
		charge_row_add(rows, count, &key, &slot->walked[metric]);
		for (int charge = 0; charge < CHARGE_COUNT; charge++) {
			key.constant = charge_path((enum charge)charge);
			if (key.constant[0])
				charge_row_add(rows, count, &key, &charges[charge]);
		}
	}
	add_late(slot, step, rows, count);
}

/* Writes the rows. Names of steps are those of operations_name(): if steps of several meshes have
 * the same name, " of " and the name of the mesh are appended. */
void step_sums_rows(const struct step_sums *sums, struct charge_row *rows, uint32_t *count)
{
	struct alike_owned owned[SLOTS_MAX];
	bool shared[SLOTS_MAX];

	for (uint32_t i = 0; i < sums->slot_count; i++)
		owned[i] = (struct alike_owned){
			sums->slots[i].kind, sums->slots[i].name, sums->slots[i].mesh_number};
	alike_shared(owned, sums->slot_count, shared);
	for (uint32_t i = 0; i < sums->slot_count; i++) {
		const struct step_slot *slot = &sums->slots[i];
		char step[STEP_NAME_BYTES + MESH_NAME_BYTES];

		snprintf(step, sizeof step, "%s%s%s", slot->name, shared[i] ? " of " : "",
			shared[i] ? slot->mesh : "");
		add_slot(slot, step, rows, count);
	}
}
