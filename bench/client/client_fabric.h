/* Kernels that one step of the fabric has on workers, and how the host starts them: by a word to
 * each chip with PCIe, which hands it on to the others. Private to bench/client. */
#ifndef BENCH_CLIENT_FABRIC_H
#define BENCH_CLIENT_FABRIC_H

#include "client_private.h"
#include "fabric/graph.h"
#include "fabric/virtual_mesh.h"
#include "firmware/traffic/traffic.h"

/* A kernel that waits to be started. */
struct client_kernel {
	uint16_t chip, tile;
	uint16_t gateway; /* the chip with PCIe that is nearest to it */
};

/* What one step has made; lives until the world has ended. */
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

/* The place of a kernel on the worker of this number, which wraps. */
struct stage_place client_fabric_place(struct client *client, uint16_t chip, uint32_t worker);

/* Takes the stage over; it is freed with the step. */
void client_fabric_add(struct client_fabric *fabric, struct stage *stage);

/* The kernel at `place` will be started by client_fabric_start(). All of a step give the same
 * operation, which numbers the start. */
struct traffic_start client_fabric_start_later(struct client *client, struct client_fabric *fabric,
	struct stage_place place, uint32_t operation);

/* Loads all stages, then has the host post the word that starts them. */
void client_fabric_start(struct client *client, struct client_fabric *fabric);

#endif
