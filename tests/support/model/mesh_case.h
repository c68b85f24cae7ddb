/* A mesh device for tests, by default in the native world. Nothing is mocked: the case uses the
 * real code from the cluster description to the firmware. */
#ifndef MESH_CASE_H
#define MESH_CASE_H

#include "command/launch.h"
#include "firmware/core/firmware.h"
#include "mesh/choice.h"
#include "mesh/queue.h"
#include "test_cluster.h"

struct mesh_case {
	struct test_cluster cluster_config;
	struct mesh_config config;
	struct cluster_info *info;
	struct cluster *cluster;
	struct mesh_system *system;
	struct mesh_device *mesh;
	struct firmware_costs costs;
	struct firmware_limits limits;
};

/* Prepares a case with two queues, small rings, and a mesh as large as the platform. If a test
 * needs other settings, it changes the case before the case is opened. */
void mesh_case_init(struct mesh_case *test, uint16_t rows, uint16_t columns, enum test_pcie pcie);

/* Selects implementations by name. */
void mesh_case_choose(struct mesh_case *test, const char *forward, uint32_t initiators,
	const char *completion, const char *threads);

/* Returns event paths without a known hazard, by index. Returns NULL after the last one. */
const struct completion_ops *sound_row(size_t index);
const char *sound_name(size_t index);

/* Calls `run` for every combination of a forward path, an event path, a variant of host threads,
 * and a placement of PCIe. Event paths with a known hazard are left out. The command cache is on in
 * half of the combinations. */
void mesh_case_each_combination(void (*run)(const char *forward, const char *completion,
	const char *threads, enum test_pcie pcie, bool cache));

/* Makes the cluster and opens the mesh device. An error fails the test. */
void mesh_case_open(struct mesh_case *test);

/* Opens the mesh device on test->cluster, which is a native or simulated cluster with the
 * description test->info. The caller must close the mesh and the system. */
void mesh_case_attach(struct mesh_case *test);

/* Closes and frees everything. */
void mesh_case_close(struct mesh_case *test);

/* Waits until nothing is in flight, then reads memory of a device. */
void mesh_case_inspect(struct mesh_case *test, uint32_t device, uint16_t tile, uint32_t address,
	uint32_t length, void *out);

/* Searches the whole L1 of a core for launch messages, and returns the message with the highest
 * operation number. Fails the test if the L1 has no launch message. */
struct launch_message mesh_case_message(struct mesh_case *test, uint32_t device, uint16_t tile);

/* Returns the result that worker `core` of `device` has stored. */
struct launch_result mesh_case_result(struct mesh_case *test, uint32_t device, uint32_t core);

/* Makes a program with a kernel of `bytes` bytes on each processor, one circular buffer and one
 * semaphore. The kernel on BRISC has `args` unique arguments and `args` common arguments. */
struct program *mesh_case_program(struct mesh_case *test, const char *name, struct cores cores,
	uint32_t bytes, uint32_t args);

/* Makes a workload that runs `program` on all devices. */
struct workload *mesh_case_workload(struct mesh_case *test, struct program *program);

/* Sets the arguments of a program that mesh_case_program() made. The values depend on the
 * generation, on the core, and on the index of the argument. */
void mesh_case_set_args(struct mesh_case *test, struct program *program, struct cores cores,
	uint32_t args, uint32_t generation);

/* Returns the checksum that worker `core` must report for these arguments. */
uint32_t mesh_case_checksum(uint32_t core, uint32_t args, uint32_t generation);

/* Reads a buffer of `bytes` bytes from every device. `data` has parts of `bytes` bytes. Fails the
 * test unless device d holds part number last[d]. */
void mesh_case_check_parts(struct mesh_case *test, struct mesh_buffer *buffer, const uint8_t *data,
	const uint32_t *last, uint32_t bytes);

/* Writes `bytes` bytes to all devices twelve times. After most of these writes, also writes to one
 * device, each time to another. Checks what each device holds at the end, returns the counters of
 * the mesh, and closes the mesh, which must be open. */
struct mesh_counters mesh_case_write_in_turns(struct mesh_case *test, uint32_t bytes);

/* Fills bytes with a pattern that depends on `seed`. */
void mesh_case_fill(void *bytes, size_t length, uint64_t seed);

#endif
