/* `meshsim platform show`: what a platform says, for people and as JSON; and its JSON Schema.
 * Refuses nothing. */
#include <string.h>

#include "private.h"

static unsigned pcie_chips(const struct cluster_info *cluster)
{
	unsigned count = 0;

	for (uint32_t i = 0; i < cluster->chip_count; i++)
		count += cluster->chips[i].has_pcie;
	return count;
}

/* The value as the file says it, with as few digits as say it exactly enough. */
static const char *value_text(const struct platform_constant *constant, char *out, size_t size)
{
	snprintf(out, size, "%.12g", constant->given.value);
	return out;
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
	if (topology->gateways)
		fprintf(out, "gateways     %u, %u parallel links each\n", cluster->mesh_rows,
			topology->gateways->links);
	fprintf(out, "PCIe         %u of %u chips\n", pcie_chips(cluster), cluster->chip_count);
	fprintf(out, "workers      %u x %u per chip, %u Tensix tiles for dispatch\n",
		geometry->worker_columns, geometry->worker_rows, geometry->dispatch_tile_count);
	fprintf(out, "Tensix tiles %u in all\n\n", platform_tensix_tiles(platform));
}

static void show_constants(const struct platform *platform, FILE *out)
{
	char text[64];
	int name_width = 8, value_width = 5, unit_width = 4;

	for (size_t i = 0; i < platform->constant_count; i++) {
		const struct platform_constant *constant = &platform->constants[i];
		int name = (int)strlen(constant->name);
		int value = (int)strlen(value_text(constant, text, sizeof(text)));
		int unit = (int)strlen(constant->given.unit);
		name_width = name > name_width ? name : name_width;
		value_width = value > value_width ? value : value_width;
		unit_width = unit > unit_width ? unit : unit_width;
	}
	fprintf(out, "%-*s  %*s  %-*s  %-9s  %s\n", name_width, "constant", value_width, "value",
		unit_width, "unit", "kind", "source");
	for (size_t i = 0; i < platform->constant_count; i++) {
		const struct platform_constant *constant = &platform->constants[i];
		fprintf(out, "%-*s  %*s  %-*s  %-9s  %s\n", name_width, constant->name, value_width,
			value_text(constant, text, sizeof(text)), unit_width, constant->given.unit,
			constant_kind_name(constant->given.kind), constant->given.source);
	}
}

static void append_pair(struct text *out, const char *key, const char *value)
{
	text_append_json(out, key);
	text_append(out, ": ");
	text_append_json(out, value);
}

static void append_constant(
	struct text *out, const struct platform_constant *constant, bool is_last)
{
	text_append(out, "    {");
	append_pair(out, "name", constant->name);
	text_printf(out, ", \"value\": %.17g, ", constant->given.value);
	append_pair(out, "unit", constant->given.unit);
	text_append(out, ", ");
	append_pair(out, "kind", constant_kind_name(constant->given.kind));
	text_append(out, ", ");
	append_pair(out, "source", constant->given.source);
	text_append(out, ", ");
	append_pair(out, "what", constant->spec->what);
	text_append(out, is_last ? "}\n" : "},\n");
}

static void show_json(const struct platform *platform, FILE *out)
{
	const struct cluster_info *cluster = &platform->cluster;
	const struct chip_geometry *geometry = cluster->chips[0].geometry;
	struct text text;

	text_init(&text);
	text_append(&text, "{\n  ");
	append_pair(&text, "name", platform->shape.name);
	text_append(&text, ",\n  ");
	append_pair(&text, "description", platform->shape.description);
	text_printf(&text,
		",\n  \"mesh\": [%u, %u],\n  \"chips\": %u,\n  \"chips_with_pcie\": %u,\n"
		"  \"workers\": [%u, %u],\n  \"dispatch_tiles\": %u,\n  \"tensix_tiles\": %u,\n"
		"  \"connections\": %u,\n  \"constants\": [\n",
		cluster->mesh_rows, cluster->mesh_columns, cluster->chip_count, pcie_chips(cluster),
		geometry->worker_columns, geometry->worker_rows, geometry->dispatch_tile_count,
		platform_tensix_tiles(platform), cluster->connection_count);
	for (size_t i = 0; i < platform->constant_count; i++)
		append_constant(&text, &platform->constants[i], i + 1 == platform->constant_count);
	text_append(&text, "  ]\n}\n");
	fputs(text_string(&text), out);
	text_fini(&text);
}

void platform_show(const struct platform *platform, bool json, FILE *out)
{
	if (json) {
		show_json(platform, out);
		return;
	}
	show_shape(platform, out);
	show_constants(platform, out);
}
