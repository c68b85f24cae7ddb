/* Schemas and checks of the steps that measure the fabric, and of collectives over the fabric. The
 * checks reject, for example, patterns that do not fit the shape of the mesh, and more parallel
 * links than the machine has. */
#include <string.h>

#include "base/ensure.h"
#include "bench/scenario/hosts.h"
#include "bench/scenario/scenario.h"
#include "fabric/pattern.h"
#include "firmware/traffic/traffic.h"
#include "programs/collective.h"
#include "scenario_private.h"
#include "step_check.h"
#include "steps/check.h"
#include "world/bounds.h"

static const struct schema_field ping_fields[] = {
	SCHEMA_REGISTRY(struct ping_step, op, "op", traffic_op_name, .fallback = "write",
		.help = "what the packet does when it arrives: write, or fused_atomic_inc",
		SCHEMA_WHERE(struct ping_step, op_where)),
	SCHEMA_INT(struct ping_step, hops, "hops", .min = 1, .max = BOUND_CHIPS - 1,
		.fallback = "1", .help = "to the device that answers",
		SCHEMA_WHERE(struct ping_step, hops_where)),
	SCHEMA_INT(struct ping_step, payload_bytes, "payload_bytes", .min = 4, .max = 4352,
		.fallback = "16", .unit = "B", .help = "of the packet, whole words"),
	SCHEMA_INT(struct ping_step, samples, "samples", .min = 1, .max = 100000, .fallback = "256",
		.help = "round trips"),
};
const struct schema ping_schema = SCHEMA("fabric_ping", struct ping_step, ping_fields,
	.help = "one packet to a worker of another device and back, again and again");

static const struct schema_field traffic_fields[] = {
	SCHEMA_REGISTRY(struct traffic_step, pattern, "pattern", fabric_pattern_name,
		.required = true, .help = "who sends where",
		SCHEMA_WHERE(struct traffic_step, pattern_where)),
	SCHEMA_REGISTRY(struct traffic_step, op, "op", traffic_op_name, .fallback = "write",
		.help = "what each packet does when it arrives"),
	SCHEMA_INT(struct traffic_step, links, "links", .min = 1, .max = 16, .fallback = "1",
		.help = "parallel links between neighbours that are used, each by senders of its "
			"own",
		SCHEMA_WHERE(struct traffic_step, links_where)),
	SCHEMA_INT(struct traffic_step, packet_bytes, "packet_bytes", .min = 4, .max = 4352,
		.fallback = "2048", .unit = "B", .help = "payload of a packet",
		SCHEMA_WHERE(struct traffic_step, bytes_where)),
	SCHEMA_INT(struct traffic_step, packets, "packets", .min = 2, .max = 1000000,
		.fallback = "1000", .help = "of each sender along each of its ways"),
	SCHEMA_INT(struct traffic_step, warmup, "warmup", .min = 1, .max = 1000000,
		.fallback = "100", .help = "of these, before the clock starts",
		SCHEMA_WHERE(struct traffic_step, warmup_where)),
};
const struct schema traffic_schema = SCHEMA("fabric_traffic", struct traffic_step, traffic_fields,
	.help = "streams of packets between all devices, as fast as they go");

/* ---- conditions ---- */

struct ground {
	struct arena arena;
	struct fabric_graph graph;
	struct virtual_mesh mesh;
	struct text why;
};

static void ground_init(
	struct ground *ground, const struct run_plan *run, const struct mesh_config *config)
{
	const struct cluster_info *info = machine_info(run->platform);
	enum status status;

	arena_init(&ground->arena);
	text_init(&ground->why);
	fabric_graph_init(&ground->graph, info, &ground->arena);
	status = virtual_mesh_init(
		&ground->mesh, info, config->shape, config->offset, &ground->arena, NULL);
	ensure(status == STATUS_OK, "the mesh was planned, but %s", status_message(status));
}

static void ground_fini(struct ground *ground)
{
	text_fini(&ground->why);
	arena_fini(&ground->arena);
}

static void check_packet(const struct run_plan *run, uint32_t bytes, const char *key,
	struct location where, struct diag *diag)
{
	uint32_t most = platform_cluster(run->platform)->fabric_packet_bytes;

	if (bytes > most)
		diag_error(diag, where, "%s: %u, but a packet of platform '%s' has %u", key, bytes,
			platform_name(run->platform), most);
}

void check_fabric_ping(const struct run_plan *run, const struct mesh_config *config,
	const struct step *step, struct diag *diag)
{
	const struct ping_step *ping = &step->ping;
	struct fabric_tree *there, *back;
	struct ground ground;
	enum status status;

	ground_init(&ground, run, config);
	if (ping->op == TRAFFIC_SCATTER_WRITE)
		diag_error(diag, ping->op_where,
			"op: a ping is answered to 'write' or 'fused_atomic_inc'");
	if (ping->payload_bytes % sizeof(uint32_t))
		diag_error(diag, step->where, "payload_bytes: %u is no multiple of 4",
			ping->payload_bytes);
	check_packet(run, ping->payload_bytes, "payload_bytes", step->where, diag);
	status = fabric_there_and_back(
		&ground.graph, &ground.mesh, ping->hops, &ground.arena, &there, &back);
	if (status != STATUS_OK)
		diag_error(diag, ping->hops_where.line ? ping->hops_where : step->where,
			"hops: no way of %u hops in a mesh of %u x %u devices", ping->hops,
			config->shape.rows, config->shape.columns);
	ground_fini(&ground);
}

static uint32_t links_of(const struct cluster_info *info)
{
	uint32_t least = UINT32_MAX;

	for (uint32_t i = 0; i < info->connection_count; i++)
		if (info->connections[i].links < least)
			least = info->connections[i].links;
	return info->connection_count ? least : 0;
}

void check_fabric_traffic(const struct run_plan *run, const struct mesh_config *config,
	const struct step *step, struct diag *diag)
{
	const struct traffic_step *traffic = &step->traffic;
	uint32_t links = links_of(machine_info(run->platform));
	struct fabric_flows flows;
	struct ground ground;

	ground_init(&ground, run, config);
	if (fabric_pattern_flows(&ground.graph, &ground.mesh, traffic->pattern, &ground.arena,
		    &ground.why, &flows) != STATUS_OK)
		diag_error(diag, traffic->pattern_where, "pattern '%s': %s",
			fabric_pattern_name(traffic->pattern), text_string(&ground.why));
	if (traffic->links > links)
		diag_error(diag, traffic->links_where,
			"links: %u, but neighbours of platform '%s' are joined by %u",
			traffic->links, platform_name(run->platform), links);
	if (traffic->warmup >= traffic->packets)
		diag_error(diag, traffic->warmup_where.line ? traffic->warmup_where : step->where,
			"warmup: %u leaves nothing of %u packets", traffic->warmup,
			traffic->packets);
	check_packet(run, traffic->packet_bytes, "packet_bytes",
		traffic->bytes_where.line ? traffic->bytes_where : step->where, diag);
	if (traffic->packet_bytes % (2 * sizeof(uint32_t)))
		diag_error(diag, traffic->bytes_where,
			"packet_bytes: %u is no multiple of 8, two parts of whole words",
			traffic->packet_bytes);
	ground_fini(&ground);
}

/* ---- collectives ---- */

static const char *const op_names[] = {
	[COLLECTIVE_ALL_GATHER] = "all_gather",
	[COLLECTIVE_REDUCE_SCATTER] = "reduce_scatter",
	[COLLECTIVE_ALL_REDUCE] = "all_reduce",
	[COLLECTIVE_ALL_TO_ALL] = "all_to_all",
	[COLLECTIVE_BROADCAST] = "broadcast",
	[STEP_MESSAGES] = "messages",
	NULL,
};
static const char *const topology_names[] = {"line", "ring", NULL};

static const struct schema_field place_item =
	SCHEMA_ITEM_INT(uint32_t, .min = 0, .max = BOUND_CHIPS - 1);
static const struct schema_field group_fields[] = {
	SCHEMA_LIST(struct group_keys, places, count, "places", &place_item, .required = true,
		.min = 2, .max = BOUND_CHIPS,
		.help = "its devices, by their places on the line or ring of all devices; the "
			"order is that of the group's line"),
};
static const struct schema group_schema = SCHEMA("group", struct group_keys, group_fields,
	.help = "devices that have a collective", SCHEMA_WHERE(struct group_keys, where));
static const struct schema_field group_item = SCHEMA_ITEM_MAP(struct group_keys, &group_schema);

static const struct schema_field collective_fields[] = {
	SCHEMA_ENUM(struct collective_step, op, "op", op_names, .fallback = "all_gather",
		.help = "what the devices have in the end; or messages: the sends and receives "
			"that `ranks` lists",
		SCHEMA_WHERE(struct collective_step, op_where)),
	SCHEMA_ENUM(struct collective_step, topology, "topology", topology_names,
		.fallback = "line",
		.help = "whether the last device is a neighbour of the first; of several rows, "
			"lines go to and fro, rings round",
		SCHEMA_WHERE(struct collective_step, topology_where)),
	SCHEMA_INT(struct collective_step, links, "links", .min = 1, .max = COLLECTIVE_LINKS_MAX,
		.fallback = "1", .help = "parallel links between neighbours that are used",
		SCHEMA_WHERE(struct collective_step, links_where)),
	SCHEMA_INT(struct collective_step, ways, "ways", .min = 1, .max = 2, .fallback = "2",
		.help = "of a ring: 2: half of the data goes each way around; 1: all goes the same "
			"way, to the next device",
		SCHEMA_WHERE(struct collective_step, ways_where)),
	SCHEMA_INT(struct collective_step, size_bytes, "size_bytes", .max = INT64_C(1) << 40,
		.fallback = "0", .unit = "B",
		.help = "of the whole tensor: what is gathered, scattered, exchanged or sent to "
			"all; not of messages"),
	SCHEMA_LIST(struct collective_step, ranks, rank_count, "ranks", &step_rank_item,
		.max = BOUND_CHIPS,
		.help = "the messages of each device, by its place on the line or ring; those left "
			"out at the end have none",
		SCHEMA_WHERE(struct collective_step, ranks_where)),
	SCHEMA_LIST(struct collective_step, groups, group_count, "groups", &group_item,
		.max = BOUND_CHIPS / 2,
		.help = "each group has a collective of its own, all at once; groups are equally "
			"large; devices that are in none do nothing. A group is a ring if "
			"`topology` is and links join its devices in a ring, otherwise a line. "
			"Left out: one collective of all devices",
		SCHEMA_WHERE(struct collective_step, groups_where)),
	SCHEMA_INT(struct collective_step, page_bytes, "page_bytes", .min = 16, .max = 1 << 20,
		.fallback = "2048", .unit = "B",
		.help = "of a page, which is a packet; what is added are tiles of bf16, of 2048 B",
		SCHEMA_WHERE(struct collective_step, page_where)),
	SCHEMA_INT(struct collective_step, chunk_pages, "chunk_pages", .max = 4096, .fallback = "0",
		.help = "sent in one piece before the next device hears; 0: half of what goes in "
			"one direction, or a quarter on lines that do not add, at most 20"),
	SCHEMA_INT(struct collective_step, workers, "workers", .max = COLLECTIVE_WORKERS_MAX,
		.fallback = "0",
		.help = "cores for each way and link; 0: one, or of a collective that adds one for "
			"each 20 pages that go this way, at most four"),
	SCHEMA_INT(struct collective_step, root, "root", .max = 65535, .fallback = "0",
		.help = "of a broadcast: who sends, by its place on the line",
		SCHEMA_WHERE(struct collective_step, root_where)),
	SCHEMA_STRING(struct collective_step, identity, "identity",
		.help = "a name of this collective. Later steps with this identity run its "
			"programs "
			"again, with its buffers; they have no other keys but queue and blocking",
		SCHEMA_WHERE(struct collective_step, identity_where)),
	QUEUE_FIELD(struct collective_step),
	BLOCKING_FIELD(struct collective_step),
};
const struct schema collective_schema =
	SCHEMA("collective", struct collective_step, collective_fields,
		.help = "a collective of all devices of the mesh or of groups of them, as a "
			"program on each");

bool collective_key_is_default(const struct tree_node *keys, const char *name)
{
	const struct tree_node *node = keys ? tree_get(keys, name) : NULL;
	const struct schema_field *field = collective_fields;

	while (strcmp(field->name, name) != 0)
		field++;
	return !node || (node->kind == TREE_SCALAR && field->fallback &&
				strcmp(node->text, field->fallback) == 0);
}

const char *collective_step_op(uint32_t op)
{
	return op_names[op];
}
