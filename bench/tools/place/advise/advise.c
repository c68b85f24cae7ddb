/* Chooses the constraints that are lifted on trial, and their order. */
#include "advise.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

enum { PINS_MAX = 16 /* most pins that are tried one by one */ };

/* --- what the command was given -------------------------------------------------------------- */

static void try_one(struct adviser *adviser, const char *obstacle, struct change change)
{
	if (advise_try(adviser, &change, 1) == TRIAL_FITS)
		advise_add(adviser, obstacle, &change, 1);
}

static struct change unpin(uint32_t pin)
{
	return (struct change){.kind = CHANGE_UNPIN, .pin = pin};
}

/* Makes a list of changes that remove a pin, one for each pin. */
static struct change *list_pins(struct adviser *adviser)
{
	uint32_t count = adviser->files->options.pin_count;
	struct change *changes = arena_array(&adviser->out->arena, count, sizeof(*changes));

	for (uint32_t i = 0; i < count; i++)
		changes[i] = unpin(i);
	return changes;
}

static void advise_pins(struct adviser *adviser)
{
	uint32_t count = adviser->files->options.pin_count, before = adviser->out->count;
	struct change *all = list_pins(adviser);

	advise_begin(adviser, "pins");
	if (!count || advise_try(adviser, all, count) != TRIAL_FITS)
		return;
	for (uint32_t i = 0; count > 1 && i < count && i < PINS_MAX; i++)
		try_one(adviser, "pins", all[i]);
	if (adviser->out->count == before)
		advise_add(adviser, "pins", all, count);
	advise_begin(adviser, "pins one by one");
	if (count > PINS_MAX)
		advise_not_tried(adviser, "not tried", ", beyond the first 16");
}

/* --- links that get channels ----------------------------------------------------------------- */

static void advise_cables(struct adviser *adviser)
{
	const struct place_files *files = adviser->files;
	struct mesh_placement lacking = {0};
	struct change change = {.kind = CHANGE_CHANNELS};

	advise_begin(adviser, "cables");
	if (!adviser->share) {
		advise_not_tried(adviser, "not tried", ": the steps for such advice were used up");
		return;
	}
	if (topology_find_lacks(files->logical, files->machine, &files->options, &lacking)) {
		change.lack_count = lacking.lack_count;
		change.lacks = arena_array(
			&adviser->out->arena, lacking.lack_count, sizeof(*change.lacks));
		memcpy(change.lacks, lacking.lacks, lacking.lack_count * sizeof(*change.lacks));
		try_one(adviser, "channels", change);
	}
	advise_spend(adviser, lacking.steps);
	arena_fini(&lacking.arena);
}

/* --- several at once ------------------------------------------------------------------------- */

static bool has_boards(const struct place_files *files)
{
	return files->machine->board_count > 0 && files->logical->rank_count > 1 &&
	       !files->options.split_boards;
}

/* Lists all changes that the options of the command allow, without changes of pins. */
static uint32_t list_lifts(const struct adviser *adviser, struct change *out)
{
	const struct place_files *files = adviser->files;
	uint32_t count = 0;

	if (has_boards(files))
		out[count++] = (struct change){CHANGE_OPTION, .option = "--split-boards"};
	if (files->machine->host_count > 1 && !files->options.any_host)
		out[count++] = (struct change){CHANGE_OPTION, .option = "--any-host"};
	if (!files->options.relaxed)
		out[count++] = (struct change){CHANGE_OPTION, .option = "--relaxed"};
	if (files->groupings)
		out[count++] = (struct change){CHANGE_WITHOUT, .option = "--groupings"};
	if (files->options.ranks)
		out[count++] = (struct change){CHANGE_WITHOUT, .option = "--check"};
	return count;
}

/* If no single change is enough, tries several changes together. First lifts all constraints. Then
 * restores one constraint after another. If the meshes do not fit with a restored constraint, lifts
 * this constraint again. */
static void advise_several(struct adviser *adviser)
{
	enum { LIFTS = 5 };
	uint32_t pins = adviser->files->options.pin_count;
	struct change *all = arena_array(&adviser->out->arena, pins + LIFTS, sizeof(*all));
	struct change *fewer = arena_array(&adviser->out->arena, pins + LIFTS, sizeof(*fewer));
	uint32_t count = list_lifts(adviser, all);

	advise_begin(adviser, "several constraints at once");
	for (uint32_t i = 0; i < pins; i++)
		all[count++] = unpin(i);
	if (count < 2 || advise_try(adviser, all, count) != TRIAL_FITS)
		return;
	for (uint32_t i = 0, tries = 0; i < count && tries < PINS_MAX + LIFTS; tries++) {
		memcpy(fewer, all, i * sizeof(*all));
		memcpy(fewer + i, all + i + 1, (count - i - 1) * sizeof(*all));
		if (advise_try(adviser, fewer, count - 1) == TRIAL_FITS)
			memcpy(all, fewer, --count * sizeof(*all));
		else
			i++;
	}
	advise_add(adviser, "several", all, count);
}

struct advices *place_advise(const struct place_files *files, const struct place_command *command)
{
	static const char *const obstacles[] = {
		"boards", "hosts", "policy", "groupings", "bindings"};
	static const char *const options[] = {
		"--split-boards", "--any-host", "--relaxed", "--groupings", "--check"};
	struct advices *out = allocate(1, sizeof(*out));
	struct adviser adviser = adviser_make(files, command, out);
	struct change lifts[8];
	uint32_t count = list_lifts(&adviser, lifts);

	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < sizeof(options) / sizeof(*options); k++)
			if (strcmp(options[k], lifts[i].option) == 0) {
				advise_begin(&adviser, obstacles[k]);
				try_one(&adviser, obstacles[k], lifts[i]);
			}
	advise_pins(&adviser);
	advise_hosts(&adviser);
	advise_channels(&adviser);
	advise_cables(&adviser);
	if (!out->count)
		advise_several(&adviser);
	advise_shapes(&adviser);
	advise_instances(&adviser);
	return out;
}

void advices_free(struct advices *advices)
{
	if (!advices)
		return;
	for (uint32_t i = 0; i < advices->count; i++)
		text_fini(&advices->at[i].text);
	text_fini(&advices->nearest);
	text_fini(&advices->not_tried);
	arena_fini(&advices->arena);
	free(advices);
}
