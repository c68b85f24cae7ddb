/* Writes, for a report, the load of links and chips of one run, with their places on the mesh. All
 * parallel links between two chips become one entry. It has the utilization of the busiest link,
 * and the sums of the links' other figures. The places of chips come from the effective platform.
 */
#include <stdlib.h>
#include <string.h>

#include "base/tree.h"
#include "report_private.h"

/* All parallel links from chip `from` to chip `to`; -1 stands for the host. */
struct pair {
	int32_t from, to;
	uint32_t links;
	/* `bandwidth` is the bandwidth of one link */
	double bandwidth, busiest, bytes, messages, waited, blocked;
};

struct pairs {
	struct pair *at;
	uint32_t count;
};

static int report_mesh_compare_pairs(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

static void merge_pairs(struct pairs *pairs)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < pairs->count; i++) {
		struct pair *pair = &pairs->at[i], *last = &pairs->at[kept ? kept - 1 : 0];
		if (kept == 0 || report_mesh_compare_pairs(pair, last) != 0) {
			pairs->at[kept++] = *pair;
			continue;
		}
		last->links += pair->links;
		last->busiest = pair->busiest > last->busiest ? pair->busiest : last->busiest;
		last->bytes += pair->bytes;
		last->messages += pair->messages;
		last->waited += pair->waited;
		last->blocked += pair->blocked;
	}
	pairs->count = kept;
}

static struct pairs read_pairs(const struct dataset *links, struct arena *arena)
{
	struct pairs pairs = {arena_array(arena, links->row_count + 1, sizeof(struct pair)), 0};

	for (uint64_t row = 0; row < links->row_count; row++) {
		int32_t from = (int32_t)dataset_integer_of(links, "from", row);
		int32_t to = (int32_t)dataset_integer_of(links, "to", row);

		if (from == to && from >= 0)
			continue; /* the link is within a chip */
		pairs.at[pairs.count++] = (struct pair){
			.from = from,
			.to = to,
			.links = 1,
			.bandwidth = dataset_real_of(links, "bandwidth", row),
			.busiest = dataset_real_of(links, "utilization", row),
			.bytes = dataset_real_of(links, "bytes", row),
			.messages = dataset_real_of(links, "messages", row),
			.waited = dataset_real_of(links, "waited", row),
			.blocked = dataset_real_of(links, "blocked", row),
		};
	}
	qsort(pairs.at, pairs.count, sizeof(*pairs.at), report_mesh_compare_pairs);
	merge_pairs(&pairs);
	return pairs;
}

/* ---- the mesh ---- */

static void write_flags(struct json *json, const char *key, const struct tree_node *list)
{
	json_array_of(json, key);
	for (uint32_t i = 0; i < 2; i++) {
		bool flag = list && list->kind == TREE_SEQUENCE && i < list->count &&
			    list->items[i]->kind == TREE_SCALAR &&
			    strcmp(list->items[i]->text, "true") == 0;
		json_bool(json, flag);
	}
	json_array_end(json);
}

enum { SIDE_MAX = 1024 };

/* The number at `index` of a list; -1 if there is no number. */
static int64_t number_at(const struct tree_node *list, uint32_t index)
{
	int64_t number;

	if (!list || list->kind != TREE_SEQUENCE || index >= list->count ||
		list->items[index]->kind != TREE_SCALAR ||
		tree_integer(list->items[index], &number) != STATUS_OK)
		return -1;
	return number;
}

/* Rows (index 0) or columns (index 1) of the mesh; 0 if unknown or above SIDE_MAX. */
static int64_t mesh_side(const struct tree_node *mesh, uint32_t index)
{
	int64_t side = number_at(mesh, index);

	return side < 0 || side > SIDE_MAX ? 0 : side;
}

static bool report_mesh_is_missing(const struct tree_node *chips, int64_t row, int64_t column)
{
	for (uint32_t i = 0; chips && chips->kind == TREE_SEQUENCE && i < chips->count; i++)
		if (number_at(chips->items[i], 0) == row && number_at(chips->items[i], 1) == column)
			return true;
	return false;
}

/* Writes the row and the column of each chip, in the order of chip numbers, for a mesh whose wiring
 * is given explicitly. Row and column are -1 for a chip outside the mesh. */
static void write_wired_places(struct json *json, const struct tree_node *chips)
{
	json_key(json, "places");
	json_array(json);
	for (uint32_t i = 0; chips->kind == TREE_SEQUENCE && i < chips->count; i++) {
		const struct tree_node *at = tree_get(chips->items[i], "at");

		json_integer(json, number_at(at, 0));
		json_integer(json, number_at(at, 1));
	}
	json_array_end(json);
}

/* Writes row and column of each chip of a regular mesh. Missing chips and gateways are left out. */
static void write_places(struct json *json, const struct tree_node *root)
{
	const struct tree_node *mesh = root ? tree_find(root, "topology.mesh") : NULL;
	const struct tree_node *missing = root ? tree_find(root, "topology.missing.chips") : NULL;
	int64_t rows = mesh_side(mesh, 0), columns = mesh_side(mesh, 1);

	json_array_of(json, "places");
	for (int64_t i = 0; i < rows * columns; i++)
		if (!report_mesh_is_missing(missing, i / columns, i % columns)) {
			json_integer(json, i / columns);
			json_integer(json, i % columns);
		}
	json_array_end(json);
}

static void write_mesh(struct json *json, const char *platform)
{
	struct diag *diag = diag_new();
	struct tree *tree = tree_read_text("platform", platform, strlen(platform), diag);
	const struct tree_node *root = tree ? tree_root(tree) : NULL;
	const struct tree_node *mesh = root ? tree_find(root, "topology.mesh") : NULL;
	const struct tree_node *name = root ? tree_get(root, "name") : NULL;

	json_text(json, "platform", name && name->kind == TREE_SCALAR ? name->text : "");
	json_integer_of(json, "rows", mesh_side(mesh, 0));
	json_integer_of(json, "columns", mesh_side(mesh, 1));
	write_flags(json, "wrap", root ? tree_find(root, "topology.wrap") : NULL);
	if (root && tree_find(root, "topology.wiring.chips"))
		write_wired_places(json, tree_find(root, "topology.wiring.chips"));
	else
		write_places(json, root);
	tree_free(tree);
	diag_free(diag);
}

/* Writes the mesh and its links, which are the same for all runs on one machine. */
static void write_geometry(struct json *json, const char *platform, const struct pairs *pairs)
{
	json_object(json);
	write_mesh(json, platform);
	json_array_of(json, "pairs");
	for (uint32_t i = 0; i < pairs->count; i++) {
		json_integer(json, pairs->at[i].from);
		json_integer(json, pairs->at[i].to);
	}
	json_array_end(json);
	json_array_of(json, "links");
	for (uint32_t i = 0; i < pairs->count; i++)
		json_unsigned(json, pairs->at[i].links);
	json_array_end(json);
	json_array_of(json, "bandwidth");
	for (uint32_t i = 0; i < pairs->count; i++)
		json_real(json, pairs->at[i].bandwidth);
	json_array_end(json);
	json_object_end(json);
}

static void write_figures(
	struct json *json, const char *key, const struct pairs *pairs, size_t offset)
{
	json_array_of(json, key);
	for (uint32_t i = 0; i < pairs->count; i++) {
		double value;
		memcpy(&value, (const char *)&pairs->at[i] + offset, sizeof(value));
		report_short(json, value);
	}
	json_array_end(json);
}

/* ---- chips ---- */

struct chip_load {
	double firmware, worker;
	uint32_t workers;
	const char *role; /* role of the busiest firmware */
};

enum { CHIPS_MAX = 65536 };

static void report_mesh_write_chips(
	struct json *json, const struct dataset *cores, struct arena *arena)
{
	const struct dataset_column *chip = dataset_column(cores, "chip"),
				    *role = dataset_column(cores, "role"),
				    *utilization = dataset_column(cores, "utilization");
	struct chip_load *loads = arena_array(arena, CHIPS_MAX, sizeof(*loads));
	int64_t last = -1;

	for (uint64_t row = 0; row < cores->row_count; row++) {
		int64_t at = dataset_integer(cores, chip, row);
		double load = dataset_real(cores, utilization, row);
		if (at < 0 || at >= CHIPS_MAX)
			continue;
		last = at > last ? at : last;
		if (strcmp(dataset_text(cores, role, row), "worker") == 0) {
			loads[at].worker += load;
			loads[at].workers++;
		} else if (!loads[at].role || load > loads[at].firmware) {
			loads[at].firmware = load;
			loads[at].role = dataset_text(cores, role, row);
		}
	}
	json_array_of(json, "chips");
	for (int64_t at = 0; at <= last; at++) {
		json_array(json);
		report_short(json, loads[at].firmware);
		report_short(json, loads[at].workers ? loads[at].worker / loads[at].workers : 0);
		json_string(json, loads[at].role ? loads[at].role : "");
		json_array_end(json);
	}
	json_array_end(json);
}

void report_links(struct report *report, uint64_t row, const struct run_tables *run,
	struct arena *arena, struct json *json)
{
	struct summary *summary = &report->comparison.summary;
	struct pairs pairs = read_pairs(&run->links, arena);
	struct json geometry;
	struct text text;

	text_init(&text);
	json_start(&geometry, &text);
	geometry.flat_from = 1;
	write_geometry(&geometry,
		result_document(summary->result,
			arena_printf(arena, "%s/platform", summary_group(summary, row)), arena),
		&pairs);
	json_integer_of(json, "geometry",
		report_share(&report->geometries, text_string(&text), &report->comparison.arena));
	text_fini(&text);
	json_object_of(json, "links");
	write_figures(json, "utilization", &pairs, offsetof(struct pair, busiest));
	write_figures(json, "bytes", &pairs, offsetof(struct pair, bytes));
	write_figures(json, "messages", &pairs, offsetof(struct pair, messages));
	write_figures(json, "waited", &pairs, offsetof(struct pair, waited));
	write_figures(json, "blocked", &pairs, offsetof(struct pair, blocked));
	json_object_end(json);
	report_mesh_write_chips(json, &run->cores, arena);
}
