/* Timed bring-up (spec 3.8.8.1). The host writes the firmware of every dispatch tile, worker and
 * router, and then zeros for the words in which stages count. It writes over PCIe to chips with
 * PCIe, and through boot senders to chips behind gateways. After that, a greeting travels to every
 * chip behind a gateway and along every broadcast tree, and each receiver answers it.
 *
 * The model includes these bytes and messages, the host's copies, and its waits. The model leaves
 * out the building of firmware, the reset of processors, and the place of firmware in L1: the bytes
 * are written to the places of the stages' rings. */
#include "base/ensure.h"
#include "base/allocate.h"
#include "firmware/boot/boot.h"
#include "mesh/device/bringup.h"
#include "mesh/device/device.h"

#include <stdlib.h>

enum { DONE_STRIDE = 64, BLOCK_PARTS = 4 };

/* A chip behind a gateway, and the ring of the boot sender that writes to it. */
struct remote {
	struct device *gateway;
	const struct device_plan *plan;
	uint32_t written; /* number of units of COMMAND_ALIGN bytes written so far */
	uint64_t read_address;
};

struct load {
	struct mesh_device *mesh;
	const struct firmware *firmware;
	struct stage **stages; /* boot stages, stopped when bring-up is complete */
	uint32_t stage_count;
	uint64_t words; /* host address of the words for reads and of the done words */
	uint32_t done_count;
	struct remote *remotes; /* [device] the chip behind a gateway, see struct remote */
};

static struct stage_place place_at(const struct load *load, const struct stage_spot *spot)
{
	return (struct stage_place){
		device_row->chip(load->mesh->cluster, spot->chip), spot->tile, spot->processor};
}

static void bringup_load_start(struct load *load, struct stage *stage)
{
	estate_own(load->mesh->estate, (struct owned){.stage = stage, .boots = true});
	load->stages[load->stage_count++] = stage;
	device_row->stage_start(stage->device, stage);
}

/* Returns the host address of the next done word. */
static uint64_t next_done(struct load *load)
{
	return load->words + (uint64_t)load->done_count++ * DONE_STRIDE;
}

/* Waits until all done words from number `first` on are set. */
static void wait_done(const struct load *load, uint32_t first)
{
	const struct mesh_device *mesh = load->mesh;

	for (uint32_t i = first; i < load->done_count; i++)
		(void)device_row->window_wait(mesh->cluster,
			load->words + (uint64_t)i * DONE_STRIDE, 1, DEADLINE_NEVER,
			mesh->config.host.caller_wait, "answers of chips that are brought up");
}

/* ---- bytes ---- */

/* Writes through the mapped window of a chip with PCIe. */
static void bringup_load_post(
	struct load *load, struct device *device, uint16_t tile, uint32_t address, struct span span)
{
	world->work_copy(span.length, MEMORY_CACHED, MEMORY_WRITE_COMBINING);
	device_row->post(device, tile, address, span);
	load->mesh->counters.bring_up_bytes += span.length;
}

/* Waits until the ring of a boot sender has room for `bytes` additional bytes. */
static void wait_room(const struct load *load, const struct remote *remote, uint32_t bytes)
{
	uint32_t units = load->mesh->config.limits->fetch_ring_bytes / COMMAND_ALIGN;

	(void)device_row->window_wait(load->mesh->cluster, remote->read_address,
		remote->written + bytes / COMMAND_ALIGN - units, DEADLINE_NEVER,
		load->mesh->config.host.caller_wait, "room in the ring of a boot sender");
}

static void write_ring(struct load *load, struct remote *remote, struct span span)
{
	const struct device_plan *plan = remote->plan;
	uint32_t ring_bytes = load->mesh->config.limits->fetch_ring_bytes;

	while (span.length > 0) {
		uint32_t at = (uint32_t)((uint64_t)remote->written * COMMAND_ALIGN % ring_bytes);
		uint32_t part = span.length < ring_bytes - at ? span.length : ring_bytes - at;

		bringup_load_post(load, remote->gateway, plan->prefetch_h.tile,
			plan->prefetch_h_layout.fetch_ring + at, span_part(span, 0, part));
		remote->written += part / COMMAND_ALIGN;
		span = span_part(span, part, span.length - part);
	}
}

/* Writes a block of `bytes` zeros to a chip behind a gateway. */
static void bringup_load_write_block(
	struct load *load, struct remote *remote, uint16_t tile, uint32_t address, uint32_t bytes)
{
	uint8_t header[BOOT_HEADER_BYTES];
	struct span span;

	bytes = (bytes + COMMAND_ALIGN - 1) / COMMAND_ALIGN * COMMAND_ALIGN;
	wait_room(load, remote, bytes + BOOT_HEADER_BYTES);
	boot_header_encode(tile, address, bytes, header);
	span = span_copy(header, sizeof header);
	write_ring(load, remote, span);
	span_release(span);
	write_ring(load, remote, (struct span){.length = bytes});
	world->work(WORK_DOORBELL, 1);
	device_row->post_word(remote->gateway, remote->plan->prefetch_h.tile,
		remote->plan->prefetch_h_layout.fetch_queue, remote->written);
}

/* Writes `bytes` zeros, which stand for firmware or cleared words, to [address, end) of a tile. If
 * the range is shorter, begins again at `address`. */
static void bringup_load_put(struct load *load, uint16_t chip, struct remote *remote, uint16_t tile,
	uint32_t address, uint32_t end, uint64_t bytes)
{
	uint32_t most = end - address, block;

	if (remote != NULL)
		block = load->mesh->config.limits->fetch_ring_bytes / BLOCK_PARTS;
	else
		block = most;
	if (most == 0)
		return;
	for (uint32_t at = 0; bytes > 0;) {
		uint32_t part = block < most - at ? block : most - at;

		if (part > bytes)
			part = (uint32_t)bytes;
		if (remote != NULL)
			bringup_load_write_block(load, remote, tile, address + at, part);
		else
			bringup_load_post(load, device_row->chip(load->mesh->cluster, chip), tile,
				address + at, (struct span){.length = part});
		bytes -= part;
		at = at + part < most ? at + part : 0;
	}
}

/* ---- contents ---- */

static void bringup_load_put_part(
	struct load *load, const struct inventory_part *part, struct remote *remote)
{
	const struct tile_claim *claim = &part->claim;
	uint64_t image = load->mesh->config.limits->stage_image_bytes;

	bringup_load_put(load, part->chip, remote, part->tile, claim->byte, claim->byte_end,
		image * (uint32_t)__builtin_popcount(claim->processors));
	bringup_load_put(load, part->chip, remote, part->tile, claim->word, claim->word_end,
		claim->word_end - claim->word);
}

static void put_worker(struct load *load, uint16_t chip, struct remote *remote, uint16_t tile)
{
	const struct plan *plan = &load->mesh->plan;
	uint32_t words = plan->words.result + LAUNCH_RESULT_BYTES - plan->words.go;

	bringup_load_put(load, chip, remote, tile, plan->launch_ring,
		plan->config_ring + plan->config_ring_bytes,
		load->mesh->config.limits->worker_image_bytes);
	bringup_load_put(load, chip, remote, tile, plan->words.go, plan->words.go + words, words);
}

/* Returns the number of ends of links on a chip. */
static uint32_t link_ends(const struct cluster_info *info, uint16_t chip)
{
	uint32_t ends = 0;

	for (uint32_t i = 0; i < info->connection_count; i++)
		if (info->connections[i].chip[0] == chip || info->connections[i].chip[1] == chip)
			ends += info->connections[i].links;
	return ends;
}

/* Loads the workers and routers of a device. */
static void put_device(struct load *load, uint32_t device, struct remote *remote)
{
	const struct mesh_device *mesh = load->mesh;
	uint16_t chip = mesh->plan.mesh.chips[device];
	const struct chip_geometry *geometry = mesh->info->chips[chip].geometry;
	uint32_t ends = link_ends(mesh->info, chip);

	for (uint32_t i = 0; i < (uint32_t)geometry->worker_columns * geometry->worker_rows; i++)
		put_worker(load, chip, remote, geometry->worker_tiles[i]);
	for (uint32_t i = 0; i < mesh->plan.ethernet_count; i++)
		put_worker(load, chip, remote, mesh->plan.ethernet_tiles[i]);
	for (uint32_t i = 0; i < ends && i < geometry->ethernet_count; i++)
		bringup_load_put(load, chip, remote, geometry->ethernet_tiles[i],
			geometry->word_bytes, geometry->ethernet_l1_bytes,
			mesh->config.limits->router_image_bytes);
}

/* Returns the boot sender's ring for a chip of the mesh, or NULL if the chip has PCIe. */
static struct remote *remote_of(struct load *load, uint16_t chip)
{
	for (uint32_t i = 0; i < load->mesh->devices; i++)
		if (load->mesh->plan.routes[i].chip == chip)
			return load->remotes[i].plan != NULL ? &load->remotes[i] : NULL;
	return NULL;
}

/* Loads all chips behind gateways if `behind` is set, otherwise all other chips. */
static void put_all(struct load *load, bool behind)
{
	const struct mesh_device *mesh = load->mesh;
	struct remote *remote = NULL;
	uint16_t chip = CHIP_NONE;

	for (uint32_t i = 0; i < mesh->part_count; i++) {
		if (mesh->parts[i].chip != chip)
			remote = remote_of(load, mesh->parts[i].chip);
		chip = mesh->parts[i].chip;
		if ((remote != NULL) == behind)
			bringup_load_put_part(load, &mesh->parts[i], remote);
	}
	for (uint32_t i = 0; i < mesh->devices; i++) {
		remote = load->remotes[i].plan != NULL ? &load->remotes[i] : NULL;
		if ((remote != NULL) == behind)
			put_device(load, i, remote);
	}
}

/* ---- chips that the host reaches ---- */

/* Reads a word of each chip with PCIe. When the read returns, all data that were posted to the chip
 * before have arrived. */
static void flush(const struct load *load)
{
	const struct mesh_device *mesh = load->mesh;
	uint16_t chip = CHIP_NONE;
	uint32_t word;

	for (uint32_t i = 0; i < mesh->part_count; i++) {
		const struct inventory_part *part = &mesh->parts[i];

		if (part->chip == chip || !mesh->info->chips[part->chip].has_pcie)
			continue;
		chip = part->chip;
		(void)device_row->peek(device_row->chip(mesh->cluster, chip), part->tile,
			part->claim.word, sizeof word, &word);
	}
}

/* ---- chips behind gateways ---- */

static void start_remote(struct load *load, uint32_t device)
{
	const struct mesh_device *mesh = load->mesh;
	const struct device_plan *plan = &mesh->plan.device[device];
	const struct device_routes *route = &mesh->plan.routes[device];
	struct boot_sender_config sender = {.place = place_at(load, &plan->prefetch_h),
		.ring = plan->prefetch_h_layout.fetch_ring,
		.ring_bytes = mesh->config.limits->fetch_ring_bytes,
		.written_word = plan->prefetch_h_layout.fetch_queue,
		.tree = route->outward,
		.tile = plan->prefetch_d.tile,
		.word = plan->prefetch_d_layout.arrival_word,
		.answer_word = plan->prefetch_h_layout.credit_word,
		.answers = 1,
		.operation = mesh->config.operation};
	struct boot_receiver_config receiver = {.place = place_at(load, &plan->prefetch_d),
		.word = sender.word,
		.tree = route->homeward,
		.tile = plan->prefetch_h.tile,
		.answer_word = sender.answer_word,
		.operation = mesh->config.operation};

	sender.done_address = next_done(load);
	sender.read_address = sender.done_address + DONE_STRIDE / 2;
	load->remotes[device].read_address = sender.read_address;
	bringup_load_start(load, boot_receiver_new(load->firmware, &receiver));
	bringup_load_start(load, boot_sender_new(load->firmware, &sender));
}

static void load_remotes(struct load *load)
{
	uint32_t first = load->done_count;

	for (uint32_t i = 0; i < load->mesh->devices; i++)
		if (load->remotes[i].plan != NULL)
			start_remote(load, i);
	put_all(load, true);
	for (uint32_t i = 0; i < load->mesh->devices; i++)
		if (load->remotes[i].plan != NULL)
			bringup_load_write_block(load, &load->remotes[i], BOOT_GREET, 0, 0);
	wait_done(load, first);
}

/* ---- broadcast trees ---- */

static void greet_grid(struct load *load, uint32_t queue, uint32_t grid)
{
	const struct mesh_device *mesh = load->mesh;
	const struct plan *plan = &mesh->plan;
	const struct initiator_plan *at = &plan->initiator[queue * plan->grids + grid];
	const struct device_plan *first = &plan->device[queue * plan->devices];
	struct boot_sender_config sender = {.place = place_at(load, &at->packetizer),
		.tree = at->multicasts->tree,
		.tile = first->depacketizer.tile,
		.word = first->depacketizer_layout.arrival_words,
		.answer_word = at->packetizer_layout.account_words,
		.operation = mesh->config.operation};

	for (const struct broadcast_tree *tree = at->multicasts->next; tree != NULL;
		tree = tree->next)
		sender.more_count++;
	sender.more =
		arena_array(&mesh->estate->arena, sender.more_count + 1, sizeof(*sender.more));
	sender.more_count = 0;
	for (const struct broadcast_tree *tree = at->multicasts->next; tree != NULL;
		tree = tree->next)
		sender.more[sender.more_count++] = tree->tree;
	for (uint32_t i = 0; i < plan->devices; i++) {
		const struct device_plan *device = &plan->device[queue * plan->devices + i];
		struct boot_receiver_config receiver = {
			.place = place_at(load, &device->depacketizer),
			.word = sender.word,
			.tree = plan->routes[i].to_initiator,
			.tile = at->packetizer.tile,
			.answer_word = sender.answer_word,
			.operation = mesh->config.operation};

		if (plan->routes[i].grid != grid)
			continue;
		sender.greets_here |= receiver.tree == NULL;
		sender.answers++;
		bringup_load_start(load, boot_receiver_new(load->firmware, &receiver));
	}
	sender.done_address = next_done(load);
	bringup_load_start(load, boot_sender_new(load->firmware, &sender));
}

static void greet_grids(struct load *load)
{
	uint32_t first = load->done_count;

	for (uint32_t queue = 0; queue < load->mesh->queue_count; queue++)
		for (uint32_t grid = 0; grid < load->mesh->plan.grids; grid++)
			greet_grid(load, queue, grid);
	wait_done(load, first);
}

/* ---- all ---- */

uint64_t bringup_load_bytes(const struct mesh_device *mesh)
{
	const struct plan *plan = &mesh->plan;

	return (uint64_t)(plan->devices + plan->grids * plan->queues) * DONE_STRIDE;
}

void bringup_load(struct mesh_device *mesh, const struct firmware *firmware)
{
	const struct plan *plan = &mesh->plan;
	uint32_t stages = 2 * plan->devices + (plan->devices + plan->grids) * plan->queues;
	struct load load = {.mesh = mesh, .firmware = firmware, .words = mesh->load_words};

	load.stages = allocate(stages, sizeof(*load.stages));
	load.remotes = allocate(plan->devices, sizeof(*load.remotes));
	for (uint32_t i = 0; i < plan->devices; i++)
		if (plan->routes[i].outward != NULL)
			load.remotes[i] = (struct remote){
				.gateway = device_row->chip(mesh->cluster, plan->routes[i].gateway),
				.plan = &plan->device[i]};
	put_all(&load, false);
	flush(&load);
	if (mesh->config.operation != 0)
		world->mark(mesh->config.operation, MARK_COPIED, mesh->config.marks.first_chip);
	load_remotes(&load);
	greet_grids(&load);
	for (uint32_t i = 0; i < load.stage_count; i++)
		device_row->stage_stop(load.stages[i]->device, load.stages[i]);
	free(load.stages);
	free(load.remotes);
}
