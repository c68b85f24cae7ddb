/* Declarations that the files of steps which measure the fabric share: making and starting the
 * kernels of a step, and running a step on several hosts if each host is a process. */
#ifndef BENCH_CLIENT_FABRIC_H
#define BENCH_CLIENT_FABRIC_H

#include "client_private.h"
#include "distributed/controller.h"
#include "fabric/graph.h"
#include "fabric/shape.h"
#include "firmware/traffic/traffic.h"

/* The kernels that a fabric step runs on workers. To start them, the host writes a word to each
 * chip with PCIe. A stage on that chip forwards the word to the chips without PCIe that are near
 * it. */

/* A kernel that waits to be started. */
struct client_kernel {
	uint16_t chip, tile;
	uint16_t gateway; /* the nearest chip with PCIe; the start word comes through it */
};

/* Objects of one step. They exist until the world has ended. */
struct client_fabric {
	struct client_fabric *next;
	struct arena arena;
	struct firmware *firmware;
	struct handle_buffer *buffer; /* buffer in the L1 of every worker */
	struct fabric_graph graph;
	struct virtual_mesh mesh;
	uint32_t address;      /* address of the buffer */
	struct stage **stages; /* the stages on chips of this process */
	uint32_t count, capacity;
	uint32_t starters; /* index of the first stage that starts kernels of other chips */
	struct client_kernel *kernels; /* the kernels on all chips */
	uint32_t kernel_count, kernel_capacity;
	struct traffic_start start; /* word and value that start all kernels */
};

/* Returns the description of the chips. The kernels of a step use the chip numbers of this
 * description. If links join the hosts, it contains the chips of all hosts. */
const struct cluster_info *client_machine(const struct client *client);

/* Call this before making a stage for chip `chip`, so that the stage's marks number chips over all
 * hosts. */
void client_fabric_number(const struct client *client, struct client_fabric *fabric, uint16_t chip);

/* Returns the place of a kernel on worker `worker` % (number of workers). The place has no device
 * if the chip belongs to another process. */
struct stage_place client_fabric_place(struct client *client, uint16_t chip, uint32_t worker);

/* Takes ownership of the stage. It is freed with the step. */
void client_fabric_add(struct client_fabric *fabric, struct stage *stage);

/* Registers the kernel on a tile of a chip, so that client_fabric_start() starts it. Returns the
 * word for which the kernel must wait, and the value of this word that starts the kernel. The value
 * is `operation`, so all kernels of a step start at the same value. */
struct traffic_start client_fabric_start_later(struct client *client, struct client_fabric *fabric,
	uint16_t chip, uint16_t tile, uint32_t operation);

/* Loads all stages of this process: first the kernels, then the stages that start kernels on other
 * chips. Call it when all kernels are registered. */
void client_fabric_load(struct client *client, struct client_fabric *fabric);

/* Posts the words that start the kernels. */
void client_fabric_start(struct client *client, struct client_fabric *fabric);

/* ---- client_fabric.c ---- */

/* Makes the objects of a fabric step on the mesh of `shape` at `offset`. Kernels use the L1 at
 * `address` of every worker. */
struct client_fabric *client_fabric_new(struct client *client, struct mesh_shape shape,
	struct mesh_offset offset, uint32_t address);

/* Makes the kernels of the step that belong to chips of this process. `operation` is the number of
 * the step's first operation. */
void client_fabric_make(struct client *client, struct client_fabric *fabric,
	const struct step *step, uint32_t operation);

/* ---- client_measure.c: fabric steps where each host is a process ---- */

/* Runs a fabric step on all hosts (distributed_measure()). */
bool client_measure(
	struct client *client, const struct step *step, uint32_t operation, uint32_t address);

/* ---- client_measurer.c ---- */

/* The state of an executor that takes part in fabric steps. */
struct client_measurer {
	struct client client; /* the executor's client; only its own cluster is in this process */
	struct client_ground ground;
	struct cluster *clusters[DISTRIBUTED_HOSTS_MAX];
	const struct step *loaded; /* the step whose kernels were loaded last */
};

void client_measurer_init(struct client_measurer *measurer, const struct client *client,
	uint32_t host, struct cluster *cluster);

/* The function for executor_settings.measure. `context` is a struct client_measurer. */
enum status client_measurer_run(void *context, const struct measure *what, struct text *why);

#endif
