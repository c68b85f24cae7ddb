/* The shape of a machine: the schemas of `tiles` and `topology`, and checks of values that must fit
 * together. Rejects machines whose chips cannot be wired, or cannot be reached from the host. */
#include <string.h>

#include "private.h"

enum { VERSION = 1, LINKS_MAX = 16 };

static const struct schema_field line_item = SCHEMA_ITEM_INT(uint8_t, .max = 63);
static const struct schema_field coordinate_number = SCHEMA_ITEM_INT(uint8_t, .max = 63);
static const struct schema_field coordinate_item =
	SCHEMA_ITEM_ARRAY(struct coordinate, &coordinate_number);
static const struct schema_field grid_item = SCHEMA_ITEM_INT(uint8_t, .min = 1, .max = 64);
static const struct schema_field side = SCHEMA_ITEM_INT(uint16_t, .min = 1, .max = BOUND_EXTENT);
static const struct schema_field flag_item = {.kind = SCHEMA_KIND_BOOL, .size = sizeof(bool)};

/* Reads `harvested_by_chip`: [[row, ...], ...] */
static void bind_harvested(const struct schema_field *field, const struct tree_node *node,
	void *member, const struct schema_context *context)
{
	struct tiles_shape *tiles =
		(struct tiles_shape *)((char *)member -
				       offsetof(struct tiles_shape, harvested_by_chip));
	char text[TREE_DESCRIBE_BYTES];

	(void)field;
	if (node->kind != TREE_SEQUENCE) {
		diag_error(context->diag, node->where,
			"'harvested_by_chip' must be a list of lists of rows, not %s",
			tree_describe(node, text, sizeof(text)));
		return;
	}
	tiles->harvested_count = node->count;
	tiles->harvested_by_chip =
		arena_array(context->arena, node->count, sizeof(*tiles->harvested_by_chip));
	for (uint32_t i = 0; i < node->count; i++) {
		const struct tree_node *rows = node->items[i];
		uint8_t *items;

		if (rows->kind != TREE_SEQUENCE) {
			diag_error(context->diag, rows->where, "a list of rows is expected, not %s",
				tree_describe(rows, text, sizeof(text)));
			continue;
		}
		items = arena_array(context->arena, rows->count, sizeof(*items));
		for (uint32_t k = 0; k < rows->count; k++)
			schema_bind_value(&line_item, rows->items[k], &items[k], context);
		tiles->harvested_by_chip[i] = (struct indices){items, rows->count};
	}
}

static const char *const dispatch_cores_names[] = {
	[DISPATCH_CORES_WORKER] = "worker", [DISPATCH_CORES_ETHERNET] = "ethernet", NULL};

static const char *const arch_names[] = {"any", "wormhole_b0", "blackhole", "quasar", NULL};
static const char *const mask_names[] = {"rows", "columns", NULL};

static const struct schema_field tiles_fields[] = {
	SCHEMA_ENUM(struct tiles_shape, arch, "arch", arch_names, .fallback = "any",
		.help = "of the cluster descriptors whose harvesting masks are meant for them"),
	SCHEMA_ENUM(struct tiles_shape, harvest_mask, "harvest_mask", mask_names,
		.fallback = "rows",
		.help = "whether bit i of such a mask is the tensix_rows' or the tensix_columns' "
			"item i"),
	SCHEMA_ARRAY(struct tiles_shape, grid, "grid", &grid_item, .required = true,
		.help = "columns and rows of NoC nodes"),
	SCHEMA_LIST(struct tiles_shape, tensix_columns.items, tensix_columns.count,
		"tensix_columns", &line_item, .min = 1, .max = 64, .required = true,
		.help = "NoC columns that hold Tensix tiles"),
	SCHEMA_LIST(struct tiles_shape, tensix_rows.items, tensix_rows.count, "tensix_rows",
		&line_item, .min = 2, .max = 64, .required = true,
		.help = "NoC rows that hold Tensix tiles"),
	SCHEMA_LIST(struct tiles_shape, harvested.rows.items, harvested.rows.count,
		"harvested_rows", &line_item, .max = 62, .fallback = "[]",
		.help = "of these rows, those that are switched off"),
	SCHEMA_LIST(struct tiles_shape, harvested.columns.items, harvested.columns.count,
		"harvested_columns", &line_item, .max = 62, .fallback = "[]",
		.help = "of these columns, those that are switched off"),
	SCHEMA_CUSTOM(struct tiles_shape, harvested_by_chip, "harvested_by_chip", bind_harvested,
		.json = "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"array\", "
			"\"items\": {\"type\": \"integer\", \"minimum\": 0}}}",
		.help = "where chips differ: such rows of every chip of the mesh in turn, as many "
			"on each, in place of harvested_rows"),
	SCHEMA_INT(struct tiles_shape, dispatch_rows, "dispatch_rows", .max = 62, .required = true,
		.help = "last rows that are set aside for dispatch firmware"),
	SCHEMA_INT(struct tiles_shape, dispatch_columns, "dispatch_columns", .max = 62,
		.fallback = "0", .help = "last columns of the mesh's chips set aside for it"),
	SCHEMA_ENUM(struct tiles_shape, dispatch_cores, "dispatch_cores", dispatch_cores_names,
		.fallback = "worker",
		.help = "where dispatch firmware stands: there, or on Ethernet tiles without link"),
	SCHEMA_LIST(struct tiles_shape, ethernet.items, ethernet.count, "ethernet",
		&coordinate_item, .max = 64, .required = true, .help = "[x, y] of Ethernet tiles"),
	SCHEMA_LIST(struct tiles_shape, dram.items, dram.count, "dram", &coordinate_item, .min = 1,
		.max = 64, .required = true, .help = "[x, y] of one DRAM tile per bank"),
	SCHEMA_ARRAY(struct tiles_shape, pcie, "pcie", &coordinate_number, .required = true,
		.help = "[x, y] of the PCIe tile"),
};
static const struct schema tiles_schema = SCHEMA("tiles", struct tiles_shape, tiles_fields,
	SCHEMA_WHERE(struct tiles_shape, where), .help = "tiles of a chip");

static const struct schema_field gateway_fields[] = {
	SCHEMA_INT(struct gateway_shape, links, "links", .min = 1, .max = LINKS_MAX,
		.required = true, .help = "parallel Ethernet links to the first chip of its row"),
	SCHEMA_LIST(struct gateway_shape, harvested.rows.items, harvested.rows.count,
		"harvested_rows", &line_item, .max = 62, .fallback = "[]",
		.help = "Tensix rows that are switched off on gateways"),
	SCHEMA_INT(struct gateway_shape, dispatch_rows, "dispatch_rows", .max = 62,
		.required = true, .help = "last rows of a gateway set aside for dispatch firmware"),
};
static const struct schema gateway_schema = SCHEMA("gateways", struct gateway_shape, gateway_fields,
	.help = "one more chip with PCIe per row of the mesh, joined to the row's first chip");

static void bind_pcie(const struct schema_field *field, const struct tree_node *node, void *member,
	const struct schema_context *context)
{
	struct topology_shape *topology =
		(struct topology_shape *)((char *)member -
					  offsetof(struct topology_shape, pcie_all));
	char text[TREE_DESCRIBE_BYTES];

	(void)field;
	if (node->kind == TREE_SCALAR && strcmp(node->text, "all") == 0) {
		topology->pcie_all = true;
	} else if (node->kind == TREE_SEQUENCE) {
		uint8_t *columns = arena_array(context->arena, node->count, sizeof(*columns));
		for (uint32_t i = 0; i < node->count; i++)
			schema_bind_value(&line_item, node->items[i], &columns[i], context);
		topology->pcie_columns = (struct indices){columns, node->count};
	} else if (node->kind != TREE_SCALAR || strcmp(node->text, "none") != 0) {
		diag_error(context->diag, node->where,
			"'pcie' must be all, none, or a list of columns, not %s",
			tree_describe(node, text, sizeof(text)));
	}
}

static const struct schema_field topology_fields[] = {
	SCHEMA_ARRAY(struct topology_shape, mesh, "mesh", &side, .required = true,
		SCHEMA_WHERE(struct topology_shape, mesh_where),
		.help = "rows and columns of chips"),
	SCHEMA_ARRAY(struct topology_shape, wrap, "wrap", &flag_item, .fallback = "[false, false]",
		SCHEMA_WHERE(struct topology_shape, wrap_where),
		.help = "whether each row, and each column, closes to a ring"),
	SCHEMA_INT(struct topology_shape, links, "links", .min = 1, .max = LINKS_MAX,
		.required = true, .help = "parallel Ethernet links between neighbours"),
	SCHEMA_INT(struct topology_shape, other_links, "other_links", .max = LINKS_MAX,
		.fallback = "0",
		.help = "links of every chip that carry nothing of ours, but take an Ethernet "
			"tile"),
	SCHEMA_CUSTOM(struct topology_shape, pcie_all, "pcie", bind_pcie, .required = true,
		.json = "{\"anyOf\": [{\"enum\": [\"all\", \"none\"]}, {\"type\": \"array\", "
			"\"items\": {\"type\": \"integer\", \"minimum\": 0}}]}",
		.help = "chips of the mesh with PCIe: all, none, or the columns that have it"),
	SCHEMA_MAP_PTR(struct topology_shape, gateways, "gateways", &gateway_schema,
		.help = "chips with PCIe beside the mesh"),
	SCHEMA_MAP(struct topology_shape, missing, "missing", &missing_schema,
		.help = "what of the mesh is out of order"),
	SCHEMA_MAP_PTR(struct topology_shape, wiring, "wiring", &wiring_schema,
		.help = "every chip and link, one by one"),
};

struct harvest shape_harvested(const struct tiles_shape *tiles, unsigned chip)
{
	struct harvest harvested = tiles->harvested;

	if (tiles->harvested_count > 0)
		harvested.rows = tiles->harvested_by_chip[chip % tiles->harvested_count];
	return harvested;
}

static bool has_index(const struct indices *lines, unsigned value)
{
	for (uint32_t i = 0; i < lines->count; i++)
		if (lines->items[i] == value)
			return true;
	return false;
}

/* Number of Ethernet links of a chip. Each link needs its own Ethernet tile. */
unsigned shape_links(const struct topology_shape *topology, unsigned row, unsigned column)
{
	unsigned rows = topology->mesh[0], columns = topology->mesh[1];
	unsigned across = (column > 0 ? 1u : 0u) + (column + 1 < columns ? 1u : 0u);
	unsigned down = (row > 0 ? 1u : 0u) + (row + 1 < rows ? 1u : 0u);

	if (topology->wrap[0])
		across = 2;
	if (topology->wrap[1])
		down = 2;
	return (across + down) * topology->links + topology->other_links +
	       (topology->gateways && column == 0 ? topology->gateways->links : 0);
}

uint32_t shape_chips(const struct topology_shape *topology)
{
	if (topology->wiring)
		return topology->wiring->chip_count;
	return (uint32_t)topology->mesh[0] * topology->mesh[1] +
	       (topology->gateways ? topology->mesh[0] : 0);
}

static void check_topology(
	void *object, const struct tree_node *node, const struct schema_context *context)
{
	const struct topology_shape *topology = object;
	unsigned rows = topology->mesh[0], columns = topology->mesh[1];
	struct diag *diag = context->diag;

	if (shape_chips(topology) > BOUND_CHIPS)
		diag_error(diag, topology->mesh_where, "%u chips are more than %d: " CHIP_NUMBERS,
			shape_chips(topology), BOUND_CHIPS);
	if (topology->wrap[0] && columns < 3)
		diag_error(diag, topology->wrap_where,
			"rows of %u chips cannot close to a ring: it takes 3", columns);
	if (topology->wrap[1] && rows < 3)
		diag_error(diag, topology->wrap_where,
			"columns of %u chips cannot close to a ring: it takes 3", rows);
	for (uint32_t i = 0; i < topology->pcie_columns.count; i++)
		if (topology->pcie_columns.items[i] >= columns)
			diag_error(diag, tree_where(node, "pcie"),
				"no column %u in a mesh of %u columns",
				topology->pcie_columns.items[i], columns);
	if (!topology->pcie_all && topology->pcie_columns.count == 0 && !topology->gateways &&
		!topology->wiring)
		diag_error(diag, tree_where(node, "pcie"),
			"no chip has PCIe: the host could not reach any of them");
	missing_check(topology, node, diag);
}

static const struct schema topology_schema = SCHEMA("topology", struct topology_shape,
	topology_fields, SCHEMA_WHERE(struct topology_shape, where), .check = check_topology,
	.help = "how chips are wired");

static const struct schema_field root_fields[] = {
	SCHEMA_INT(struct platform_shape, version, "meshsim_platform", .min = VERSION,
		.max = VERSION, .required = true, .help = "version of this format"),
	SCHEMA_STRING(struct platform_shape, name, "name", .required = true, .help = "short name"),
	SCHEMA_STRING(struct platform_shape, description, "description", .fallback = "''",
		.allow_empty = true, .help = "one line for people"),
	SCHEMA_STRING(struct platform_shape, measured_on, "measured_on", .fallback = "''",
		.allow_empty = true,
		.help = "platforms, separated by commas, on whose figures measured and fitted "
			"constants rest: to others they are borrowed"),
	SCHEMA_MAP(struct platform_shape, tiles, "tiles", &tiles_schema, .required = true,
		.help = "tiles of a chip"),
	SCHEMA_MAP(struct platform_shape, topology, "topology", &topology_schema, .required = true,
		.help = "how chips are wired"),
	SCHEMA_MAP_PTR(struct platform_shape, hosts, "hosts", &hosts_schema,
		.help = "so many such machines, a server each, and one more for the controller"),
};

/* Checks harvested lines of one `kind` ("row" or "column"). `lines` are all lines of that kind. */
static void check_lines(const char *kind, const struct indices *lines,
	const struct indices *harvested, struct location where, struct diag *diag)
{
	for (uint32_t i = 0; i < harvested->count; i++) {
		if (!has_index(lines, harvested->items[i]))
			diag_error(diag, where, "harvested %s %u is no %s of Tensix tiles", kind,
				harvested->items[i], kind);
		for (uint32_t k = 0; k < i; k++)
			if (harvested->items[k] == harvested->items[i])
				diag_error(diag, where, "harvested %s %u is there twice", kind,
					harvested->items[i]);
	}
}

static void check_columns_off(const struct tiles_shape *tiles, const struct indices *harvested,
	struct location where, struct diag *diag)
{
	check_lines("column", &tiles->tensix_columns, harvested, where, diag);
	if (harvested->count >= tiles->tensix_columns.count)
		diag_error(diag, where, "all columns of Tensix tiles are harvested");
}

/* Checks the lists of harvested rows, one for each chip of a mesh. The grids of all chips must have
 * the same size, so each list must have the same number of rows. */
static void check_harvested_by_chip(
	const struct tiles_shape *tiles, const struct tree_node *node, struct diag *diag)
{
	const struct tree_node *list = tree_get(node, "harvested_by_chip");

	if (list && list->kind == TREE_SEQUENCE && list->count == 0)
		diag_error(diag, list->where, "harvested_by_chip of no chip");
	for (uint32_t i = 0; i < tiles->harvested_count; i++) {
		const struct indices *harvested = &tiles->harvested_by_chip[i];

		check_lines("row", &tiles->tensix_rows, harvested, list->items[i]->where, diag);
		if (harvested->count != tiles->harvested_by_chip[0].count)
			diag_error(diag, list->items[i]->where,
				"%u harvested rows, but the first chip has %u: programs need one "
				"grid on all",
				harvested->count, tiles->harvested_by_chip[0].count);
	}
}

/* Checks that the lines for dispatch, given in the map `node`, leave one for programs. */
static void check_left(const char *kind, const struct indices *lines,
	const struct indices *harvested, unsigned dispatch, const struct tree_node *node,
	struct diag *diag)
{
	unsigned off = harvested->count, left = off < lines->count ? lines->count - off : 0;

	if (dispatch >= left)
		diag_error(diag,
			tree_where(node, *kind == 'r' ? "dispatch_rows" : "dispatch_columns"),
			"%u %ss for dispatch leave none for programs: there are %u", dispatch, kind,
			left);
}

static void check_lines_left(const struct tiles_shape *tiles, const struct harvest *harvested,
	const struct tree_node *node, struct diag *diag)
{
	check_left("row", &tiles->tensix_rows, &harvested->rows, tiles->dispatch_rows, node, diag);
	if (tiles->dispatch_columns > 0)
		check_left("column", &tiles->tensix_columns, &harvested->columns,
			tiles->dispatch_columns, node, diag);
}

/* The places of the grid that are taken so far. */
struct places_taken {
	const struct tiles_shape *tiles;
	struct diag *diag;
	bool taken[64][64];
};

static void shape_take(struct places_taken *places, unsigned x, unsigned y, struct location where)
{
	if (x >= places->tiles->grid[0] || y >= places->tiles->grid[1])
		diag_error(places->diag, where, "tile [%u, %u] is outside the grid of %ux%u", x, y,
			places->tiles->grid[0], places->tiles->grid[1]);
	else if (places->taken[x][y])
		diag_error(places->diag, where, "two tiles at [%u, %u]", x, y);
	else
		places->taken[x][y] = true;
}

/* Reports two tiles at one place, and tiles outside the grid. */
static void check_places(
	const struct tiles_shape *tiles, const struct tree_node *node, struct diag *diag)
{
	struct places_taken places = {.tiles = tiles, .diag = diag};

	for (uint32_t i = 0; i < tiles->tensix_columns.count; i++)
		for (uint32_t j = 0; j < tiles->tensix_rows.count; j++)
			shape_take(&places, tiles->tensix_columns.items[i],
				tiles->tensix_rows.items[j], tree_where(node, "tensix_rows"));
	for (uint32_t i = 0; i < tiles->ethernet.count; i++)
		shape_take(&places, tiles->ethernet.items[i].at[0], tiles->ethernet.items[i].at[1],
			tree_where(node, "ethernet"));
	for (uint32_t i = 0; i < tiles->dram.count; i++)
		shape_take(&places, tiles->dram.items[i].at[0], tiles->dram.items[i].at[1],
			tree_where(node, "dram"));
	shape_take(&places, tiles->pcie[0], tiles->pcie[1], tree_where(node, "pcie"));
}

/* Checks that every link has its own Ethernet tile at both ends. */
static void check_links(
	const struct platform_shape *shape, const struct tree_node *node, struct diag *diag)
{
	const struct topology_shape *topology = &shape->topology;

	for (unsigned row = 0; row < topology->mesh[0]; row++)
		for (unsigned column = 0; column < topology->mesh[1]; column++) {
			unsigned links = shape_links(topology, row, column);

			if (links <= shape->tiles.ethernet.count)
				continue;
			diag_error(diag, tree_where(node, "links"),
				"the chip at row %u, column %u has %u links and %u Ethernet tiles",
				row, column, links, shape->tiles.ethernet.count);
			return;
		}
}

static void check_wiring(const struct platform_shape *shape, const struct tree_node *node,
	const struct tree_node *tiles, struct diag *diag)
{
	const struct wiring_shape *wiring = shape->topology.wiring;
	const struct tree_node *chips = tree_find(node, "topology.wiring.chips");

	wired_check(shape, tree_get(node, "topology"), diag);
	for (uint32_t i = 0; i < wiring->chip_count; i++) {
		const struct harvest *harvested = &wiring->chips[i].harvested;

		check_lines("row", &shape->tiles.tensix_rows, &harvested->rows,
			chips->items[i]->where, diag);
		check_columns_off(&shape->tiles, &harvested->columns, chips->items[i]->where, diag);
	}
	check_lines_left(&shape->tiles, &wiring->chips[0].harvested, tiles, diag);
}

static void check_shape(
	void *object, const struct tree_node *node, const struct schema_context *context)
{
	const struct platform_shape *shape = object;
	const struct gateway_shape *gateways = shape->topology.gateways;
	const struct tree_node *tiles = tree_get(node, "tiles");
	const struct tree_node *of_gateways = tree_find(node, "topology.gateways");
	struct harvest harvested = shape_harvested(&shape->tiles, 0);

	check_places(&shape->tiles, tiles, context->diag);
	if (shape->tiles.harvested_count == 0)
		check_lines("row", &shape->tiles.tensix_rows, &shape->tiles.harvested.rows,
			tree_where(tiles, "harvested_rows"), context->diag);
	check_columns_off(&shape->tiles, &shape->tiles.harvested.columns,
		tree_where(tiles, "harvested_columns"), context->diag);
	check_harvested_by_chip(&shape->tiles, tiles, context->diag);
	check_lines_left(&shape->tiles, &harvested, tiles, context->diag);
	if (gateways) {
		check_lines("row", &shape->tiles.tensix_rows, &gateways->harvested.rows,
			tree_where(of_gateways, "harvested_rows"), context->diag);
		check_left("row", &shape->tiles.tensix_rows, &gateways->harvested.rows,
			gateways->dispatch_rows, of_gateways, context->diag);
	}
	if (shape->topology.wiring)
		check_wiring(shape, node, tiles, context->diag);
	else
		check_links(shape, tree_get(node, "topology"), context->diag);
	if (shape->hosts)
		hosts_check(shape->hosts, shape_chips(&shape->topology), context->diag);
}

static const struct schema root_schema = SCHEMA("platform", struct platform_shape, root_fields,
	.check = check_shape, .help = "a machine and its constants");

bool shape_bind_topology(const struct tree_node *node, struct topology_shape *topology,
	struct arena *arena, struct diag *diag)
{
	return schema_bind(&topology_schema, node, topology, arena, diag);
}

bool shape_has_key(const char *key, struct nearest *nearest)
{
	for (size_t i = 0; i < root_schema.field_count; i++) {
		if (strcmp(root_fields[i].name, key) == 0)
			return true;
		nearest_offer(nearest, root_fields[i].name);
	}
	return false;
}

bool shape_bind(struct platform *platform, const struct tree_node *node, struct diag *diag)
{
	struct tree_pair pairs[sizeof(root_fields) / sizeof(root_fields[0])];
	size_t count = 0;

	if (node->kind != TREE_MAP)
		return schema_bind(&root_schema, node, &platform->shape, &platform->arena, diag);
	for (uint32_t i = 0; i < node->count && count < root_schema.field_count; i++) {
		struct nearest unused;
		nearest_start(&unused, node->pairs[i].key);
		if (shape_has_key(node->pairs[i].key, &unused))
			pairs[count++] = node->pairs[i];
	}
	struct tree_pair *kept = arena_array(&platform->arena, count, sizeof(*kept));
	memcpy(kept, pairs, count * sizeof(*kept));
	const struct tree_node *part = tree_new_map(&platform->arena, node->where, kept, count);
	return schema_bind(&root_schema, part, &platform->shape, &platform->arena, diag);
}

void shape_append_json(const struct schema_field *sections, size_t count, struct text *out)
{
#define FILE_KEY(key, json_, help_)                                                                \
	{                                                                                          \
		.name = key, .kind = SCHEMA_KIND_NODE, .size = sizeof(struct tree_node *),         \
		.json = json_, .help = help_                                                       \
	}
	static const struct schema_field layers[] = {
		FILE_KEY("extends",
			"{\"anyOf\": [{\"type\": \"string\", \"minLength\": 1}, {\"type\": "
			"\"array\", \"minItems\": 1, \"items\": {\"type\": \"string\", "
			"\"minLength\": 1}}]}",
			"name or path of the platform that this one is laid over, or several, each "
			"laid over those before it"),
		FILE_KEY("cluster", "{\"type\": [\"string\", \"array\"]}",
			"path of a UMD cluster descriptor, or one a host, of the machine to wire"),
		FILE_KEY("psd", "{\"type\": \"string\"}",
			"path of a physical system descriptor instead"),
		FILE_KEY("mgd", "{\"type\": \"string\"}",
			"path of a mesh graph descriptor, whose mesh is placed on the machine"),
		FILE_KEY("mesh", "{\"type\": \"integer\", \"minimum\": 0}",
			"which mesh of the descriptor, if it has several"),
	};
	enum {
		ROOTS = sizeof(root_fields) / sizeof(root_fields[0]),
		LAYERS = sizeof(layers) / sizeof(layers[0])
	};
	struct arena arena;
	struct schema schema = root_schema;

	arena_init(&arena);
	struct schema_field *fields = arena_array(&arena, ROOTS + count + LAYERS, sizeof(*fields));
	memcpy(fields, root_fields, sizeof(root_fields));
	memcpy(fields + ROOTS, sections, count * sizeof(*sections));
	memcpy(fields + ROOTS + count, layers, sizeof(layers));
	schema.fields = fields;
	schema.field_count = ROOTS + count + LAYERS;
	schema.layered = true;
	schema_append_json(&schema, out);
	arena_fini(&arena);
}
