/* `meshsim platform show`: prints a platform with all its constants, as text or as JSON. */
#include <string.h>

#include "base/json.h"
#include "private.h"

static unsigned pcie_chips(const struct cluster_info *cluster)
{
	unsigned count = 0;

	for (uint32_t i = 0; i < cluster->chip_count; i++)
		count += cluster->chips[i].has_pcie;
	return count;
}

/* True if the list contains the word. Commas separate words. */
static bool has_word(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; (at = strstr(at, word)) != NULL; at += length)
		if ((at == list || strchr(", ", at[-1])) && strchr(", ", at[length]))
			return true;
	return false;
}

bool platform_borrows(const struct platform *platform, const struct platform_constant *constant)
{
	const struct platform_shape *shape = &platform->shape;

	return (constant->given.kind == CONSTANT_FITTED ||
		       constant->given.kind == CONSTANT_MEASURED) &&
	       shape->measured_on[0] && !has_word(shape->measured_on, shape->name);
}

static void show_origin(const struct platform *platform, FILE *out)
{
	uint32_t kinds[CONSTANT_KINDS] = {0}, borrowed = 0;

	for (size_t i = 0; i < platform->constant_count; i++) {
		kinds[platform->constants[i].given.kind]++;
		borrowed += platform_borrows(platform, &platform->constants[i]);
	}
	fprintf(out, "constants    %u published, %u measured, %u fitted, %u assumed\n",
		kinds[CONSTANT_PUBLISHED], kinds[CONSTANT_MEASURED], kinds[CONSTANT_FITTED],
		kinds[CONSTANT_ASSUMED]);
	if (borrowed > 0)
		fprintf(out,
			"borrowed     %u of them from %s: this machine itself was never measured\n",
			borrowed, platform->shape.measured_on);
	fprintf(out, "\n");
}

/* Writes the kind of a constant, such as "fitted" or "fitted, borrowed". */
static const char *kind_text(const struct platform *platform,
	const struct platform_constant *constant, char *out, size_t size)
{
	snprintf(out, size, "%s%s", constant_kind_name(constant->given.kind),
		platform_borrows(platform, constant) ? ", borrowed" : "");
	return out;
}

/* Writes the value in the unit of the file, with only as many digits as an exact value needs. */
static const char *value_text(const struct platform_constant *constant, char *out, size_t size)
{
	snprintf(out, size, "%.12g", constant->given.value);
	return out;
}

static void show_hosts(const struct platform *platform, FILE *out)
{
	const struct platform_hosts *hosts = platform_hosts(platform);

	if (hosts)
		fprintf(out,
			"hosts        %u of these along the %s: %u x %u chips; one more for the "
			"controller%s%s",
			hosts->count, hosts->along == PLATFORM_ALONG_ROWS ? "rows" : "columns",
			hosts->mesh_rows, hosts->mesh_columns,
			hosts->machines == PLATFORM_MACHINE_ONE
				? "; all are processes of one machine"
				: "",
			hosts->cores == PLATFORM_CORES_OWN ? ", each on a core of its own" : "");
	if (hosts && hosts->links > 0)
		fprintf(out, "; %u links join two neighbours on two hosts%s", hosts->links,
			hosts->wraps ? ", which form a ring" : "");
	if (hosts)
		fprintf(out, "\n");
}

static void show_shape(const struct platform *platform, FILE *out)
{
	const struct cluster_info *cluster = &platform->cluster;
	const struct topology_shape *topology = &platform->shape.topology;
	const struct chip_geometry *geometry = cluster->chips[0].geometry;

	fprintf(out, "platform     %s\n", platform->shape.name);
	if (platform->shape.description[0])
		fprintf(out, "             %s\n", platform->shape.description);
	fprintf(out, "mesh         %u x %u chips%s%s, %u parallel links\n", cluster->mesh_rows,
		cluster->mesh_columns, topology->wrap[0] ? ", rows wrap" : "",
		topology->wrap[1] ? ", columns wrap" : "", topology->links);
	if (topology->wiring)
		fprintf(out, "wiring       %u chips, %u connections, one by one\n",
			topology->wiring->chip_count, topology->wiring->link_count);
	if (topology->gateways)
		fprintf(out, "gateways     %u, %u parallel links each\n", cluster->mesh_rows,
			topology->gateways->links);
	if (topology->missing.chip_count + topology->missing.connections.count +
			topology->missing.links.count >
		0)
		fprintf(out, "missing      %u chips, %u connections, %u single links\n",
			topology->missing.chip_count, topology->missing.connections.count,
			topology->missing.links.count);
	fprintf(out, "PCIe         %u of %u chips\n", pcie_chips(cluster), cluster->chip_count);
	fprintf(out, "workers      %u x %u per chip, %u %s tiles for dispatch\n",
		geometry->worker_columns, geometry->worker_rows, geometry->dispatch_tile_count,
		platform_dispatches_on_ethernet(platform) ? "Ethernet" : "Tensix");
	fprintf(out, "Tensix tiles %u in all\n", platform_tensix_tiles(platform));
	show_hosts(platform, out);
}

static void show_constants(const struct platform *platform, FILE *out)
{
	char text[64], kind[64];
	int name_width = 8, value_width = 5, unit_width = 4, kind_width = 9;

	for (size_t i = 0; i < platform->constant_count; i++) {
		const struct platform_constant *constant = &platform->constants[i];
		int name = (int)strlen(constant->name);
		int value = (int)strlen(value_text(constant, text, sizeof(text)));
		int unit = (int)strlen(constant->given.unit);
		name_width = name > name_width ? name : name_width;
		value_width = value > value_width ? value : value_width;
		unit_width = unit > unit_width ? unit : unit_width;
		if (platform_borrows(platform, constant))
			kind_width = (int)strlen("measured, borrowed");
	}
	fprintf(out, "%-*s  %*s  %-*s  %-*s  %s\n", name_width, "constant", value_width, "value",
		unit_width, "unit", kind_width, "kind", "source");
	for (size_t i = 0; i < platform->constant_count; i++) {
		const struct platform_constant *constant = &platform->constants[i];
		fprintf(out, "%-*s  %*s  %-*s  %-*s  %s\n", name_width, constant->name, value_width,
			value_text(constant, text, sizeof(text)), unit_width, constant->given.unit,
			kind_width, kind_text(platform, constant, kind, sizeof(kind)),
			constant->given.source);
	}
}

static void show_write_constant(struct json *json, const struct platform *platform,
	const struct platform_constant *constant)
{
	json_object(json);
	json_text(json, "name", constant->name);
	json_real_of(json, "value", constant->given.value);
	json_text(json, "unit", constant->given.unit);
	json_text(json, "kind", constant_kind_name(constant->given.kind));
	json_bool_of(json, "borrowed", platform_borrows(platform, constant));
	json_text(json, "source", constant->given.source);
	json_text(json, "what", constant->spec->what);
	json_object_end(json);
}

static void write_pair(struct json *json, const char *key, unsigned first, unsigned second)
{
	json_array_of(json, key);
	json_unsigned(json, first);
	json_unsigned(json, second);
	json_array_end(json);
}

static void show_json(const struct platform *platform, FILE *out)
{
	const struct cluster_info *cluster = &platform->cluster;
	const struct chip_geometry *geometry = cluster->chips[0].geometry;
	struct json json;

	json_start(&json, NULL);
	json_object(&json);
	json_text(&json, "name", platform->shape.name);
	json_text(&json, "description", platform->shape.description);
	json_text(&json, "measured_on", platform->shape.measured_on);
	write_pair(&json, "mesh", cluster->mesh_rows, cluster->mesh_columns);
	json_unsigned_of(&json, "chips", cluster->chip_count);
	json_unsigned_of(&json, "chips_with_pcie", pcie_chips(cluster));
	write_pair(&json, "workers", geometry->worker_columns, geometry->worker_rows);
	json_unsigned_of(&json, "dispatch_tiles", geometry->dispatch_tile_count);
	json_unsigned_of(&json, "idle_ethernet_tiles", geometry->idle_ethernet_count);
	json_unsigned_of(&json, "tensix_tiles", platform_tensix_tiles(platform));
	json_unsigned_of(&json, "connections", cluster->connection_count);
	if (platform->hosts.count > 0) {
		json_unsigned_of(&json, "hosts", platform->hosts.count);
		write_pair(&json, "mesh_of_hosts", platform->hosts.mesh_rows,
			platform->hosts.mesh_columns);
		json_bool_of(
			&json, "one_machine", platform->hosts.machines == PLATFORM_MACHINE_ONE);
		json_unsigned_of(&json, "host_links", platform->hosts.links);
		json_bool_of(&json, "hosts_wrap", platform->hosts.wraps);
	}
	json_array_of(&json, "constants");
	for (size_t i = 0; i < platform->constant_count; i++)
		show_write_constant(&json, platform, &platform->constants[i]);
	json_array_end(&json);
	json_object_end(&json);
	json_print(&json, out);
}

void platform_show(const struct platform *platform, bool json, FILE *out)
{
	if (json) {
		show_json(platform, out);
		return;
	}
	show_shape(platform, out);
	show_origin(platform, out);
	show_constants(platform, out);
}
