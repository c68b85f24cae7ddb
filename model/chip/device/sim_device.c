/* The device.h implementation for networks whose messages are events of the engine's heap. Some of
 * these functions only pass their arguments on to another function. */
#include "chip/device/entries.h"

#include "chip/fabric/fabric.h"
#include "chip/machine/cluster.h"
#include "chip/noc/noc.h"
#include "chip/pcie/pcie.h"
#include "chip/tile/scheduler.h"
#include "chip/tile/tile.h"

const struct cluster_info *sim_entry_info(const struct cluster *cluster)
{
	return cluster->info;
}

struct device *sim_entry_chip(struct cluster *cluster, uint16_t chip)
{
	ensure(chip < cluster->info->chip_count, "chip %u of %u", chip, cluster->info->chip_count);
	return &cluster->chips[chip];
}

uint16_t sim_entry_number(const struct device *device)
{
	return device->number;
}

struct cluster *sim_entry_cluster_of(const struct device *device)
{
	return device->cluster;
}

enum status sim_entry_inspect(
	struct device *device, uint16_t tile, uint32_t address, uint32_t length, void *out)
{
	ensure(sim_is_quiescent(device->cluster), "inspection of chip %u while the cluster is busy",
		device->number);
	return sim_tile_read(sim_tile(device, tile), address, length, out);
}

/* ---- the window; callers charge the time of the host's own loads and stores ---- */

/* Aborts if the calling thread is not on the host of these chips. No other host reaches them,
 * because a chip's PCIe leads to only one host. */
static void check_host(const struct cluster *cluster)
{
	ensure(host_thread_host() == cluster->options.host,
		"a thread of host %u at the chips of host %u", host_thread_host(),
		cluster->options.host);
}

enum status sim_entry_window_reserve(
	struct cluster *cluster, const char *name, uint64_t bytes, uint64_t *address)
{
	check_host(cluster);
	return sim_window_reserve(&cluster->window, name, bytes, address);
}

void sim_entry_window_release(struct cluster *cluster, uint64_t address, uint64_t bytes)
{
	sim_window_release(&cluster->window, address, bytes);
}

/* Returns NULL: the window's memory is sparse, so there is no contiguous block. */
uint8_t *sim_entry_window_bytes(struct cluster *cluster, uint64_t address, uint64_t bytes)
{
	(void)cluster, (void)address, (void)bytes;
	return NULL;
}

void sim_entry_window_write(struct cluster *cluster, uint64_t address, struct span span)
{
	sim_window_write(&cluster->window, address, span);
}

enum status sim_entry_window_read(
	struct cluster *cluster, uint64_t address, uint32_t length, void *out)
{
	return sim_window_read(&cluster->window, address, length, out);
}

uint32_t sim_entry_window_word(struct cluster *cluster, uint64_t address)
{
	return sim_window_word(&cluster->window, address);
}

void sim_entry_window_set_word(struct cluster *cluster, uint64_t address, uint32_t value)
{
	sim_window_set_word(&cluster->window, address, value);
}

enum status sim_entry_window_wait(struct cluster *cluster, uint64_t address, uint32_t value,
	int64_t deadline_ns, enum wait_mode mode, const char *what)
{
	check_host(cluster);
	return sim_window_wait(&cluster->window, address, value, deadline_ns, mode, what);
}

void sim_entry_clear(struct device *device, uint16_t tile, uint32_t address, uint32_t length)
{
	struct tile *at = sim_tile(device, tile);

	if (sim_tile_is_touched(at))
		sim_tile_store_span(at, address, (struct span){.length = length});
}

/* ---- own tile ---- */

uint32_t sim_entry_word(const struct stage *stage, uint32_t address)
{
	return sim_tile_word(sim_own_tile(stage), address);
}

void sim_entry_set_word(struct stage *stage, uint32_t address, uint32_t value)
{
	sim_tile_set_word(sim_own_tile(stage), address, value);
}

enum status sim_entry_load(const struct stage *stage, uint32_t address, uint32_t length, void *out)
{
	return sim_tile_read(sim_own_tile(stage), address, length, out);
}

struct span sim_entry_view(const struct stage *stage, uint32_t address, uint32_t length)
{
	return sim_tile_view(sim_own_tile(stage), address, length);
}

uint64_t sim_entry_shared(const struct stage *stage, uint32_t address, uint32_t length)
{
	return sim_bulk_shared(sim_own_tile(stage), address, length);
}

void sim_entry_store(struct stage *stage, uint32_t address, const void *bytes, uint32_t length)
{
	sim_tile_store(sim_own_tile(stage), address, bytes, length);
}

void sim_entry_store_span(struct stage *stage, uint32_t address, struct span span)
{
	sim_tile_store_span(sim_own_tile(stage), address, span);
}

int64_t sim_entry_cycles(const struct stage *stage, int64_t ps)
{
	return sim_ps_cycles(&stage->device->cluster->timing, ps);
}

void sim_entry_charge(uint32_t cost, uint64_t price)
{
	enum charge charge = CHARGE_KERNEL;

	if (cost != CHARGE_OF_KERNEL) /* costs.def and charge.def list costs in the same order */
		charge = (enum charge)(CHARGE_FETCH_ISSUE + cost);
	cause_charge(charge, (int64_t)price);
}

/* Converts a time to thousandths of a cycle. */
static uint64_t price_of(const struct sim_timing *timing, int64_t time_ps)
{
	return (uint64_t)(time_ps * timing->aiclk_khz / 1000000);
}

uint64_t sim_entry_noc_busy(const struct stage *stage, uint64_t after)
{
	const struct tile *tile = sim_own_tile(stage);
	int64_t left_ps = tile->out.busy_until_ps - engine_now();
	uint64_t price;

	if (left_ps <= 0)
		return 0;
	price = price_of(&tile->device->cluster->timing, left_ps);
	if (price <= after)
		return 0;
	cause_charge(CHARGE_NOC_ISSUE, (int64_t)(price - after));
	return price - after;
}

uint64_t sim_entry_noc_issue(const struct stage *stage, uint32_t bytes, uint32_t count)
{
	const struct sim_timing *timing = &stage->device->cluster->timing;
	struct noc_message message =
		sim_noc_message(timing, bytes, timing->noc_injection_bytes_per_s, 0);
	uint64_t price = price_of(timing, message.takes_ps) * count;

	cause_charge(message.charge, (int64_t)price);
	return price;
}

uint64_t sim_entry_noc_multicast_issue(const struct stage *stage, uint32_t bytes)
{
	const struct sim_timing *timing = &stage->device->cluster->timing;

	return price_of(timing,
		sim_noc_message(timing, bytes, timing->noc_multicast_bytes_per_s, 0).takes_ps);
}

const struct device_ops sim_device = {
	SIM_ENTRIES,
	.post_word = sim_pcie_post_word,
	.post = sim_pcie_post,
	.peek = sim_pcie_peek,
	.noc_write = sim_noc_write,
	.noc_write_packed = sim_noc_write_packed,
	.noc_multicast = sim_noc_multicast,
	.noc_write_word = sim_noc_write_word,
	.noc_increment = sim_noc_increment,
	.noc_write_counted = sim_noc_write_counted,
	.noc_read = sim_noc_read,
	.pcie_write = sim_pcie_write,
	.pcie_write_word = sim_pcie_write_word,
};
