/* Prints the output of `meshsim place`: the contents of the input files, and either a table of the
 * placement or the reasons why there is none. place_draw.c draws the meshes. */
#include <stdlib.h>
#include <string.h>

#include "advise/advise.h"
#include "base/allocate.h"
#include "place.h"

static const char *ring_or_line(bool ring)
{
	return ring ? "RING" : "LINE";
}

static void print_logical(const struct logical *logical, FILE *out)
{
	uint32_t switches = 0;

	for (uint32_t i = 0; i < logical->mesh_count; i++)
		switches += logical->meshes[i].is_switch;
	fprintf(out,
		"meshes       %u, switches %u, devices %u, links %u, connections %u, ranks %u\n",
		logical->mesh_count - switches, switches, logical->device_count,
		logical->link_count, logical->connection_count, logical->rank_count);
	for (uint32_t i = 0; i < logical->mesh_count && i < 32; i++) {
		const struct logical_mesh *mesh = &logical->meshes[i];

		fprintf(out, "  %-6s %4u  %-8s %ux%u %s x %s, hosts %ux%u, channels %d %s\n",
			mesh->is_switch ? "switch" : "mesh", mesh->id, mesh->descriptor->name,
			mesh->rows, mesh->columns, ring_or_line(mesh->ring[0]),
			ring_or_line(mesh->ring[1]), mesh->host_rows, mesh->host_columns,
			mesh->descriptor->channels.count,
			mesh->descriptor->channels.policy == POLICY_RELAXED ? "RELAXED" : "STRICT");
	}
	if (logical->mesh_count > 32)
		fprintf(out, "  and %u more\n", logical->mesh_count - 32);
}

static void print_machine(const struct machine *machine, FILE *out)
{
	uint64_t channels = 0;

	for (uint32_t i = 0; i < machine->link_count; i++)
		channels += machine->links[i].channels;
	fprintf(out, "machine      hosts %u, chips %u, links %u, channels %llu\n",
		machine->host_count, machine->chip_count, machine->link_count,
		(unsigned long long)channels);
}

static uint32_t most_cores(const struct rankfile *rankfile)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < rankfile->count; i++)
		most = rankfile->lines[i].cores > most ? rankfile->lines[i].cores : most;
	return most;
}

static void print_bindings(const struct bindings *bindings, FILE *out)
{
	if (bindings->count)
		fprintf(out, "bindings     %u\n", bindings->count);
	for (uint32_t i = 0; i < bindings->context_count; i++) {
		const struct binding_file *file = &bindings->contexts[i];

		fprintf(out, "bindings     of sub-context %u: ", file->id);
		if (file->bindings)
			fprintf(out, "%u\n", file->bindings->count);
		else
			fputs("its file is not there\n", out);
	}
	if (bindings->cluster_count)
		fprintf(out, "clusters     of %u ranks\n", bindings->cluster_count);
}

void place_print_files(const struct place_files *files, FILE *out)
{
	static const char *const kinds[] = {"YAML", "text format v1", "text format v2"};

	if (files->logical)
		print_logical(files->logical, out);
	if (files->machine)
		print_machine(files->machine, out);
	if (files->groupings)
		fprintf(out, "groupings    %u, %s\n",
			files->groupings->count + files->groupings->row_count,
			kinds[files->groupings->kind]);
	if (files->bindings)
		print_bindings(files->bindings, out);
	if (files->rankfile)
		fprintf(out, "rank file    %u ranks, on %u cores each at most\n",
			files->rankfile->count, most_cores(files->rankfile));
}

static void print_ranks(const struct place_files *files, const uint32_t *image, FILE *out)
{
	const struct logical *logical = files->logical;
	const struct machine *machine = files->machine;
	uint32_t *devices = allocate((size_t)logical->device_count + 1, sizeof(*devices));

	fprintf(out, "\nrank  mesh  host rank  %-16s devices\n", "host");
	for (uint32_t rank = 0; rank < logical->rank_count; rank++) {
		const struct logical_mesh *mesh =
			&logical->meshes[logical_mesh_of_rank(logical, rank)];
		uint32_t count = rank_devices(logical, machine, image, rank, devices);
		uint32_t chip = rank_chip(logical, image, rank);

		fprintf(out, "%4u  %4u  %9u  %-16s ", rank, mesh->id, rank - mesh->first_rank,
			machine->hosts[machine->chips[chip].host].name);
		for (uint32_t i = 0; i < count; i++)
			fprintf(out, "%s%u", i ? "," : "", devices[i]);
		fputs(count ? "\n" : "-\n", out);
	}
	free(devices);
}

static void print_chips(const struct place_files *files, const uint32_t *image, FILE *out)
{
	const struct logical *logical = files->logical;

	fprintf(out, "mesh  chip  row  column  %-16s tray  asic  device  id\n", "host");
	for (uint32_t i = 0; i < logical->device_count; i++) {
		const struct logical_mesh *mesh = &logical->meshes[logical_mesh_of(logical, i)];
		const struct machine_chip *chip = &files->machine->chips[image[i]];
		uint32_t at = i - mesh->first;

		fprintf(out, "%4u  %4u  %3u  %6u  %-16s %4u  %4u  ", mesh->id, at,
			at / mesh->columns, at % mesh->columns,
			files->machine->hosts[chip->host].name, chip->tray, chip->location);
		if (chip->device == MACHINE_NONE)
			fprintf(out, "%6s", "-");
		else
			fprintf(out, "%6u", chip->device);
		fprintf(out, "  %llu\n", (unsigned long long)chip->id);
	}
}

static void place_print_lines(const char *lines, const char *indent, FILE *out)
{
	while (*lines) {
		size_t length = strcspn(lines, "\n");

		fprintf(out, "%s%.*s\n", indent, (int)length, lines);
		lines += length + (lines[length] == '\n');
	}
}

/* Prints the channels that the placement lacks. Policy RELAXED allows that they are missing. */
static void print_relaxed(
	const struct place_files *files, const struct mesh_placement *placement, FILE *out)
{
	enum { SAID_MAX = 32 };

	if (placement->lack_count)
		fputs("fewer channels than the descriptor asks for, as policy RELAXED allows:\n",
			out);
	for (uint32_t i = 0; i < placement->lack_count && i < SAID_MAX; i++) {
		struct text text = {0};

		place_lack_say(
			files->logical, files->machine, &placement->lacks[i], "wanted", &text);
		fprintf(out, "  %s\n", text_string(&text));
		text_fini(&text);
	}
	if (placement->lack_count > SAID_MAX)
		fprintf(out, "  and %u more\n", placement->lack_count - SAID_MAX);
}

void place_print(const struct place_files *files, const struct mesh_placement *placement,
	const struct advices *advices, FILE *out)
{
	if (placement->verdict == SOLVE_FOUND) {
		print_chips(files, placement->image, out);
		print_ranks(files, placement->image, out);
		fputc('\n', out);
		place_draw(files, placement->image, out);
		fprintf(out, "placed: %u devices on %u chips; %s\n", files->logical->device_count,
			files->machine->chip_count, placement->how);
		print_relaxed(files, placement, out);
		return;
	}
	fprintf(out,
		placement->verdict == SOLVE_NONE
			? "does not fit: there is no such mapping (%s)\n"
			: "not placed: no mapping was found, and none excluded (%s)\n",
		placement->how);
	place_print_lines(text_string(&placement->why), "  ", out);
	advices_print(advices, out);
}
