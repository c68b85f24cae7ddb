/* Reads physical system descriptors: chips, and the channels between them. Each end of a channel
 * lists the channel. It is an error if a channel is listed with two different other ends. Channels
 * to chips that are not described are only counted. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "read_private.h"
#include "topology/machine.h"

/* A channel as the file contains it. */
struct psd_channel {
	uint32_t src, dst;
	bool local;
	struct location where;
};

struct psd_connection {
	uint64_t to;
	const struct psd_channel *channels;
	uint32_t channel_count;
};

struct psd_topology {
	const struct psd_connection *connections;
	uint32_t connection_count;
};

struct psd_asic_topology {
	uint64_t id;
	struct psd_topology topology;
	struct location where;
};

struct psd_host_graph {
	const char *host;
	const struct psd_asic_topology *asics;
	uint32_t asic_count;
};

/* A cable between hosts, described by the chips at its ends. */
struct psd_exit {
	uint64_t src, dst;
	struct psd_channel channel;
};

struct psd_host_connection {
	const char *to;
	const struct psd_exit *exits;
	uint32_t exit_count;
};

struct psd_host_connections {
	const char *from;
	const struct psd_host_connection *connections;
	uint32_t connection_count;
};

struct psd_exit_table {
	const char *host;
	const struct psd_exit *exits;
	uint32_t exit_count;
};

struct psd_graph {
	const struct psd_host_graph *hosts;
	uint32_t host_count;
	const struct psd_host_connections *joins;
	uint32_t join_count;
};

struct psd_asic {
	uint32_t tray, location, board_type;
	uint64_t unique_id;
	const char *host;
};

struct psd_asic_row {
	uint64_t id;
	struct psd_asic asic;
	struct location where;
};

struct psd_host_name {
	const char *host, *mobo;
	uint32_t rank;
};

struct psd {
	uint32_t target;
	struct psd_graph graph;
	const struct psd_asic_row *asics;
	uint32_t asic_count;
	const struct psd_host_name *ranks, *mobos;
	uint32_t rank_count, mobo_count;
	const struct psd_exit_table *tables;
	uint32_t table_count;
	const struct tree_node *pcie, *firmware, *mock;
};

static const struct schema_field channel_fields[] = {
	SCHEMA_INT(struct psd_channel, src, "src_chan", .min = 0, .max = 255),
	SCHEMA_INT(struct psd_channel, dst, "dst_chan", .min = 0, .max = 255),
	SCHEMA_BOOL(struct psd_channel, local, "is_local"),
};
static const struct schema channel_schema = SCHEMA(
	"psd_channel", struct psd_channel, channel_fields, SCHEMA_WHERE(struct psd_channel, where));
static const struct schema_field channel_item =
	SCHEMA_ITEM_MAP(struct psd_channel, &channel_schema);

static const struct schema_field connection_fields[] = {
	READ_ID(struct psd_connection, to, "dst_asic_id"),
	SCHEMA_LIST(
		struct psd_connection, channels, channel_count, "eth_connections", &channel_item),
};
static const struct schema connection_schema =
	SCHEMA("psd_connection", struct psd_connection, connection_fields);
static const struct schema_field connection_item =
	SCHEMA_ITEM_MAP(struct psd_connection, &connection_schema);

static const struct schema_field topology_fields[] = {
	SCHEMA_LIST(struct psd_topology, connections, connection_count, "asic_connections",
		&connection_item),
};
static const struct schema topology_schema =
	SCHEMA("psd_topology", struct psd_topology, topology_fields);

static const struct schema_field asic_topology_fields[] = {
	READ_ID(struct psd_asic_topology, id, "asic_id"),
	SCHEMA_MAP(struct psd_asic_topology, topology, "topology", &topology_schema),
};
static const struct schema asic_topology_schema =
	SCHEMA("psd_asic_topology", struct psd_asic_topology, asic_topology_fields,
		SCHEMA_WHERE(struct psd_asic_topology, where));
static const struct schema_field asic_topology_item =
	SCHEMA_ITEM_MAP(struct psd_asic_topology, &asic_topology_schema);

static const struct schema_field host_graph_fields[] = {
	SCHEMA_STRING(struct psd_host_graph, host, "host_name", .allow_empty = true),
	SCHEMA_LIST(
		struct psd_host_graph, asics, asic_count, "asic_topologies", &asic_topology_item),
};
static const struct schema host_graph_schema =
	SCHEMA("psd_host_graph", struct psd_host_graph, host_graph_fields);
static const struct schema_field host_graph_item =
	SCHEMA_ITEM_MAP(struct psd_host_graph, &host_graph_schema);

static const struct schema_field exit_fields[] = {
	READ_ID(struct psd_exit, src, "src_exit_node"),
	READ_ID(struct psd_exit, dst, "dst_exit_node"),
	SCHEMA_MAP(struct psd_exit, channel, "eth_conn", &channel_schema),
};
static const struct schema exit_schema = SCHEMA("psd_exit", struct psd_exit, exit_fields);
static const struct schema_field exit_item = SCHEMA_ITEM_MAP(struct psd_exit, &exit_schema);

static const struct schema_field host_connection_fields[] = {
	SCHEMA_STRING(struct psd_host_connection, to, "dst_host_name", .allow_empty = true),
	SCHEMA_LIST(
		struct psd_host_connection, exits, exit_count, "exit_node_connections", &exit_item),
};
static const struct schema host_connection_schema =
	SCHEMA("psd_host_connection", struct psd_host_connection, host_connection_fields);
static const struct schema_field host_connection_item =
	SCHEMA_ITEM_MAP(struct psd_host_connection, &host_connection_schema);

static const struct schema_field host_connections_fields[] = {
	SCHEMA_STRING(struct psd_host_connections, from, "src_host_name", .allow_empty = true),
	SCHEMA_LIST(struct psd_host_connections, connections, connection_count, "host_connections",
		&host_connection_item),
};
static const struct schema host_connections_schema =
	SCHEMA("psd_host_connections", struct psd_host_connections, host_connections_fields);
static const struct schema_field host_connections_item =
	SCHEMA_ITEM_MAP(struct psd_host_connections, &host_connections_schema);

static const struct schema_field graph_fields[] = {
	SCHEMA_LIST(
		struct psd_graph, hosts, host_count, "asic_connectivity_graph", &host_graph_item),
	SCHEMA_LIST(struct psd_graph, joins, join_count, "host_connectivity_graph",
		&host_connections_item),
};
static const struct schema graph_schema = SCHEMA("psd_graph", struct psd_graph, graph_fields);

static const struct schema_field asic_fields[] = {
	SCHEMA_INT(struct psd_asic, tray, "tray_id"),
	SCHEMA_INT(struct psd_asic, location, "asic_location"),
	SCHEMA_INT(struct psd_asic, board_type, "board_type"),
	READ_ID(struct psd_asic, unique_id, "unique_id"),
	SCHEMA_STRING(struct psd_asic, host, "host_name", .allow_empty = true),
};
static const struct schema asic_schema = SCHEMA("psd_asic", struct psd_asic, asic_fields);
static const struct schema_field asic_row_fields[] = {
	READ_ID(struct psd_asic_row, id, "asic_id"),
	SCHEMA_MAP(struct psd_asic_row, asic, "asic_descriptor", &asic_schema),
};
static const struct schema asic_row_schema = SCHEMA("psd_asic_row", struct psd_asic_row,
	asic_row_fields, SCHEMA_WHERE(struct psd_asic_row, where));
static const struct schema_field asic_row_item =
	SCHEMA_ITEM_MAP(struct psd_asic_row, &asic_row_schema);

static const struct schema_field host_name_fields[] = {
	SCHEMA_STRING(struct psd_host_name, host, "host_name", .allow_empty = true),
	SCHEMA_STRING(struct psd_host_name, mobo, "mobo_name", .allow_empty = true),
	SCHEMA_INT(struct psd_host_name, rank, "rank"),
};
static const struct schema host_name_schema =
	SCHEMA("psd_host_name", struct psd_host_name, host_name_fields);
static const struct schema_field host_name_item =
	SCHEMA_ITEM_MAP(struct psd_host_name, &host_name_schema);

static const struct schema_field table_fields[] = {
	SCHEMA_STRING(struct psd_exit_table, host, "host_name", .allow_empty = true),
	SCHEMA_LIST(struct psd_exit_table, exits, exit_count, "exit_connections", &exit_item),
};
static const struct schema table_schema =
	SCHEMA("psd_exit_table", struct psd_exit_table, table_fields);
static const struct schema_field table_item = SCHEMA_ITEM_MAP(struct psd_exit_table, &table_schema);

static const struct schema_field file_fields[] = {
	SCHEMA_INT(struct psd, target, "target_device_type"),
	SCHEMA_MAP(struct psd, graph, "system_graph", &graph_schema),
	SCHEMA_LIST(struct psd, asics, asic_count, "asic_descriptors", &asic_row_item),
	SCHEMA_LIST(struct psd, ranks, rank_count, "host_to_rank", &host_name_item),
	SCHEMA_LIST(struct psd, mobos, mobo_count, "host_to_mobo_name", &host_name_item),
	SCHEMA_LIST(struct psd, tables, table_count, "exit_node_connection_table", &table_item),
	SCHEMA_NODE(struct psd, pcie, "pcie_devices_per_tray"),
	SCHEMA_NODE(struct psd, firmware, "ethernet_firmware_version"),
	SCHEMA_NODE(struct psd, mock, "mock_cluster"),
};
static const struct schema file_schema = SCHEMA("psd", struct psd, file_fields);

/* The machine to which chips and channels are added, and its diagnostics. */
struct filler {
	struct machine *machine;
	struct diag *diag;
	struct location file;
};

/* Returns true for boards with two chips, of which one has PCIe and the other is reached through
 * it. The numbers of board types are from tt-umd. */
static bool is_dual(uint32_t board_type)
{
	enum { BOARD_N300 = 4, BOARD_P300 = 7 };

	return board_type == BOARD_N300 || board_type == BOARD_P300;
}

/* Checks the name of a host. Rank files and lists of devices contain such names between blanks, so
 * a name with a blank could be read as several fields. */
static void check_host_name(const struct filler *filler, struct location where, const char *name)
{
	static const char of_names[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
	static const char of_addresses[] = "abcdefABCDEF0123456789.:[]";

	if (name[strspn(name, of_names)] != '\0' && name[strspn(name, of_addresses)] != '\0')
		diag_error(filler->diag, where,
			"host name '%.64s': expected letters, digits, '.', '-', '_' or an address",
			name);
}

static void add_asics(const struct filler *filler, const struct psd *psd)
{
	for (uint32_t i = 0; i < psd->asic_count; i++) {
		const struct psd_asic_row *row = &psd->asics[i];
		const char *host = row->asic.host && *row->asic.host ? row->asic.host : "host0";
		struct machine_chip chip = {.id = row->id,
			.host = machine_host(filler->machine, host),
			.tray = row->asic.tray,
			.location = row->asic.location,
			/* set to the board's number after all chips are known */
			.board = is_dual(row->asic.board_type) ? 0 : MACHINE_NONE,
			.place = {-1, -1, -1, -1}};
		enum status status = machine_add_chip(filler->machine, chip);

		check_host_name(filler, row->where, host);
		if (status == STATUS_EXISTS)
			diag_error(filler->diag, row->where, "ASIC %llu is described twice",
				(unsigned long long)row->id);
		else if (status != STATUS_OK)
			diag_error(
				filler->diag, row->where, "more than %d chips", MACHINE_CHIPS_MAX);
	}
}

static void psd_read_add_channel(const struct filler *filler, uint64_t from, uint64_t to,
	const struct psd_channel *channel, enum machine_list list)
{
	uint32_t a = machine_find(filler->machine, from), b = machine_find(filler->machine, to);
	enum machine_listing listing;

	if (a == MACHINE_NONE || b == MACHINE_NONE) {
		filler->machine->leaving++;
		return;
	}
	listing = machine_list_channel(
		filler->machine, a, channel->src, b, channel->dst, list, channel->where);
	if (listing == LISTED_WITH_ITSELF)
		diag_error(filler->diag, channel->where, "ASIC %llu is joined with itself",
			(unsigned long long)from);
	else if (listing == LISTED_ELSEWHERE)
		diag_error(filler->diag, channel->where,
			"channel %u of ASIC %llu to channel %u of ASIC %llu: one of them has "
			"another partner elsewhere in the file",
			channel->src, (unsigned long long)from, channel->dst,
			(unsigned long long)to);
	else if (listing == LISTED_AGAIN)
		diag_error(filler->diag, channel->where,
			"ASIC %llu lists channel %u to channel %u of ASIC %llu twice",
			(unsigned long long)from, channel->src, channel->dst,
			(unsigned long long)to);
	else if (listing != LISTED)
		diag_error(filler->diag, channel->where, "more than %d channels",
			MACHINE_CHANNELS_MAX);
}

static void add_local(const struct filler *filler, const struct psd_host_graph *host)
{
	for (uint32_t i = 0; i < host->asic_count; i++) {
		const struct psd_asic_topology *asic = &host->asics[i];

		if (machine_find(filler->machine, asic->id) == MACHINE_NONE)
			diag_error(filler->diag, asic->where, "ASIC %llu has no asic_descriptors",
				(unsigned long long)asic->id);
		for (uint32_t k = 0; k < asic->topology.connection_count; k++) {
			const struct psd_connection *to = &asic->topology.connections[k];

			for (uint32_t c = 0; c < to->channel_count; c++)
				psd_read_add_channel(filler, asic->id, to->to, &to->channels[c],
					MACHINE_LIST_CHIP);
		}
	}
}

static void add_exits(const struct filler *filler, const struct psd_exit *exits, uint32_t count,
	enum machine_list list)
{
	for (uint32_t i = 0; i < count; i++)
		psd_read_add_channel(filler, exits[i].src, exits[i].dst, &exits[i].channel, list);
}

static void add_rank(const struct filler *filler, const struct psd_host_name *row)
{
	struct machine *machine = filler->machine;
	uint32_t known = machine->host_count, host = machine_host(machine, row->host);

	if (host >= known) /* no chip has named the host */
		check_host_name(filler, filler->file, row->host);
	machine->hosts[host].rank = row->rank;
}

static void psd_read_fill(const struct filler *filler, const struct psd *psd)
{
	if (psd->asic_count == 0)
		diag_error(filler->diag, filler->file, "it describes no chip: asic_descriptors");
	add_asics(filler, psd);
	for (uint32_t i = 0; i < psd->graph.host_count; i++)
		add_local(filler, &psd->graph.hosts[i]);
	for (uint32_t i = 0; i < psd->graph.join_count; i++)
		for (uint32_t k = 0; k < psd->graph.joins[i].connection_count; k++)
			add_exits(filler, psd->graph.joins[i].connections[k].exits,
				psd->graph.joins[i].connections[k].exit_count, MACHINE_LIST_HOST);
	for (uint32_t i = 0; i < psd->table_count; i++)
		add_exits(
			filler, psd->tables[i].exits, psd->tables[i].exit_count, MACHINE_LIST_EXIT);
	for (uint32_t i = 0; i < psd->rank_count; i++)
		if (psd->ranks[i].host && *psd->ranks[i].host)
			add_rank(filler, &psd->ranks[i]);
}

static int compare_places(const void *left, const void *right)
{
	const struct machine_chip *const *a = left, *const *b = right;

	if ((*a)->host != (*b)->host)
		return (*a)->host < (*b)->host ? -1 : 1;
	if ((*a)->tray != (*b)->tray)
		return (*a)->tray < (*b)->tray ? -1 : 1;
	if ((*a)->location != (*b)->location)
		return (*a)->location < (*b)->location ? -1 : 1;
	return *a < *b ? -1 : 1;
}

/* Numbers the boards of the machine. Also numbers the PCIe devices of each host, in the order of
 * the host's trays. The two chips of a dual board share one PCIe device; each of the remaining
 * chips has its own device. */
static void psd_read_number_devices(struct machine *machine, struct arena *arena)
{
	struct machine_chip **order = arena_array(arena, machine->chip_count, sizeof(*order));
	uint32_t device = 0;

	for (uint32_t i = 0; i < machine->chip_count; i++)
		order[i] = &machine->chips[i];
	if (machine->chip_count)
		qsort(order, machine->chip_count, sizeof(*order), compare_places);
	for (uint32_t i = 0; i < machine->chip_count; i++) {
		struct machine_chip *last = i ? order[i - 1] : NULL, *chip = order[i];
		bool same = last && last->host == chip->host && last->tray == chip->tray &&
			    last->board != MACHINE_NONE && chip->board != MACHINE_NONE;

		if (!last || last->host != chip->host)
			device = 0;
		if (chip->board != MACHINE_NONE)
			chip->board = same ? last->board : machine->board_count++;
		chip->device = same ? last->device : device++;
		chip->pcie = !same;
	}
}

struct machine *machine_read_psd(struct tree *tree, bool strict, struct diag *diag)
{
	size_t errors = diag_errors(diag);
	struct machine *machine = NULL;
	struct arena arena = {0};
	struct filler filler;
	struct psd psd;

	if (!tree)
		return NULL;
	if (schema_bind_foreign(&file_schema, tree_root(tree), &psd, &arena, diag, NULL,
		    read_tolerance(strict))) {
		machine = machine_new();
		filler = (struct filler){
			machine, diag, location_at(tree_root(tree)->where.source, 0, 0)};
		psd_read_fill(&filler, &psd);
		machine_finish(machine);
		read_say_claims(machine, diag);
		psd_read_number_devices(machine, &arena);
	}
	if (machine && machine->leaving)
		diag_warning(diag, filler.file,
			"%u channels lead to chips that it does not describe", machine->leaving);
	arena_fini(&arena);
	tree_free(tree);
	if (diag_errors(diag) == errors)
		return machine;
	machine_free(machine);
	return NULL;
}
