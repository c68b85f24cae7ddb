/* Implementations of the operations of world/device.h. Most of them serve all network models. The
 * operations that send serve only models in which a message is an event in the heap of the engine.
 * In the model `fluid`, a message is a communication of SimGrid, so this model has its own
 * functions that send (network/fluid). */
#ifndef CHIP_DEVICE_ENTRIES_H
#define CHIP_DEVICE_ENTRIES_H

#include "chip/fabric/fabric.h"
#include "chip/machine/cluster.h"
#include "chip/pcie/pcie.h"
#include "chip/tile/scheduler.h"

/* See device.h for these functions. */
const struct cluster_info *sim_entry_info(const struct cluster *cluster);
struct device *sim_entry_chip(struct cluster *cluster, uint16_t chip);
uint16_t sim_entry_number(const struct device *device);
struct cluster *sim_entry_cluster_of(const struct device *device);
enum status sim_entry_inspect(
	struct device *device, uint16_t tile, uint32_t address, uint32_t length, void *out);

enum status sim_entry_window_reserve(
	struct cluster *cluster, const char *name, uint64_t bytes, uint64_t *address);
void sim_entry_window_release(struct cluster *cluster, uint64_t address, uint64_t bytes);
uint8_t *sim_entry_window_bytes(struct cluster *cluster, uint64_t address, uint64_t bytes);
void sim_entry_window_write(struct cluster *cluster, uint64_t address, struct span span);
enum status sim_entry_window_read(
	struct cluster *cluster, uint64_t address, uint32_t length, void *out);
uint32_t sim_entry_window_word(struct cluster *cluster, uint64_t address);
void sim_entry_window_set_word(struct cluster *cluster, uint64_t address, uint32_t value);
enum status sim_entry_window_wait(struct cluster *cluster, uint64_t address, uint32_t value,
	int64_t deadline_ns, enum wait_mode mode, const char *what);

uint32_t sim_entry_word(const struct stage *stage, uint32_t address);
void sim_entry_clear(struct device *device, uint16_t tile, uint32_t address, uint32_t length);
void sim_entry_set_word(struct stage *stage, uint32_t address, uint32_t value);
enum status sim_entry_load(const struct stage *stage, uint32_t address, uint32_t length, void *out);
struct span sim_entry_view(const struct stage *stage, uint32_t address, uint32_t length);
uint64_t sim_entry_shared(const struct stage *stage, uint32_t address, uint32_t length);
void sim_entry_store(struct stage *stage, uint32_t address, const void *bytes, uint32_t length);
void sim_entry_store_span(struct stage *stage, uint32_t address, struct span span);

int64_t sim_entry_cycles(const struct stage *stage, int64_t ps);
void sim_entry_charge(uint32_t cost, uint64_t price);
uint64_t sim_entry_noc_busy(const struct stage *stage, uint64_t after);
uint64_t sim_entry_noc_issue(const struct stage *stage, uint32_t bytes, uint32_t count);
uint64_t sim_entry_noc_multicast_issue(const struct stage *stage, uint32_t bytes);

/* ---- drain.c ---- */
enum status sim_drain(struct cluster *cluster, int64_t deadline_ns);

/* Designated initializers for entries of struct device_ops that are the same for all networks. */
#define SIM_ENTRIES                                                                                \
	.name = "sim", .info = sim_entry_info, .chip = sim_entry_chip, .number = sim_entry_number, \
	.cluster_of = sim_entry_cluster_of, .inspect = sim_entry_inspect, .drain = sim_drain,      \
	.window_reserve = sim_entry_window_reserve, .window_release = sim_entry_window_release,    \
	.window_write = sim_entry_window_write, .clear = sim_entry_clear,                          \
	.window_bytes = sim_entry_window_bytes, .window_read = sim_entry_window_read,              \
	.window_word = sim_entry_window_word, .window_set_word = sim_entry_window_set_word,        \
	.window_wait = sim_entry_window_wait, .stage_start = sim_task_start,                       \
	.stage_stop = sim_task_stop, .word = sim_entry_word, .set_word = sim_entry_set_word,       \
	.load = sim_entry_load, .view = sim_entry_view, .store = sim_entry_store,                  \
	.store_span = sim_entry_store_span, .shared = sim_entry_shared,                            \
	.cycles = sim_entry_cycles, .charge = sim_entry_charge, .bill = cause_bill_keep,           \
	.charge_bill = cause_bill, .early = cause_early, .noc_busy = sim_entry_noc_busy,           \
	.noc_issue = sim_entry_noc_issue, .noc_multicast_issue = sim_entry_noc_multicast_issue,    \
	.pcie_read = sim_pcie_read, .fabric_ready = sim_fabric_ready,                              \
	.fabric_write = sim_fabric_write, .fabric_scatter = sim_fabric_scatter,                    \
	.fabric_read = sim_fabric_read, .fabric_tree_forget = sim_fabric_tree_forget

/* The state of `model.noc: links`: the links, and the operations that wait for links. It belongs to
 * the device.h implementation sim_device_links (chip/sim_device.h). */

/* sim_departures_open() creates the links and the queues of waiting operations; call it after the
 * chips were created. sim_departures_close() frees the links and the queues; call it before the
 * chips are freed. If sim_departures_open() was not called, it does nothing. */
void sim_departures_open(struct cluster *cluster);
void sim_departures_close(struct cluster *cluster);

#endif
