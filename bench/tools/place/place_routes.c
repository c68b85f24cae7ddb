/* Prints the control plane of a placement (`meshsim place --routes`): what the routers of each chip
 * are, where its packets go, and whether a check finds all that sound. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "place.h"

enum { WIDTH = 80, INDENT = 12, DRAWN_CHIPS_MAX = 64 };

/* Returns true if a cable ends at a channel of a chip. */
static bool has_cable(const struct machine *machine, uint32_t chip, uint64_t channel)
{
	for (uint32_t i = 0; i < machine->link_count; i++) {
		const struct machine_link *link = &machine->links[i];
		const struct machine_cable *cables = &machine->cables[link->first_cable];

		for (uint32_t k = 0; k < link->channels; k++)
			if ((link->a == chip && cables[k].channel_a == channel) ||
				(link->b == chip && cables[k].channel_b == channel))
				return true;
	}
	return false;
}

void place_routes_take_lost(struct place_files *files, const struct place_command *command)
{
	files->lost =
		arena_array(&files->arena, (size_t)command->lost.count + 1, sizeof(*files->lost));
	for (uint32_t i = 0; i < command->lost.count && files->machine; i++) {
		const char *text = command->lost.at[i];
		const struct source *source =
			diag_source(files->diag, "--lost", text, strlen(text));
		struct location where = location_at(source, 1, 1);
		uint64_t id, channel;
		const char *colon = number_read_whole_until(text, ":", UINT64_MAX, &id);
		uint32_t chip;

		if (!colon || *colon != ':' || !number_read_whole(colon + 1, UINT8_MAX, &channel)) {
			diag_error(files->diag, where, "'%s' is not ID:CHANNEL", text);
			continue;
		}
		chip = machine_find(files->machine, id);
		if (chip == MACHINE_NONE)
			diag_error(files->diag, where, "no chip has the id %" PRIu64, id);
		else if (!has_cable(files->machine, chip, channel))
			diag_error(files->diag, where,
				"no cable ends at channel %" PRIu64 " of the chip with id %" PRIu64,
				channel, id);
		else
			files->lost[files->lost_count++] =
				(struct control_loss){chip, (uint8_t)channel};
	}
}

void place_routes_make(struct place_routes *routes, const struct place_files *files,
	const struct mesh_placement *placement, uint32_t vcs)
{
	*routes = (struct place_routes){0};
	routes->plane = control_plane_new(files->logical, files->machine, placement->image,
		&(struct control_options){
			.vcs_max = vcs, .lost = files->lost, .lost_count = files->lost_count},
		&routes->why);
	routes->sound =
		routes->plane && control_plane_check(control_plane_all(routes->plane),
					 files->logical->device_count, &routes->why) == STATUS_OK;
}

void place_routes_free(struct place_routes *routes)
{
	control_plane_free(routes->plane);
	text_fini(&routes->why);
}

struct route_lengths place_routes_lengths(
	const struct control_plane *plane, const struct logical *logical, uint32_t mesh)
{
	const struct logical_mesh *of = &logical->meshes[mesh];
	uint32_t most = 4 * of->count + 4, *devices = allocate(most, sizeof(*devices));
	struct route_lengths lengths = {0};
	uint64_t hops = 0, pairs = 0;

	for (uint32_t from = of->first; from < of->first + of->count; from++)
		for (uint32_t to = of->first; to < of->first + of->count; to++) {
			uint32_t passed = control_follow(control_plane_all(plane),
				logical->device_count, from, to, devices, most, NULL);

			if (from == to || passed == 0)
				continue;
			pairs++;
			hops += passed - 1;
			lengths.longest =
				passed - 1 > lengths.longest ? passed - 1 : lengths.longest;
		}
	free(devices);
	lengths.mean = pairs ? (double)hops / (double)pairs : 0;
	return lengths;
}

/* ---- lines that wrap ---- */

struct line {
	FILE *out;
	size_t column;
};

/* Prints a word behind a blank, or at the start of a new line if it does not fit. */
static void line_word(struct line *line, const char *word)
{
	size_t length = strlen(word);

	if (line->column + 1 + length > WIDTH) {
		fprintf(line->out, "\n%*s", INDENT - 1, "");
		line->column = INDENT - 1;
	}
	fprintf(line->out, " %s", word);
	line->column += 1 + length;
}

static void line_begin(
	struct line *line, const struct place_files *files, const struct chip_tables *tables)
{
	fprintf(line->out, "%4u  %4u ", files->logical->meshes[tables->mesh].id, tables->chip);
	line->column = INDENT - 1;
}

/* ---- tables ---- */

static void print_meshes(
	const struct place_files *files, const struct control_plane *plane, FILE *out)
{
	const struct logical *logical = files->logical;

	fputs("mesh  scheme  chips  ports  longest  mean hops\n", out);
	for (uint32_t m = 0; m < logical->mesh_count; m++) {
		const struct logical_mesh *mesh = &logical->meshes[m];
		struct route_lengths lengths = place_routes_lengths(plane, logical, m);
		uint32_t ports = 0;

		for (uint32_t i = mesh->first; i < mesh->first + mesh->count; i++)
			ports += control_plane_tables(plane, i)->port_count;
		fprintf(out, "%4u  %-6s  %5u  %5u  %7u  %9.2f\n", mesh->id,
			control_scheme_name(control_plane_scheme(plane, m)), mesh->count, ports,
			lengths.longest, lengths.mean);
	}
}

/* Prints the channels of a chip behind where they lead, such as "east 8,9". */
static void print_routers(struct line *line, const struct chip_tables *tables)
{
	struct text word = {0};

	for (uint32_t i = 0; i < tables->router_count; i++) {
		const struct router *router = &tables->routers[i];
		bool first = i == 0 || router->port != router[-1].port;

		if (first) {
			if (i)
				line_word(line, text_string(&word));
			text_clear(&word);
			text_append(&word, router->role == ROUTER_IDLE
						   ? "idle"
						   : router_direction_name(router->direction));
		}
		text_printf(&word, "%s%u%s", first ? " " : ",", router->channel,
			router->other_host ? "*" : "");
	}
	if (tables->router_count)
		line_word(line, text_string(&word));
	fputc('\n', line->out);
	text_fini(&word);
}

static char letter_of(const struct chip_tables *tables, struct hop hop)
{
	static const char letters[] = "NESWXZ-";

	if (hop.port == HOP_HERE)
		return '.';
	return hop.port < tables->port_count ? letters[tables->ports[hop.port].direction] : '-';
}

static void routes_print_ways(
	struct line *line, const struct place_files *files, const struct chip_tables *tables)
{
	const struct logical_mesh *mesh = &files->logical->meshes[tables->mesh];
	struct text word = {0};

	for (uint32_t i = 0; i < mesh->count; i++) {
		text_append_char(&word, letter_of(tables, tables->within[i]));
		if ((i + 1) % mesh->columns)
			continue;
		line_word(line, text_string(&word));
		text_clear(&word);
	}
	for (uint32_t m = 0; m < tables->mesh_count; m++) {
		const struct router_exit *exit = &tables->exits[m];

		text_clear(&word);
		text_printf(&word, "%u:%u/%u", files->logical->meshes[m].id,
			exit->device - mesh->first, exit->channel);
		if (exit->device != TABLES_NONE)
			line_word(line, text_string(&word));
	}
	fputc('\n', line->out);
	text_fini(&word);
}

static void routes_print_all(const struct place_files *files, const struct control_plane *plane,
	const char *head, bool ways, FILE *out)
{
	struct line line = {.out = out};
	uint32_t left_out = 0;

	fprintf(out, "\n%s\n", head);
	for (uint32_t i = 0; i < files->logical->device_count; i++) {
		const struct chip_tables *tables = control_plane_tables(plane, i);

		if (ways && tables->mesh_chips > DRAWN_CHIPS_MAX) {
			left_out++;
			continue;
		}
		line_begin(&line, files, tables);
		if (ways)
			routes_print_ways(&line, files, tables);
		else
			print_routers(&line, tables);
	}
	if (left_out)
		fprintf(out, "ways of %u chips of large meshes: --json has them\n", left_out);
}

void place_routes_print(
	const struct place_files *files, const struct place_routes *routes, FILE *out)
{
	struct control_facts facts;

	if (!routes->plane) {
		fprintf(out, "routes: none; %s\n", text_string(&routes->why));
		return;
	}
	facts = control_plane_facts(routes->plane);
	fprintf(out, "\nrouters      mesh %u, exit %u, idle %u; to other hosts %u\n",
		facts.routers[ROUTER_MESH], facts.routers[ROUTER_EXIT], facts.routers[ROUTER_IDLE],
		facts.routers_other_host);
	fprintf(out, "tables       virtual channels %u, trees %u, %" PRIu64 " B as messages\n\n",
		facts.vcs, facts.trees, facts.bytes);
	print_meshes(files, routes->plane, out);
	routes_print_all(files, routes->plane,
		"mesh  chip  channels by where they lead; * to another host", false, out);
	routes_print_all(files, routes->plane,
		"mesh  chip  way to each chip, row by row; MESH:CHIP/CHANNEL of exits", true, out);
	if (routes->sound)
		fputs("routes: sound; all pairs are reached, no waits form a circle, each tree "
		      "reaches\n        each chip once\n",
			out);
	else
		fprintf(out, "routes: not sound; %s\n", text_string(&routes->why));
}
