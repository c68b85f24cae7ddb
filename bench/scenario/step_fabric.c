/* Tables and conditions of the steps that measure the fabric. Refuses patterns that the devices
 * cannot form, and more parallel links than they have. */
#include "base/ensure.h"
#include "bench/scenario/scenario.h"
#include "fabric/pattern.h"
#include "firmware/traffic/traffic.h"
#include "step_check.h"

static const struct schema_field ping_fields[] = {
	SCHEMA_REGISTRY(struct ping_step, op, "op", traffic_op_name, .fallback = "write",
		.help = "what the packet does when it arrives: write, or fused_atomic_inc",
		SCHEMA_WHERE(struct ping_step, op_where)),
	SCHEMA_INT(struct ping_step, hops, "hops", .min = 1, .max = 2048, .fallback = "1",
		.help = "to the device that answers", SCHEMA_WHERE(struct ping_step, hops_where)),
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
	const struct cluster_info *info = platform_cluster(run->platform);
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
	uint32_t links = links_of(platform_cluster(run->platform));
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
