/* `meshsim place`: finds chips for the meshes of a descriptor. This file parses the options, calls
 * the mapper of topology/place.h, and writes its result to the requested outputs. */
#include <stdlib.h>
#include <string.h>

#include "advise/advise.h"
#include "base/allocate.h"
#include "bench/tools/options/option.h"
#include "bench/run/runner.h"
#include "place.h"

static const struct option_row option_table[] = {
	{"mgd", 0, "FILE", "mesh graph descriptor: the meshes that are wanted", OPTION_TEXT,
		.offset = offsetof(struct place_command, mesh_graph)},
	{"psd", 0, "FILE", "physical system descriptor: the chips and cables there are",
		OPTION_TEXT, .offset = offsetof(struct place_command, psd)},
	{"cluster", 0, "FILE", "the same from a host's UMD cluster descriptor; once a host",
		OPTION_TEXTS, .offset = offsetof(struct place_command, clusters)},
	{"groupings", 0, "FILE", "physical groupings: the chips that may be a mesh together",
		OPTION_TEXT, .offset = offsetof(struct place_command, groupings)},
	{"pin", 0, "PIN",
		"MESH:CHIP=TRAY:LOCATION, MESH:CHIP=HOST:TRAY:LOCATION or MESH:CHIP=asic:ID; of "
		"several positions, TRAY:LOCATION,TRAY:LOCATION, any will do; may be repeated",
		OPTION_TEXTS, .offset = offsetof(struct place_command, pins)},
	{"output", 'o', "DIR", "write rank_bindings.yaml, rankfile.txt and visible_devices.txt",
		OPTION_TEXT, .offset = offsetof(struct place_command, output)},
	{"svg", 0, "FILE", "write the drawing as SVG", OPTION_TEXT,
		.offset = offsetof(struct place_command, svg)},
	{"check", 0, "BINDINGS", "place within these rank bindings: are they good?", OPTION_TEXT,
		.offset = offsetof(struct place_command, check)},
	{"rankfile", 0, "FILE", "the hosts of the ranks of --check", OPTION_TEXT,
		.offset = offsetof(struct place_command, rankfile)},
	{"strict", 0, NULL, "refuse unknown fields", OPTION_FLAG,
		.offset = offsetof(struct place_command, strict)},
	{"relaxed", 0, NULL, "one channel a link is enough, whatever the descriptor says",
		OPTION_FLAG, .offset = offsetof(struct place_command, relaxed)},
	{"split-boards", 0, NULL, "let two ranks have chips of one board", OPTION_FLAG,
		.offset = offsetof(struct place_command, split_boards)},
	{"any-host", 0, NULL, "let a rank have chips of several hosts", OPTION_FLAG,
		.offset = offsetof(struct place_command, any_host)},
	{"budget", 0, "N", "chips to try before giving up; 20000000 by default", OPTION_NUMBER,
		.offset = offsetof(struct place_command, budget), .least = 1,
		.most = UINT64_C(1) << 40},
	{"routes", 0, NULL,
		"print routing tables and roles of routers, and check them; without --psd or "
		"--cluster for the machine that the descriptor asks for",
		OPTION_FLAG, .offset = offsetof(struct place_command, routes)},
	{"virtual-channels", 0, "N", "with --routes: those that routers have; 8 by default",
		OPTION_COUNT, .offset = offsetof(struct place_command, vcs), .least = 1,
		.most = TABLES_VCS_MAX, .fallback = TABLES_VCS_MAX},
	{"lost", 0, "ID:CHANNEL",
		"with --routes: a channel of the chip with this id that must not be used; may be "
		"repeated",
		OPTION_TEXTS, .offset = offsetof(struct place_command, lost)},
	{"cases", 0, "FILE", "run cases of mappings that are stated as JSON", OPTION_TEXT,
		.offset = offsetof(struct place_command, cases)},
	OPTION_JSON(struct place_command, json),
	{0},
};

/* Returns a message about options that exclude each other, or NULL. */
static const char *command_place_find_conflict(const struct place_command *command)
{
	bool machine = command->psd || command->clusters.count;

	if (command->cases)
		return machine || command->mesh_graph || command->check || command->groupings
			       ? "--cases bring their own graphs"
			       : NULL;
	if (command->psd && command->clusters.count)
		return "the machine comes from --psd or from --cluster";
	if (!machine && !command->mesh_graph && !command->groupings && !command->check &&
		!command->rankfile)
		return "nothing to read: give --mgd and --psd or --cluster";
	if (command->lost.count && !command->routes)
		return "--lost is for --routes";
	if (command->routes && !command->mesh_graph)
		return "no meshes to route in: give --mgd";
	if ((command->output || command->svg || command->pins.count) &&
		!(machine && command->mesh_graph))
		return "nothing to place: give --mgd, and --psd or --cluster";
	return NULL;
}

/* Returns an upper bound of the number of positions in a pin. */
static uint32_t positions_in(const char *pin)
{
	uint32_t count = 1;

	for (; *pin; pin++)
		count += *pin == ',';
	return count;
}

static bool command_place_check_usage(void *given, struct text *why)
{
	struct place_command *command = given;
	uint32_t room = 0;

	if (command_place_find_conflict(command)) {
		text_append(why, command_place_find_conflict(command));
		return false;
	}
	command->parsed = allocate(command->pins.count + 1, sizeof(*command->parsed));
	for (uint32_t i = 0; i < command->pins.count; i++)
		room += positions_in(command->pins.at[i]);
	command->positions = allocate(room + 1, sizeof(*command->positions));
	for (uint32_t i = 0, at = 0; i < command->pins.count; i++) {
		uint32_t count = positions_in(command->pins.at[i]);

		if (!place_parse_pin(
			    command->pins.at[i], &command->parsed[i], command->positions + at, why))
			return false;
		at += count;
	}
	return true;
}

/* Warns of each RELAXED connection without a link, at its place in the descriptor. */
static void warn_unlinked(struct place_files *files, const struct mesh_placement *placement)
{
	for (uint32_t i = 0; i < placement->lack_count; i++) {
		const struct place_lack *lack = &placement->lacks[i];
		struct text text = {0};

		if (placement->verdict != SOLVE_FOUND || !lack->connection || lack->found)
			continue;
		place_lack_ends(files->logical, lack, &text);
		diag_warning(files->diag, lack->connection->where,
			"%s: no link was found; policy RELAXED maps the meshes without it",
			text_string(&text));
		text_fini(&text);
	}
}

/* Places the meshes and writes the requested outputs. Returns an exit code. */
static int place_all(struct place_files *files, const struct place_command *command)
{
	struct mesh_placement *placement =
		topology_place(files->logical, files->machine, &files->options);
	int code = placement->verdict == SOLVE_FOUND ? EXIT_GOOD : EXIT_REFUSED;
	struct advices *advices = code == EXIT_GOOD ? NULL : place_advise(files, command);
	bool routed = command->routes && code == EXIT_GOOD;
	struct place_routes routes = {0};

	warn_unlinked(files, placement);
	if (routed)
		place_routes_make(&routes, files, placement, command->vcs);
	diag_print(files->diag, stderr);
	if (command->json)
		place_json(files, placement, advices, routed ? &routes : NULL, stdout);
	else
		place_print(files, placement, advices, stdout);
	if (routed && !command->json)
		place_routes_print(files, &routes, stdout);
	if (routed && !routes.sound)
		code = EXIT_REFUSED;
	place_routes_free(&routes);
	if (code == EXIT_GOOD && command->output &&
		!place_write(files, placement, command->mesh_graph, command->output))
		code = EXIT_BAD_INPUT;
	if (code == EXIT_GOOD && command->svg && !place_write_svg(files, placement, command->svg))
		code = EXIT_BAD_INPUT;
	advices_free(advices);
	mesh_placement_free(placement);
	return code;
}

static int command_place_run(const void *given)
{
	const struct place_command *command = given;
	struct place_files files = {0};
	int code = EXIT_BAD_INPUT;

	if (command->cases) {
		free(command->parsed);
		free(command->positions);
		return place_cases(command->cases, stdout);
	}
	if (place_files_read(&files, command)) {
		if (files.logical && files.machine) {
			code = place_all(&files, command);
		} else {
			diag_print(files.diag, stderr);
			code = EXIT_GOOD;
			if (command->json)
				place_json(&files, NULL, NULL, NULL, stdout);
			else
				place_print_files(&files, stdout);
		}
	} else {
		diag_print(files.diag, stderr);
	}
	place_files_free(&files);
	free(command->parsed);
	free(command->positions);
	return code;
}

const struct command_work command_place = {
	OPTION_TABLE(option_table, struct place_command),
	.check = command_place_check_usage,
	.run = command_place_run,
};
