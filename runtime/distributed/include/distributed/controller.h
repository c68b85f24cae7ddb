/* The controller of a device over several hosts (spec 4.2 to 4.8): opens a hub, takes the executors
 * in, learns of their machines, and gives out one virtual mesh as a device handle (mesh/handle.h):
 * a program that calls nothing but the handle runs on it as on the mesh of one host.
 *
 *     controller_open(&settings, &why, &controller);
 *     (start the executors: they join controller_address())
 *     controller_accept(controller, deadline_ns, &why);
 *     distributed_open(controller, &config, &why, &handle);
 *     ... mesh/handle.h, and the few calls below ...
 *     handle->ops->close(handle);
 *     controller_close(controller);
 *
 * Memory is allocated here, in lock-step over all hosts (spec 4.8.2.1), but for traces, which
 * executors keep in regions of their own (spec 4.9): without trace_region_bytes there are none; and
 * but for kernel binaries, if the row of allocation says so. Calls that do not block return before
 * the executors know of them; what fails there later is returned by the next call that waits. A
 * host that is lost, or silent for reply_ns, fails that call and all after it, and controller_why()
 * names it.
 *
 * Operations are marked as on one host: CALLED, RETURNED and SEEN here, the rest by the executors,
 * whose chips' marks have the numbers of controller_info(). Nobody else has to number chips.
 *
 * Functions are called from one thread: the one that opened the controller. */
#ifndef DISTRIBUTED_CONTROLLER_H
#define DISTRIBUTED_CONTROLLER_H

#include "base/text.h"
#include "distributed/choices.h"
#include "distributed/loader.h"
#include "distributed/resolution.h"
#include "mesh/handle.h"
#include "wire/codec.h"
#include "world/channel.h"

struct controller; /* opaque */

enum {
	DISTRIBUTED_HOSTS_MAX = 32,
	DISTRIBUTED_BINARY_REGION_BYTES = 16 << 20 /* of every DRAM bank, unless sizes say so */
};

/* Along which axis of the virtual machine the hosts' meshes follow each other. */
enum host_axis { HOSTS_IN_ROWS, HOSTS_IN_COLUMNS };

struct controller_settings {
	const struct channel_ops *transport;
	struct channel_settings channel; /* where the hub listens */
	const struct wire_codec *codec;
	const char *const *hosts; /* names of the executors, in their order along the axis */
	uint32_t host_count;	  /* 1 to DISTRIBUTED_HOSTS_MAX */
	enum host_axis axis;
	const struct resolution_ops *resolution; /* a row */
	const struct pipeline_ops *pipeline;	 /* a row */
	const struct allocation_ops *allocation; /* a row; NULL: the first */
	const struct compile_ops *compile;	 /* a row; NULL: the first. By executors it goes
						  * with no `allocation` but those two in which
						  * they allocate or ask */
	const struct loading_ops *loading;	 /* a row; NULL: executors load */
	struct shard_loader loader;		 /* of the controller, if it is that who loads */
	bool compiles_again;   /* whoever compiles keeps nothing of what was compiled before */
	struct affinity place; /* of its threads */
	enum wait_mode wait;   /* of its threads and of whoever waits */
	uint64_t reply_ns; /* how long a host may say nothing that owes an answer; 0: for ever */
	uint64_t grace_ns; /* how long controller_hears() listens behind it */
	uint64_t look_ns;  /* between looks of one thread that has to send and to receive; not 0 */
};

/* Opens the hub. Errors, with a sentence in `why` (may be NULL): those of hub_open(), INVALID. */
enum status controller_open(const struct controller_settings *settings, struct text *why,
	struct controller **controller);

/* Where executors join. The controller's. */
const char *controller_address(const struct controller *controller);

/* Waits until all executors have joined and told of their machines. Whoever is not expected is
 * dropped. Errors, with a sentence that names hosts in `why` (may be NULL): TIMEOUT, CLOSED (one
 * was lost), INVALID (no system descriptor, or meshes that do not fit together). After TIMEOUT it
 * may be called again, and goes on. */
enum status controller_accept(struct controller *controller, int64_t deadline_ns, struct text *why);

/* What its hub counted so far, strangers among them. */
void controller_counts(const struct controller *controller, struct channel_counts *counts);

/* The virtual machine: all chips, those of a host after those of the host before; links between
 * hosts are not known. The controller's; NULL before controller_accept(). */
const struct cluster_info *controller_info(const struct controller *controller);

/* Opens the rectangle of the virtual machine that config->shape and config->offset say, on all
 * hosts that have a part of it. One at a time. Errors, with a sentence that names the host in `why`
 * (may be NULL): those of mesh_open() on a host, OUT_OF_RANGE (rectangle), EXISTS, INVALID (hosts'
 * memories or programs' limits differ), TIMEOUT, CLOSED. */
enum status distributed_open(struct controller *controller, const struct mesh_config *config,
	struct text *why, struct device_handle **handle);

/* What was wrong with the last call that failed, and with which host; "" if none has. */
const char *controller_why(const struct controller *controller);

/* Whether it still serves: OK; CLOSED: a host is lost; TIMEOUT: one was silent for reply_ns;
 * INVALID: one said what nobody expects. controller_why() names the host once a call has failed. */
enum status controller_status(struct controller *controller);

/* With TIMEOUT: waits until all hosts that were silent have said something after all, whatever it
 * is; false: not within grace_ns. A reply_ns that is too short is known by that from a host that
 * has stopped. */
bool controller_hears(struct controller *controller);

/* Closes the hub: executors that still serve see their controller lost. NULL is allowed. */
void controller_close(struct controller *controller);

/* ---- what only a distributed device has (spec 4.5, 4.3.3) ---- */

/* Records an event that the executors alone are told of. It may be waited for by queues and by
 * distributed_synchronize_executors(). */
enum status distributed_record_to_executors(struct device_handle *handle, struct handle_call call,
	struct device_range range, struct handle_event *event);

/* Has the executors wait for the event before they go on. Does not wait itself. */
enum status distributed_synchronize_executors(
	struct device_handle *handle, const struct handle_event *event);

/* Fills the buffer with what is called so in storage: as the row of loading says, every executor
 * loads its own shards, or the controller all of it, which it writes then. Errors: those of write()
 * and of loaders; UNSUPPORTED: nobody has a loader, or the queue captures. */
enum status distributed_load(struct device_handle *handle, struct handle_call call,
	struct handle_buffer *buffer, const char *name);

#endif
