/* Kernels of a fabric step on workers, and how the host starts them: it posts a word to each chip
 * with PCIe, and a stage there forwards it to the others. Private to bench/client. */
#ifndef BENCH_CLIENT_FABRIC_H
#define BENCH_CLIENT_FABRIC_H

#include "client_private.h"
#include "fabric/graph.h"
#include "fabric/virtual_mesh.h"
#include "firmware/traffic/traffic.h"

/* A kernel that waits to be started. */
struct client_kernel {
	uint16_t chip, tile;
	uint16_t gateway; /* the nearest chip with PCIe */
};

/* Objects of one step. They live until the world has ended. */
struct client_fabric {
	struct client_fabric *next;
	struct arena arena;
	struct firmware *firmware;
	struct handle_buffer *buffer; /* L1 of every worker */
	struct fabric_graph graph;
	struct virtual_mesh mesh;
	struct stage **stages;
	uint32_t count, capacity;
	struct client_kernel *kernels;
	uint32_t kernel_count, kernel_capacity;
	struct traffic_start start; /* the same for all kernels */
};

/* The place of a kernel on worker number `worker`, modulo the number of workers. */
struct stage_place client_fabric_place(struct client *client, uint16_t chip, uint32_t worker);

/* Takes ownership of the stage; it is freed with the step. */
void client_fabric_add(struct client_fabric *fabric, struct stage *stage);

/* Registers the kernel at `place`, to be started by client_fabric_start(). All kernels of a step
 * use the same operation, which numbers the start. */
struct traffic_start client_fabric_start_later(struct client *client, struct client_fabric *fabric,
	struct stage_place place, uint32_t operation);

/* Loads all stages, then makes the host post the word that starts them. */
void client_fabric_start(struct client *client, struct client_fabric *fabric);

#endif
