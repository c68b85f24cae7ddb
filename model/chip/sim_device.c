/* The table of the simulated row, and its entries that are too small for a file. Refuses to inspect
 * a cluster that is not at rest. */
#include "chip/sim_device.h"

#include "fabric.h"
#include "fluid.h"
#include "noc.h"
#include "pcie.h"
#include "private.h"
#include "runner.h"
#include "tile.h"

static const struct cluster_info *entry_info(struct cluster *cluster)
{
	return cluster->info;
}

static struct device *entry_chip(struct cluster *cluster, uint16_t chip)
{
	ensure(chip < cluster->info->chip_count, "chip %u of %u", chip, cluster->info->chip_count);
	return &cluster->chips[chip];
}

static uint16_t entry_number(const struct device *device)
{
	return device->number;
}

static struct cluster *entry_cluster_of(const struct device *device)
{
	return device->cluster;
}

static enum status entry_inspect(
	struct device *device, uint16_t tile, uint32_t address, uint32_t length, void *out)
{
	ensure(sim_at_rest(device->cluster), "inspection of chip %u while the cluster is busy",
		device->number);
	return sim_tile_read(sim_tile(device, tile), address, length, out);
}

/* ---- the window: the host's own loads and stores take no time here, the caller charges them ----
 */

static enum status entry_window_reserve(
	struct cluster *cluster, const char *name, uint64_t bytes, uint64_t *address)
{
	return sim_window_reserve(&cluster->window, name, bytes, address);
}

static void entry_window_write(struct cluster *cluster, uint64_t address, struct span span)
{
	sim_window_write(&cluster->window, address, span);
}

static enum status entry_window_read(
	struct cluster *cluster, uint64_t address, uint32_t length, void *out)
{
	return sim_window_read(&cluster->window, address, length, out);
}

static uint32_t entry_window_word(struct cluster *cluster, uint64_t address)
{
	return sim_window_word(&cluster->window, address);
}

static void entry_window_set_word(struct cluster *cluster, uint64_t address, uint32_t value)
{
	sim_window_set_word(&cluster->window, address, value);
}

static enum status entry_window_wait(struct cluster *cluster, uint64_t address, uint32_t value,
	int64_t deadline_ns, enum wait_mode mode, const char *what)
{
	return sim_window_wait(&cluster->window, address, value, deadline_ns, mode, what);
}

/* ---- own tile ---- */

static uint32_t entry_word(const struct stage *stage, uint32_t address)
{
	return sim_tile_word(sim_own_tile(stage), address);
}

static void entry_set_word(struct stage *stage, uint32_t address, uint32_t value)
{
	sim_tile_set_word(sim_own_tile(stage), address, value);
}

static enum status entry_load(
	const struct stage *stage, uint32_t address, uint32_t length, void *out)
{
	return sim_tile_read(sim_own_tile(stage), address, length, out);
}

static struct span entry_view(const struct stage *stage, uint32_t address, uint32_t length)
{
	return sim_tile_view(sim_own_tile(stage), address, length);
}

static void entry_store(struct stage *stage, uint32_t address, const void *bytes, uint32_t length)
{
	sim_tile_store(sim_own_tile(stage), address, bytes, length);
}

static void entry_store_span(struct stage *stage, uint32_t address, struct span span)
{
	sim_tile_store_span(sim_own_tile(stage), address, span);
}

/* What both rows have in common. */
#define MACHINE_AND_MEMORY                                                                         \
	.info = entry_info, .chip = entry_chip, .number = entry_number,                            \
	.cluster_of = entry_cluster_of, .stage_start = sim_runner_start, .drain = sim_drain,       \
	.fabric_tree_forget = sim_fabric_tree_forget, .window_reserve = entry_window_reserve,      \
	.window_write = entry_window_write, .window_read = entry_window_read,                      \
	.window_word = entry_window_word, .window_set_word = entry_window_set_word,                \
	.window_wait = entry_window_wait, .inspect = entry_inspect, .word = entry_word,            \
	.set_word = entry_set_word, .load = entry_load, .view = entry_view, .store = entry_store,  \
	.store_span = entry_store_span, .pcie_read = sim_pcie_read,                                \
	.fabric_ready = sim_fabric_ready, .fabric_write = sim_fabric_write,                        \
	.fabric_scatter = sim_fabric_scatter

const struct device_ops sim_device = {
	.name = "sim",
	MACHINE_AND_MEMORY,
	.post_word = sim_pcie_post_word,
	.post = sim_pcie_post,
	.peek = sim_pcie_peek,
	.noc_write = sim_noc_write,
	.noc_write_packed = sim_noc_write_packed,
	.noc_multicast = sim_noc_multicast,
	.noc_write_word = sim_noc_write_word,
	.noc_increment = sim_noc_increment,
	.noc_read = sim_noc_read,
	.pcie_write = sim_pcie_write,
	.pcie_write_word = sim_pcie_write_word,
};

const struct device_ops sim_device_fluid = {
	.name = "sim",
	MACHINE_AND_MEMORY,
	.post_word = sim_fluid_post_word,
	.post = sim_fluid_post,
	.peek = sim_fluid_peek,
	.noc_write = sim_fluid_noc_write,
	.noc_write_packed = sim_fluid_noc_write_packed,
	.noc_multicast = sim_fluid_noc_multicast,
	.noc_write_word = sim_fluid_noc_write_word,
	.noc_increment = sim_fluid_noc_increment,
	.noc_read = sim_fluid_noc_read,
	.pcie_write = sim_fluid_pcie_write,
	.pcie_write_word = sim_fluid_pcie_write_word,
};
