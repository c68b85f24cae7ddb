/* Reads the input of `meshsim place`. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "bench/cables/cables.h"
#include "bench/scenario/load.h"
#include "place.h"

/* Reads a number of at most `most` from *at, and the character `end`, which must follow the number.
 * Sets *out to the number, and moves *at past `end`. Returns false if the text at *at has another
 * form. */
static bool parse_number(const char **at, char end, uint64_t most, uint64_t *out)
{
	const char ends[] = {end, '\0'};
	const char *stop = number_read_whole_until(*at, ends, most, out);

	if (!stop || *stop != end)
		return false;
	*at = stop + (end != '\0');
	return true;
}

/* Reads "TRAY:LOCATION". The text ends at a comma or at its end. */
static bool parse_position(const char **at, struct mgd_position *position)
{
	uint64_t tray, location;

	if (!parse_number(at, ':', INT32_MAX, &tray) ||
		!parse_number(at, strchr(*at, ',') ? ',' : '\0', INT32_MAX, &location))
		return false;
	*position = (struct mgd_position){.tray = (int32_t)tray, .location = (int32_t)location};
	return true;
}

/* Reads [HOST:]POSITION[,POSITION...]. If there is a host, it applies to all positions. */
static bool parse_positions(char *text, struct place_pin *pin, struct mgd_position *positions)
{
	size_t first = strcspn(text, ",");
	char *colon = memchr(text, ':', first);
	const char *at = text;
	uint32_t count = 0;
	bool more = true;

	if (colon && memchr(colon + 1, ':', first - (size_t)(colon + 1 - text))) {
		*colon = '\0';
		pin->host = text;
		at = colon + 1;
	}
	while (more) {
		more = strchr(at, ',') != NULL;
		if (!parse_position(&at, &positions[count++]))
			return false;
	}
	pin->tray = (uint32_t)positions[0].tray;
	pin->location = (uint32_t)positions[0].location;
	pin->others = positions + 1;
	pin->other_count = count - 1;
	return true;
}

bool place_parse_pin(
	char *text, struct place_pin *pin, struct mgd_position *positions, struct text *why)
{
	uint64_t mesh, chip;
	const char *at = text;
	bool good;

	*pin = (struct place_pin){0};
	good = parse_number(&at, ':', UINT32_MAX, &mesh) &&
	       parse_number(&at, '=', UINT32_MAX, &chip);
	if (good) {
		pin->mesh = (uint32_t)mesh;
		pin->chip = (uint32_t)chip;
		pin->by_id = strncmp(at, "asic:", 5) == 0;
	}
	if (good && pin->by_id) {
		at += 5;
		good = parse_number(&at, '\0', UINT64_MAX, &pin->id);
	} else if (good) {
		good = parse_positions(text + (at - text), pin, positions);
	}
	if (!good)
		text_printf(why, "'%s' is no pin: MESH:CHIP=TRAY:LOCATION", text);
	return good;
}

/* Sets the pins. The pins of the descriptor come first, then the pins of the command line. */
static void join_pins(struct place_files *files, const struct place_command *command)
{
	uint32_t count = files->logical ? files->logical->pin_count : 0;
	struct place_pin *pins =
		arena_array(&files->arena, (size_t)command->pins.count + count + 1, sizeof(*pins));

	if (count)
		memcpy(pins, place_pins_of(files->logical, &files->arena), count * sizeof(*pins));
	for (uint32_t i = 0; i < command->pins.count; i++)
		pins[count++] = command->parsed[i];
	files->options.pins = pins;
	files->options.pin_count = count;
}

/* Returns the machine that the descriptor asks for; NULL after an error. */
static struct machine *place_machine_as_asked(
	struct place_files *files, const struct place_command *command)
{
	struct text why = {0};
	struct machine *machine = machine_as_asked(files->logical, &why);

	if (!machine)
		diag_error(files->diag,
			location_at(diag_source(files->diag, command->mesh_graph, NULL, 0), 0, 0),
			"%s", text_string(&why));
	text_fini(&why);
	return machine;
}

static bool place_read_all(struct place_files *files, const struct place_command *command)
{
	struct diag *diag = files->diag;

	if (command->mesh_graph) {
		files->mesh_graph =
			mesh_graph_read_file(command->mesh_graph, command->strict, diag);
		if (files->mesh_graph)
			files->logical = logical_new(files->mesh_graph, diag);
	}
	if (command->psd)
		files->machine = machine_read_psd(
			tree_read_text_format_file(command->psd, diag), command->strict, diag);
	if (command->clusters.count)
		files->machine = machine_read_clusters((const char *const *)command->clusters.at,
			command->clusters.count, command->strict, diag);
	if (command->routes && files->logical && !command->psd && !command->clusters.count)
		files->machine = place_machine_as_asked(files, command);
	else if (files->machine)
		cables_check(files->machine, platform_directory(), diag);
	if (command->groupings)
		files->groupings = groupings_read_file(command->groupings, command->strict, diag);
	place_bindings_read(files, command);
	if (command->rankfile)
		files->rankfile = rankfile_read_file(command->rankfile, diag);
	return diag_errors(diag) == 0;
}

static uint32_t smallest_mesh(const struct logical *logical)
{
	uint32_t least = UINT32_MAX;

	for (uint32_t i = 0; i < logical->mesh_count; i++)
		least = logical->meshes[i].count < least ? logical->meshes[i].count : least;
	return least;
}

/* Sets options->sets to the groups of chips that the files with groupings define on this machine.
 * Leaves out groups that have fewer chips than the smallest mesh. */
static void take_sets(struct place_files *files)
{
	uint32_t least = smallest_mesh(files->logical);
	struct place_options *options = &files->options;
	struct place_set *sets;

	if (!files->grouped.sets)
		groupings_sets(files->groupings, files->machine, 1, &files->grouped, &files->arena,
			files->diag);
	sets = arena_array(&files->arena, (size_t)files->grouped.set_count + 1, sizeof(*sets));
	for (uint32_t i = 0; i < files->grouped.set_count; i++)
		if (files->grouped.sets[i].count >= least)
			sets[options->set_count++] = files->grouped.sets[i];
	options->sets = sets;
	memcpy(options->has_level, files->grouped.has_level, sizeof(options->has_level));
}

bool place_files_prepare(struct place_files *files, const struct place_command *command)
{
	files->options.relaxed = command->relaxed;
	files->options.split_boards = command->split_boards;
	files->options.any_host = command->any_host;
	files->options.budget = command->budget.given ? command->budget.value : 0;
	join_pins(files, command);
	place_routes_take_lost(files, command);
	if (files->bindings && files->logical && !place_bindings_take(files, command))
		return false;
	if (files->groupings && files->machine && files->logical)
		take_sets(files);
	return diag_errors(files->diag) == 0;
}

bool place_files_read(struct place_files *files, const struct place_command *command)
{
	files->diag = diag_new();
	return place_read_all(files, command) && place_files_prepare(files, command);
}

void place_files_free(struct place_files *files)
{
	logical_free(files->logical);
	mesh_graph_free(files->mesh_graph);
	machine_free(files->machine);
	groupings_free(files->groupings);
	bindings_free(files->bindings);
	rankfile_free(files->rankfile);
	arena_fini(&files->arena);
	diag_free(files->diag);
}
