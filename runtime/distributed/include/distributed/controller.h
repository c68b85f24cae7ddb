/* The controller of a device over several hosts (spec 4.2 to 4.8). It opens a hub, accepts the
 * executors, learns their machines, and provides one virtual mesh as a device handle
 * (mesh/handle.h). A program that uses only the handle runs on this mesh as on the mesh of one
 * host.
 *
 *     controller_open(&settings, &why, &controller);
 *     (start the executors: they join controller_address())
 *     controller_accept(controller, deadline_ns, &why);
 *     distributed_open(controller, &config, &why, &handle);
 *     ... mesh/handle.h, and the few calls below ...
 *     handle->ops->close(handle);
 *     controller_close(controller);
 *
 * The controller allocates memory, in lock-step over all hosts (spec 4.8.2.1), with two exceptions.
 * Executors keep traces in regions of their own (spec 4.9); if trace_region_bytes is 0, there are
 * no traces. Depending on the chosen `allocation`, executors also keep kernel binaries in regions
 * of their own.
 *
 * Calls that do not block return before the executors know of the call. If such a call fails later,
 * the next call that waits returns its error. If a host is lost, or silent for reply_ns, the
 * current call and all later ones fail, and controller_why() names the host.
 *
 * The times in an operation's life (enum mark_point) are recorded as on one host. The controller
 * records CALLED, RETURNED and SEEN. The executors record the other points, with chips numbered as
 * in controller_info().
 *
 * Call all functions from the thread that opened the controller. */
#ifndef DISTRIBUTED_CONTROLLER_H
#define DISTRIBUTED_CONTROLLER_H

#include "base/text.h"
#include "distributed/choices.h"
#include "mesh/handle.h"
#include "wire/codec.h"
#include "world/channel.h"

struct controller; /* opaque */

enum {
	DISTRIBUTED_HOSTS_MAX = 32,
	DISTRIBUTED_BINARY_REGION_BYTES = 16 << 20 /* default size of the region for binaries in
						    * every DRAM bank */
};

/* The axis of the virtual machine along which the hosts' meshes are joined. */
enum host_axis { HOSTS_IN_ROWS, HOSTS_IN_COLUMNS };

struct controller_settings {
	const struct channel_ops *transport;
	struct channel_settings channel; /* where the hub listens */
	const struct wire_codec *codec;
	const char *const *hosts; /* names of the executors, in order along the axis */
	uint32_t host_count;	  /* 1 to DISTRIBUTED_HOSTS_MAX */
	enum host_axis axis;
	const struct resolution_ops *resolution; /* a variant in choices.h, also below */
	const struct pipeline_ops *pipeline;
	const struct allocation_ops *allocation; /* NULL: the first variant */
	const struct compile_ops *compile;	 /* NULL: the first variant. If executors compile,
						  * they must also allocate, or ask for memory */
	const struct loading_ops *loading;	 /* NULL: executors load */
	struct shard_loader loader;		 /* for the controller, if it loads */
	bool compiles_again;   /* do not keep compiled kernels: compile them every time */
	struct affinity place; /* of the controller's threads */
	enum wait_mode wait;   /* of the controller's threads, and of threads that wait for it */
	uint64_t reply_ns;     /* longest silence of a host that owes an answer, ns; 0: no limit */
	uint64_t grace_ns;     /* how long controller_hears() listens after that, ns */
	uint64_t look_ns;      /* poll interval, ns, if a single thread sends and receives; not 0 */
};

/* Opens the hub, and sets *controller. Returns OK; INVALID with a sentence in `why` (may be NULL),
 * or an error of the transport's hub_open(). */
enum status controller_open(const struct controller_settings *settings, struct text *why,
	struct controller **controller);

/* The address that executors join. The string belongs to the controller. */
const char *controller_address(const struct controller *controller);

/* Waits until all executors have joined and described their machines. Members with unexpected names
 * are dropped. Returns OK, or an error with a sentence that names hosts in `why` (may be NULL):
 * TIMEOUT at the deadline, after which the caller may call again to wait longer; CLOSED if a host
 * was lost; INVALID if a host did not send a system descriptor, or if the meshes do not fit
 * together. */
enum status controller_accept(struct controller *controller, int64_t deadline_ns, struct text *why);

/* The counters of the hub so far, including strangers. */
void controller_counts(const struct controller *controller, struct channel_counts *counts);

/* Returns the virtual machine: the chips of all hosts, one host after another, without links
 * between hosts. The result belongs to the controller. Returns NULL before controller_accept(). */
const struct cluster_info *controller_info(const struct controller *controller);

/* Opens a rectangle of the virtual machine, given by config->shape and config->offset, on all hosts
 * that have a part of it. Sets *handle. Returns OK, or an error with a sentence that names the host
 * in `why` (may be NULL): OUT_OF_RANGE if the rectangle exceeds the machine; EXISTS if a mesh is
 * open already, or before controller_accept(); INVALID if the hosts differ in their memories or in
 * the limits of programs; TIMEOUT; CLOSED. Also returns the errors of mesh_open() on a host. */
enum status distributed_open(struct controller *controller, const struct mesh_config *config,
	struct text *why, struct device_handle **handle);

/* The reason why the last failed call failed, and at which host; "" if none has failed. */
const char *controller_why(const struct controller *controller);

/* Returns the state of the controller: OK; CLOSED if a host is lost; TIMEOUT if a host was silent
 * for reply_ns; INVALID if a host sent something unexpected. If a call has failed, controller_why()
 * names the host. */
enum status controller_status(struct controller *controller);

/* Finds out whether silent hosts are only slow. Call this after TIMEOUT. Waits, for at most
 * grace_ns, until all silent hosts have sent something. If all of them have, returns true: reply_ns
 * was too short. If some have not, returns false: a host has probably stopped. */
bool controller_hears(struct controller *controller);

/* Closes the hub: executors that still serve see that the controller is lost. NULL is allowed. */
void controller_close(struct controller *controller);

/* ---- calls of a distributed device only (spec 4.5, 4.3.3) ---- */

/* Records an event that is reported to the executors but not to the controller. Queues can wait for
 * this event; executors wait for it in distributed_synchronize_executors(). */
enum status distributed_record_to_executors(struct device_handle *handle, struct handle_call call,
	struct device_range range, struct handle_event *event);

/* Makes the executors wait for the event before they serve further commands. Does not block. */
enum status distributed_synchronize_executors(
	struct device_handle *handle, const struct handle_event *event);

/* Fills the buffer with the data that storage has under the name `name`. Depending on the chosen
 * `loading`, every executor loads its own shards, or the controller loads all shards and writes
 * them. Returns OK; UNSUPPORTED if there is no loader or if the queue captures a trace. Also
 * returns the errors of write() and of the loader. */
enum status distributed_load(struct device_handle *handle, struct handle_call call,
	struct handle_buffer *buffer, const char *name);

#endif
