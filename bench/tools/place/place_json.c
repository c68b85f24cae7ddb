/* Prints the output of `meshsim place --json`: the contents of the input files, and either the
 * placement or the reasons why there is none. */
#include <stdlib.h>
#include <string.h>

#include "advise/advise.h"
#include "base/allocate.h"
#include "place.h"

static void put_mesh(struct json *json, const struct logical *logical, uint32_t number)
{
	const struct logical_mesh *mesh = &logical->meshes[number];

	json_object(json);
	json_unsigned_of(json, "id", mesh->id);
	json_text(json, "descriptor", mesh->descriptor->name);
	json_bool_of(json, "switch", mesh->is_switch);
	json_key(json, "shape");
	json_array(json);
	json_unsigned(json, mesh->rows);
	json_unsigned(json, mesh->columns);
	json_array_end(json);
	json_key(json, "graph");
	if (mesh->instance == LOGICAL_NONE)
		json_null(json);
	else
		json_unsigned(json, mesh->instance);
	json_key(json, "links");
	json_array(json);
	for (uint32_t i = 0; i < logical->link_count; i++) {
		const struct logical_link *link = &logical->links[i];

		if (link->a - mesh->first >= mesh->count)
			continue;
		json_array(json);
		json_unsigned(json, link->a - mesh->first);
		json_unsigned(json, link->b - mesh->first);
		json_unsigned(json, link->links);
		json_unsigned(json, link->channels);
		json_array_end(json);
	}
	json_array_end(json);
	json_object_end(json);
}

static void put_end(struct json *json, const struct logical *logical, const struct logical_end *end)
{
	json_object(json);
	json_key(json, "meshes");
	json_array(json);
	for (uint32_t i = 0; i < end->mesh_count; i++)
		json_unsigned(json, logical->meshes[end->first_mesh + i].id);
	json_array_end(json);
	json_key(json, "chip");
	if (end->device == LOGICAL_NONE)
		json_null(json);
	else
		json_unsigned(json, end->device - logical->meshes[end->first_mesh].first);
	json_object_end(json);
}

static void put_connections(struct json *json, const struct logical *logical)
{
	json_key(json, "connections");
	json_array(json);
	for (uint32_t i = 0; i < logical->connection_count; i++) {
		const struct logical_connection *one = &logical->connections[i];

		json_object(json);
		json_key(json, "a");
		put_end(json, logical, &one->a);
		json_key(json, "b");
		put_end(json, logical, &one->b);
		json_unsigned_of(json, "channels", one->channels);
		json_text(json, "policy", one->relaxed ? "RELAXED" : "STRICT");
		json_bool_of(json, "z", one->z);
		json_unsigned_of(json, "graph", one->instance);
		json_object_end(json);
	}
	json_array_end(json);
}

static void put_logical(struct json *json, const struct place_files *files)
{
	const struct logical *logical = files->logical;

	json_key(json, "meshes");
	json_array(json);
	for (uint32_t i = 0; i < logical->mesh_count; i++)
		put_mesh(json, logical, i);
	json_array_end(json);
	json_key(json, "graphs");
	json_array(json);
	for (uint32_t i = 0; i < logical->instance_count; i++) {
		const struct logical_instance *instance = &logical->instances[i];

		json_object(json);
		json_text(json, "descriptor", instance->descriptor->name);
		json_text(json, "type", instance->descriptor->type);
		json_unsigned_of(json, "id", instance->id);
		json_key(json, "parent");
		if (instance->parent == LOGICAL_NONE)
			json_null(json);
		else
			json_unsigned(json, instance->parent);
		json_object_end(json);
	}
	json_array_end(json);
	put_connections(json, logical);
	json_unsigned_of(json, "pinnings", files->mesh_graph->pinning_count);
}

static void put_machine(struct json *json, const struct machine *machine)
{
	json_key(json, "machine");
	json_object(json);
	json_key(json, "hosts");
	json_array(json);
	for (uint32_t i = 0; i < machine->host_count; i++)
		json_string(json, machine->hosts[i].name);
	json_array_end(json);
	json_unsigned_of(json, "chips", machine->chip_count);
	json_unsigned_of(json, "links", machine->link_count);
	json_object_end(json);
}

static void put_chip(struct json *json, const struct machine *machine, uint32_t number)
{
	const struct machine_chip *chip = &machine->chips[number];

	json_text(json, "host", machine->hosts[chip->host].name);
	json_unsigned_of(json, "tray", chip->tray);
	json_unsigned_of(json, "asic", chip->location);
	json_unsigned_of(json, "id", chip->id);
}

static void put_image(struct json *json, const struct place_files *files, const uint32_t *image)
{
	const struct logical *logical = files->logical;

	json_key(json, "chips");
	json_array(json);
	for (uint32_t i = 0; i < logical->device_count; i++) {
		const struct logical_mesh *mesh = &logical->meshes[logical_mesh_of(logical, i)];

		json_object(json);
		json_unsigned_of(json, "mesh", mesh->id);
		json_unsigned_of(json, "chip", i - mesh->first);
		put_chip(json, files->machine, image[i]);
		json_object_end(json);
	}
	json_array_end(json);
}

static void put_ranks(struct json *json, const struct place_files *files, const uint32_t *image)
{
	const struct logical *logical = files->logical;
	uint32_t *devices = allocate((size_t)logical->device_count + 1, sizeof(*devices));

	json_key(json, "ranks");
	json_array(json);
	for (uint32_t rank = 0; rank < logical->rank_count; rank++) {
		const struct logical_mesh *mesh =
			&logical->meshes[logical_mesh_of_rank(logical, rank)];
		uint32_t count = rank_devices(logical, files->machine, image, rank, devices);
		uint32_t chip = rank_chip(logical, image, rank);

		json_object(json);
		json_unsigned_of(json, "rank", rank);
		json_unsigned_of(json, "mesh", mesh->id);
		json_unsigned_of(json, "host_rank", rank - mesh->first_rank);
		json_text(
			json, "host", files->machine->hosts[files->machine->chips[chip].host].name);
		json_key(json, "devices");
		json_array(json);
		for (uint32_t i = 0; i < count; i++)
			json_unsigned(json, devices[i]);
		json_array_end(json);
		json_object_end(json);
	}
	json_array_end(json);
	free(devices);
}

/* Writes an array with one string per line. */
static void put_lines(struct json *json, const char *key, const char *lines)
{
	json_key(json, key);
	json_array(json);
	while (*lines) {
		size_t length = strcspn(lines, "\n"), blanks = strspn(lines, " ");
		char *line = strndup(lines + blanks, length - blanks);

		json_string(json, line ? line : "");
		free(line);
		lines += length + (lines[length] == '\n');
	}
	json_array_end(json);
}

/* Writes one end of a missing link as an object with its mesh and its chip. If the link joins two
 * meshes without naming chips, writes only the mesh. */
static void put_lacking_end(
	struct json *json, const struct logical *logical, bool is_mesh, uint32_t number)
{
	uint32_t mesh = is_mesh ? number : logical_mesh_of(logical, number);

	json_object(json);
	json_unsigned_of(json, "mesh", logical->meshes[mesh].id);
	if (!is_mesh)
		json_unsigned_of(json, "chip", number - logical->meshes[mesh].first);
	json_object_end(json);
}

static void put_lacks(struct json *json, const struct place_files *files,
	const struct place_lack *lacks, uint32_t count)
{
	json_key(json, "lacks");
	json_array(json);
	for (uint32_t i = 0; i < count; i++) {
		const struct place_lack *lack = &lacks[i];

		json_object(json);
		json_text(json, "what", lack->connection ? "connection" : "link");
		json_key(json, "ends");
		json_array(json);
		put_lacking_end(json, files->logical, lack->is_join, lack->a);
		put_lacking_end(json, files->logical, lack->is_join, lack->b);
		json_array_end(json);
		json_unsigned_of(json, "needed", lack->needed);
		json_unsigned_of(json, "found", lack->found);
		json_key(json, "between");
		json_array(json);
		json_object(json);
		put_chip(json, files->machine, lack->chip_a);
		json_object_end(json);
		json_object(json);
		put_chip(json, files->machine, lack->chip_b);
		json_object_end(json);
		json_array_end(json);
		json_object_end(json);
	}
	json_array_end(json);
}

/* Returns the missing channels that would make the meshes fit, or NULL. */
static const struct change *find_lacks(const struct advices *advices)
{
	for (uint32_t i = 0; i < advices->count; i++)
		if (advices->at[i].changes[0].kind == CHANGE_CHANNELS)
			return &advices->at[i].changes[0];
	return NULL;
}

static void put_placement(struct json *json, const struct place_files *files,
	const struct mesh_placement *placement, const struct advices *advices)
{
	static const char *const verdicts[] = {"placed", "none", "budget"};
	const struct change *lacks;

	json_text(json, "verdict", verdicts[placement->verdict]);
	json_text(json, "how", placement->how);
	if (placement->verdict == SOLVE_FOUND) {
		put_image(json, files, placement->image);
		put_ranks(json, files, placement->image);
		put_lacks(json, files, placement->lacks, placement->lack_count);
		return;
	}
	put_lines(json, "why", text_string(&placement->why));
	lacks = find_lacks(advices);
	put_lacks(json, files, lacks ? lacks->lacks : NULL, lacks ? lacks->lack_count : 0);
	advices_json(json, files, advices);
}

void place_json(const struct place_files *files, const struct mesh_placement *placement,
	const struct advices *advices, const struct place_routes *routes, FILE *out)
{
	struct json json;

	json_start(&json, NULL);
	json_object(&json);
	if (placement)
		put_placement(&json, files, placement, advices);
	if (routes)
		place_routes_json(&json, files, routes);
	if (files->logical)
		put_logical(&json, files);
	if (files->machine)
		put_machine(&json, files->machine);
	if (files->groupings) {
		json_unsigned_of(
			&json, "groupings", files->groupings->count + files->groupings->row_count);
	}
	if (files->bindings) {
		json_unsigned_of(
			&json, "bindings", files->bindings->count + files->bindings->context_count);
	}
	if (files->rankfile) {
		json_unsigned_of(&json, "rankfile", files->rankfile->count);
	}
	json_object_end(&json);
	json_print(&json, out);
}
