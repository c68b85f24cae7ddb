/* The native implementation of device.h: an emulated cluster, which computes results but no times.
 * The cluster may be inspected only while it is at rest. The host may access only chips with
 * PCIe. */
#include "world/native/native.h"

#include "base/allocate.h"
#include "base/ensure.h"
#include "native_chip.h"
#include "native_links.h"
#include "native_wait.h"

#include <stdlib.h>

struct cluster *native_cluster_new(const struct cluster_info *info)
{
	struct cluster *cluster = calloc(1, sizeof *cluster);

	if (cluster == NULL)
		return NULL;
	cluster->chips = calloc(info->chip_count, sizeof *cluster->chips);
	if (cluster->chips == NULL || native_window_open(&cluster->window) != STATUS_OK) {
		free(cluster->chips);
		free(cluster);
		return NULL;
	}
	cluster->info = info;
	pthread_mutex_init(&cluster->rest_lock, NULL);
	native_cond_init(&cluster->rest_cond);
	for (uint16_t i = 0; i < info->chip_count; i++)
		native_chip_init(&cluster->chips[i], cluster, i);
	return cluster;
}

void native_cluster_free(struct cluster *cluster)
{
	if (cluster == NULL)
		return;
	for (uint16_t i = 0; i < cluster->info->chip_count; i++)
		native_chip_stop(&cluster->chips[i]);
	native_links_free(cluster->links);
	for (uint16_t i = 0; i < cluster->info->chip_count; i++)
		native_chip_fini(&cluster->chips[i]);
	native_window_close(&cluster->window);
	pthread_cond_destroy(&cluster->rest_cond);
	pthread_mutex_destroy(&cluster->rest_lock);
	free(cluster->machine);
	free(cluster->chips);
	free(cluster);
}

void native_cluster_join(struct cluster *const *clusters, uint32_t count)
{
	const struct cluster_info *machine = clusters[0]->info->machine;

	for (uint32_t i = 0; i < count; i++) {
		ensure(machine != NULL && clusters[i]->info->machine == machine,
			"clusters of two machines are joined");
		clusters[i]->machine = allocate(machine->chip_count, sizeof(struct device *));
		for (uint32_t k = 0; k < count; k++)
			for (uint16_t chip = 0; chip < clusters[k]->info->chip_count; chip++)
				clusters[i]->machine[clusters[k]->info->machine_first + chip] =
					&clusters[k]->chips[chip];
	}
}

void native_cluster_stages(struct cluster *cluster,
	void (*see)(void *context, uint32_t chip, const struct stage *stage, bool blocked),
	void *context)
{
	for (uint16_t i = 0; i < cluster->info->chip_count; i++) {
		struct show show = {.see = see, .context = context};

		native_inbox_show(&cluster->chips[i], &show);
	}
}

/* ---- the machine ---- */

static const struct cluster_info *native_info(const struct cluster *cluster)
{
	return cluster->info;
}

static struct device *native_chip(struct cluster *cluster, uint16_t chip)
{
	ensure(chip < cluster->info->chip_count, "chip %u of %u", chip, cluster->info->chip_count);
	return &cluster->chips[chip];
}

static uint16_t native_number(const struct device *device)
{
	return device->number;
}

static struct cluster *native_cluster_of(const struct device *device)
{
	return device->cluster;
}

static void native_stage_start(struct device *device, struct stage *stage)
{
	struct message message = {.kind = MESSAGE_START, .stage = stage};

	native_inbox_send(device, &message);
}

static void native_stage_stop(struct device *device, struct stage *stage)
{
	struct message message = {.kind = MESSAGE_STOP, .stage = stage};

	native_inbox_send(device, &message);
}

static bool at_rest(struct cluster *cluster)
{
	return __atomic_load_n(&cluster->busy, __ATOMIC_SEQ_CST) == 0;
}

static enum status native_drain(struct cluster *cluster, int64_t deadline_ns)
{
	bool rest;

	world->settle();
	pthread_mutex_lock(&cluster->rest_lock);
	while (!at_rest(cluster) && native_now_ns() < deadline_ns)
		native_cond_wait(&cluster->rest_cond, &cluster->rest_lock, deadline_ns);
	rest = at_rest(cluster);
	pthread_mutex_unlock(&cluster->rest_lock);
	/* After a time-out, synchronize with each chip. The caller then sees everything that the
	 * chip did before it stalled, as in the simulation. */
	for (uint16_t i = 0; i < cluster->info->chip_count && !rest; i++)
		native_inbox_meet(&cluster->chips[i]);
	return rest ? STATUS_OK : STATUS_TIMEOUT;
}

/* ---- host side ---- */

static enum status host_window_reserve(
	struct cluster *cluster, const char *name, uint64_t bytes, uint64_t *address)
{
	(void)name; /* the native world has no reports of window regions */
	return native_window_reserve(&cluster->window, bytes, address);
}

static void host_window_release(struct cluster *cluster, uint64_t address, uint64_t bytes)
{
	native_window_release(&cluster->window, address, bytes);
}

static void host_window_write(struct cluster *cluster, uint64_t address, struct span span)
{
	native_window_write(&cluster->window, address, span);
}

static uint8_t *host_window_bytes(struct cluster *cluster, uint64_t address, uint64_t bytes)
{
	return native_window_bytes(&cluster->window, address, bytes);
}

static enum status host_window_read(
	struct cluster *cluster, uint64_t address, uint32_t length, void *out)
{
	return native_window_read(&cluster->window, address, length, out);
}

static uint32_t host_window_word(struct cluster *cluster, uint64_t address)
{
	return native_window_word(&cluster->window, address);
}

static void host_window_set_word(struct cluster *cluster, uint64_t address, uint32_t value)
{
	native_window_store_word(&cluster->window, address, value);
}

static enum status host_window_wait(struct cluster *cluster, uint64_t address, uint32_t value,
	int64_t deadline_ns, enum wait_mode mode, const char *what)
{
	(void)what; /* the native world has no stall reports */
	world->settle();
	return native_window_wait(&cluster->window, address, value, deadline_ns, mode);
}

/* Call it before the host accesses the chip. Checks that the chip has PCIe. Then calls
 * world->settle() (world/world.h), because devices can observe the access. */
static void host_reaches(const struct device *device)
{
	ensure(device->info->has_pcie, "chip %u has no PCIe", device->number);
	world->settle();
}

/* Posts a write: puts it into the inbox, after earlier writes of this thread. */
static void host_post(struct device *device, uint16_t tile, uint32_t address, struct span span)
{
	struct message message = {
		.kind = MESSAGE_WRITE,
		.tile = tile,
		.address = address,
		.span = span,
	};

	native_inbox_send(device, &message);
}

static void native_clear(struct device *device, uint16_t tile, uint32_t address, uint32_t length)
{
	host_post(device, tile, address, (struct span){.length = length});
}

static void native_post_word(struct device *device, uint16_t tile, uint32_t address, uint32_t value)
{
	host_reaches(device);
	ensure(address % 4 == 0, "doorbell at 0x%x", address);
	host_post(device, tile, address, span_copy(&value, sizeof value));
}

static void native_post(struct device *device, uint16_t tile, uint32_t address, struct span span)
{
	host_reaches(device);
	/* this copy stands for the host's store through the mapped window, and takes real time */
	if (span.extent != NULL && !span.extent->elided)
		span = span_copy(span.extent->bytes + span.offset, span.length);
	else
		span_hold(span);
	host_post(device, tile, address, span);
}

static enum status native_peek(
	struct device *device, uint16_t tile, uint32_t address, uint32_t length, void *out)
{
	host_reaches(device);
	return native_inbox_peek(device, tile, address, length, out);
}

static enum status native_inspect(
	struct device *device, uint16_t tile, uint32_t address, uint32_t length, void *out)
{
	ensure(at_rest(device->cluster), "inspection of chip %u while the cluster is busy",
		device->number);
	return native_tile_read(native_chip_tile(device, tile), address, length, out);
}

/* ---- firmware side, own tile ---- */

static struct tile *own_tile(const struct stage *stage)
{
	return native_chip_tile(stage->device, stage->tile);
}

static uint32_t native_word(const struct stage *stage, uint32_t address)
{
	return native_tile_word(own_tile(stage), address);
}

static void native_set_word(struct stage *stage, uint32_t address, uint32_t value)
{
	native_tile_set_word(own_tile(stage), address, value);
	native_schedule_touched(stage->device, stage->tile, address, sizeof value);
}

static enum status native_load(
	const struct stage *stage, uint32_t address, uint32_t length, void *out)
{
	return native_tile_read(own_tile(stage), address, length, out);
}

/* Returns 0, because the emulator does not simulate the time of stages. */
static int64_t native_cycles(const struct stage *stage, int64_t ps)
{
	(void)stage, (void)ps;
	return 0;
}

static struct span native_view(const struct stage *stage, uint32_t address, uint32_t length)
{
	return native_tile_view(own_tile(stage), address, length);
}

/* Returns 0, because the tiles of the emulator do not share memory. */
static uint64_t native_shared(const struct stage *stage, uint32_t address, uint32_t length)
{
	(void)stage, (void)address, (void)length;
	return 0;
}

static void native_store(struct stage *stage, uint32_t address, const void *bytes, uint32_t length)
{
	native_tile_store(own_tile(stage), address, bytes, length);
	native_schedule_touched(stage->device, stage->tile, address, length);
}

static void native_store_span(struct stage *stage, uint32_t address, struct span span)
{
	native_tile_write(own_tile(stage), address, span);
	native_schedule_touched(stage->device, stage->tile, address, span.length);
}

/* Does nothing, because the native world does not count time. */
static void native_charge(uint32_t cost, uint64_t price)
{
	(void)cost;
	(void)price;
}

static uint64_t native_noc_busy(const struct stage *stage, uint64_t after)
{
	(void)stage;
	(void)after;
	return 0;
}

static uint64_t native_noc_issue(const struct stage *stage, uint32_t bytes, uint32_t count)
{
	(void)stage;
	(void)bytes;
	(void)count;
	return 0;
}

static uint64_t native_noc_multicast_issue(const struct stage *stage, uint32_t bytes)
{
	(void)stage;
	(void)bytes;
	return 0;
}

static uint32_t native_bill(void)
{
	return 0;
}

static void native_charge_bill(uint32_t bill)
{
	(void)bill;
}

static void native_early(void)
{
}

const struct device_ops native_device = {
	.name = "native",
	.info = native_info,
	.chip = native_chip,
	.number = native_number,
	.cluster_of = native_cluster_of,
	.stage_start = native_stage_start,
	.stage_stop = native_stage_stop,
	.clear = native_clear,
	.drain = native_drain,
	.fabric_tree_forget = native_fabric_tree_forget,
	.window_reserve = host_window_reserve,
	.window_release = host_window_release,
	.window_write = host_window_write,
	.window_bytes = host_window_bytes,
	.window_read = host_window_read,
	.window_word = host_window_word,
	.window_set_word = host_window_set_word,
	.window_wait = host_window_wait,
	.post_word = native_post_word,
	.post = native_post,
	.peek = native_peek,
	.inspect = native_inspect,
	.word = native_word,
	.set_word = native_set_word,
	.load = native_load,
	.view = native_view,
	.shared = native_shared,
	.store = native_store,
	.store_span = native_store_span,
	.cycles = native_cycles,
	.charge = native_charge,
	.bill = native_bill,
	.charge_bill = native_charge_bill,
	.early = native_early,
	.noc_busy = native_noc_busy,
	.noc_issue = native_noc_issue,
	.noc_multicast_issue = native_noc_multicast_issue,
	.noc_write = native_noc_write,
	.noc_write_packed = native_noc_write_packed,
	.noc_multicast = native_noc_multicast,
	.noc_write_word = native_noc_write_word,
	.noc_increment = native_noc_increment,
	.noc_write_counted = native_noc_write_counted,
	.noc_read = native_noc_read,
	.pcie_read = native_pcie_read,
	.pcie_write = native_pcie_write,
	.pcie_write_word = native_pcie_write_word,
	.fabric_ready = native_fabric_ready,
	.fabric_write = native_fabric_write,
	.fabric_scatter = native_fabric_scatter,
	.fabric_read = native_fabric_read,
};
