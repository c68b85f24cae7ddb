/* Sums the time on critical paths by step, see recorder_private.h. */
#include "recorder_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/table/alike.h"

/* The number of steps that have their own slots. All further steps share one slot, which has no
 * name. `compare` uses fewer steps than this. */
enum { SLOTS_MAX = 128 };

struct step_slot {
	char kind[24], mesh[MESH_NAME_BYTES];
	const char *name; /* "": many steps, or none of the scenario */
	uint8_t mesh_number;
	struct charge_total walked[PATHS];
	struct charge_total *charges[PATHS]; /* sums by charge; NULL: no path so far */
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
	free(sums->known);
	free(sums);
}

static const char *step_sums_name(const struct step_sums *sums, const struct op_row *row)
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

struct charge_total *step_sums_walked(
	struct step_sums *sums, uint8_t slot, uint32_t metric, int64_t ps)
{
	struct step_slot *of = &sums->slots[slot];

	ensure(metric < PATHS, "metric %u of ways", metric);
	if (!of->charges[metric])
		of->charges[metric] = allocate(CHARGE_COUNT, sizeof *of->charges[metric]);
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
			metrics += sums->slots[i].charges[metric] != NULL;
	return metrics * (CHARGE_COUNT + 1);
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
