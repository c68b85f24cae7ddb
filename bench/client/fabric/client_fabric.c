/* Runs steps that measure the fabric. They start the kernels of firmware/traffic directly on
 * workers of the mesh, without commands through the runtime's queues. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "client_fabric.h"
#include "fabric/pattern.h"
#include "firmware/traffic/traffic.h"
#include "world/world.h"

enum { TARGET_BYTES = 8192 };

/* Allocates L1 for one packet on every worker. */
static bool take_l1(struct client *client, const struct step *step, struct handle_buffer **taken)
{
	uint32_t workers = (uint32_t)client->program_limits->worker_columns *
			   client->program_limits->worker_rows;
	struct mesh_layout layout = {.size_bytes = (uint64_t)workers * TARGET_BYTES};
	struct buffer_config buffer = {
		.type = BUFFER_L1, .layout = LAYOUT_INTERLEAVED, .page_bytes = TARGET_BYTES};
	struct text why;
	enum status status;

	text_init(&why);
	status = client->device->ops->buffer_new(client->device, &layout, &buffer, &why, taken);
	if (status != STATUS_OK)
		client_refuse(client, step->where, "no L1 for packets: %s", text_string(&why));
	text_fini(&why);
	return status == STATUS_OK;
}

struct client_fabric *client_fabric_new(
	struct client *client, struct mesh_shape shape, struct mesh_offset offset, uint32_t address)
{
	const struct cluster_info *info = client_machine(client);
	struct client_fabric *fabric = allocate(1, sizeof *fabric);
	enum status status;

	fabric->next = client->fabric;
	client->fabric = fabric;
	fabric->address = address;
	arena_init(&fabric->arena);
	fabric->firmware = firmware_new(client->costs, client->limits, NULL);
	fabric_graph_init(&fabric->graph, info, &fabric->arena);
	status = virtual_mesh_init(&fabric->mesh, info, shape, offset, &fabric->arena, NULL);
	ensure(status == STATUS_OK, "the mesh is open, but %s", status_message(status));
	return fabric;
}

/* Allocates L1 for the step, and prepares its objects. Does not make the kernels: if each host is a
 * process, the hosts make them. */
static bool open_fabric(
	struct client *client, const struct step *step, struct client_fabric **opened)
{
	struct handle_machine machine = {.cluster = NULL};
	enum status status = client->device->ops->machine(client->device, &machine);
	struct handle_buffer *buffer;

	if (status != STATUS_OK) /* unsupported if no links join the hosts of the devices */
		return client_refuse(client, step->where, "%s on these devices: %s",
			step_name(step->kind), status_message(status));
	ensure(client->ground || machine.cluster == client->cluster, "a mesh of another cluster");
	if (!take_l1(client, step, &buffer))
		return false;
	*opened = client_fabric_new(client, machine.shape, machine.offset,
		(uint32_t)client->device->ops->buffer_address(buffer));
	(*opened)->buffer = buffer;
	return true;
}

static bool is_apart(const struct client *client)
{
	return client->ground != NULL && client->ground->links != NULL;
}

/* Starts all kernels and waits until the fabric is idle. */
static bool run_fabric(struct client *client, struct client_fabric *fabric, const struct step *step,
	uint32_t operation)
{
	if (is_apart(client)) {
		if (!client_measure(client, step, operation, fabric->address))
			return false;
	} else {
		client_fabric_make(client, fabric, step, operation);
		client_fabric_load(client, fabric);
		client_fabric_start(client, fabric);
		for (uint32_t i = 0; i < client_cluster_count(client); i++)
			if (device_row->drain(client_cluster(client, i), DEADLINE_NEVER) !=
				STATUS_OK)
				return client_fail(client, "the fabric did not come to rest");
	}
	client->device->ops->buffer_free(fabric->buffer);
	fabric->buffer = NULL;
	return true;
}

static uint32_t start_operation(
	struct client *client, const struct step *step, uint32_t iteration, uint64_t bytes)
{
	struct op_start start = {
		.kind = step_name(step->kind),
		.thread = client->thread,
		.mesh_number = (uint8_t)client->number,
		.mesh = scenario_mesh(client->plan->scenario, client->number)->name,
		.step = step->number,
		.iteration = iteration,
		.bytes = bytes,
		.arrival_ps = -1,
	};

	return op_recorder_start(client->recorder, &start);
}

/* ---- ping-pong ---- */

/* Returns the places that a ping writes on a tile: `address` for the payload, and `word` for
 * operations that increment a word. Both are in the upper half of the tile's words, which firmware
 * does not use on workers. */
static struct traffic_target ping_target(const struct chip_geometry *geometry, uint16_t tile)
{
	uint32_t base = geometry->word_bytes / 2;

	return (struct traffic_target){.tile = tile, .address = base + 64, .word = base};
}

static void add_end(struct client *client, struct client_fabric *fabric, const struct step *step,
	struct fabric_tree *tree, bool asks, uint32_t operation)
{
	uint16_t chip = tree->nodes[0].chip;
	struct stage_place place = client_fabric_place(client, chip, 0);
	struct ping_config config = {
		.place = place,
		.tree = tree,
		.target = ping_target(client_machine(client)->chips[chip].geometry, place.tile),
		.op = step->ping.op,
		.payload_bytes = step->ping.payload_bytes,
		.samples = step->ping.samples,
		.first_operation = operation,
		.increments = client->increments[chip],
		.asks = asks,
	};

	if (config.op == TRAFFIC_FUSED_ATOMIC_INC)
		client->increments[chip] += config.samples;
	if (asks)
		config.start =
			client_fabric_start_later(client, fabric, chip, place.tile, operation);
	if (place.device == NULL)
		return;
	client_fabric_number(client, fabric, chip);
	client_fabric_add(fabric, traffic_ping_new(fabric->firmware, &config));
}

static void make_ping(struct client *client, struct client_fabric *fabric, const struct step *step,
	uint32_t operation)
{
	struct fabric_tree *there, *back;
	enum status status;

	if (!client->increments)
		client->increments =
			allocate(client_machine(client)->chip_count, sizeof *client->increments);
	status = fabric_there_and_back(
		&fabric->graph, &fabric->mesh, step->ping.hops, &fabric->arena, &there, &back);
	ensure(status == STATUS_OK, "a ping was checked, but %s", status_message(status));
	there->of_machine = back->of_machine = client->ground != NULL;
	there->flush = back->flush = step->ping.op == TRAFFIC_FUSED_ATOMIC_INC;
	add_end(client, fabric, step, there, true, operation);
	add_end(client, fabric, step, back, false, operation);
}

bool client_ping(struct client *client, const struct step *step)
{
	struct client_fabric *fabric;
	uint32_t operation = 0;

	if (!open_fabric(client, step, &fabric))
		return false;
	for (uint32_t i = 0; i < step->ping.samples; i++) {
		uint32_t number = start_operation(client, step, i, step->ping.payload_bytes);

		operation = i == 0 ? number : operation;
	}
	return run_fabric(client, fabric, step, operation);
}

/* ---- streams ---- */

/* Adds one sender for all flows of a chip on one lane (parallel link). Senders of all chips are
 * numbered together; `number` is the number of this one. */
static void add_sender(struct client *client, struct client_fabric *fabric,
	const struct traffic_step *keys, const struct fabric_flow *flows, uint32_t count,
	uint32_t lane, uint32_t number, uint32_t operation)
{
	uint16_t chip = flows[0].source;
	struct fabric_tree **trees = calloc(count, sizeof(*trees));
	struct traffic_config config = {
		.place = client_fabric_place(client, chip, lane),
		.trees = trees,
		.tree_count = count,
		/* every sender targets its own worker */
		.target = {.tile = client_fabric_place(client, chip, keys->links + number).tile,
			.address = fabric->address},
		.op = keys->op,
		.packet_bytes = keys->packet_bytes,
		.packets = keys->packets,
		.warmup = keys->warmup,
		.operation = operation,
	};

	ensure_memory(trees, "%u trees", count);
	for (uint32_t i = 0; i < count; i++) {
		trees[i] = fabric_tree_on_lane(flows[i].tree, (uint8_t)(lane + 1), &fabric->arena);
		trees[i]->of_machine = client->ground != NULL;
		trees[i]->flush = keys->op == TRAFFIC_FUSED_ATOMIC_INC;
	}
	config.start =
		client_fabric_start_later(client, fabric, chip, config.place.tile, operation);
	config.target.word = client_machine(client)->chips[0].geometry->word_bytes / 2;
	client_fabric_number(client, fabric, chip);
	if (config.place.device != NULL)
		client_fabric_add(fabric, traffic_sender_new(fabric->firmware, &config));
	free(trees);
}

static void find_flows(
	struct client_fabric *fabric, const struct traffic_step *keys, struct fabric_flows *flows)
{
	enum status status = fabric_pattern_flows(&fabric->graph, &fabric->mesh,
		(enum fabric_pattern)keys->pattern, &fabric->arena, NULL, flows);

	ensure(status == STATUS_OK, "a pattern was checked, but %s", status_message(status));
}

static void make_senders(struct client *client, struct client_fabric *fabric,
	const struct traffic_step *keys, uint32_t operation)
{
	struct fabric_flows flows;
	uint32_t number = 0;

	find_flows(fabric, keys, &flows);
	for (uint32_t first = 0, count; first < flows.count; first += count) {
		for (count = 1; first + count < flows.count &&
				flows.flows[first + count].source == flows.flows[first].source;)
			count++;
		for (uint32_t lane = 0; lane < keys->links; lane++)
			add_sender(client, fabric, keys, &flows.flows[first], count, lane, number++,
				operation);
	}
}

bool client_traffic(struct client *client, const struct step *step)
{
	const struct traffic_step *keys = &step->traffic;
	struct client_fabric *fabric;
	struct fabric_flows flows;
	uint32_t operation;

	if (!open_fabric(client, step, &fabric))
		return false;
	find_flows(fabric, keys, &flows);
	operation = start_operation(client, step, 0,
		(uint64_t)flows.busiest * (keys->packets - keys->warmup) * keys->packet_bytes);
	world->mark(operation, MARK_CALLED, 0);
	if (!run_fabric(client, fabric, step, operation))
		return false;
	world->mark(operation, MARK_RETURNED, 0);
	return true;
}

void client_fabric_make(struct client *client, struct client_fabric *fabric,
	const struct step *step, uint32_t operation)
{
	if (step->kind == STEP_FABRIC_PING)
		make_ping(client, fabric, step, operation);
	else
		make_senders(client, fabric, &step->traffic, operation);
}
