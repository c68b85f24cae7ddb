/* The controller of a device over several hosts (spec 4.2 to 4.8). It opens a hub, accepts the
 * executors, learns their machines, and provides one virtual mesh as a device handle
 * (mesh/handle.h). A program that uses only the handle runs on this mesh as on the mesh of one
 * host.
 *
 *     controller_open(&settings, &why, &controller);
 *     (start the executors: they join controller_address())
 *     controller_accept(controller, deadline_ns, &why);
 *     distributed_open(controller, &config, &why, &handle);
 *     ... further meshes; mesh/handle.h, and the few calls below ...
 *     handle->ops->close(handle);
 *     controller_close(controller);
 *
 * The controller allocates memory; a buffer has the same address on all hosts (spec 4.8.2.1). There
 * are two exceptions. Each executor allocates traces itself, in a separate region (spec 4.9); if
 * trace_region_bytes is 0, there are no traces. Depending on the chosen `allocation`, each executor
 * also allocates kernel binaries itself, in another region.
 *
 * Calls that do not block return before the executors have received the command. If the command
 * fails later, the next call that waits returns the error. If a host is lost, or silent for
 * reply_ns, the current call and all later calls fail, and controller_why() names the host.
 *
 * The marks of an operation (enum mark_point) are recorded as on one host. The controller records
 * CALLED, RETURNED and SEEN. The executors record the other marks, with chips numbered as in
 * controller_info().
 *
 * Only the thread that opened the controller may call these functions. */
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
	struct channel_settings channel; /* address at which the hub listens */
	const struct wire_codec *codec;
	const char *const *hosts; /* names of the executors, in order along the axis */
	uint32_t host_count;	  /* number of hosts, 1 to DISTRIBUTED_HOSTS_MAX */
	enum host_axis axis;
	uint16_t links;	  /* number of links between two neighbouring devices that belong to
			   * different hosts; 0: no links join the hosts, so programs have no
			   * routes */
	bool links_wrap;  /* true: links also join the last host to the first host */
	bool links_apart; /* true: executors connect to each other to carry the packets of these
			   * links (executor_settings), and get the addresses from the controller */
	const struct resolution_ops *resolution; /* the chosen variants of choices.h: this member
						  * and those below */
	const struct pipeline_ops *pipeline;
	const struct reach_ops *reach;		 /* NULL: the first variant */
	const struct allocation_ops *allocation; /* NULL: the first variant */
	/* NULL means the first variant. If executors compile, the variant of `allocation` must let
	 * them allocate or request memory */
	const struct compile_ops *compile;
	const struct loading_ops *loading;	 /* NULL: the variant in which executors load */
	struct shard_loader loader;		 /* used by the controller if it loads */
	const struct descriptor_ops *descriptor; /* NULL: the first variant */
	/* machine of each host; used by variants of `descriptor` that reject hosts */
	const struct machine_description *described;
	bool compiles_again;   /* true: compiled kernels are not kept, so every kernel is
				* compiled each time */
	struct affinity place; /* processor of the controller's threads */
	enum wait_mode wait;   /* how the controller's threads wait, and how other threads wait for
				* them */
	uint64_t reply_ns;     /* maximum time in ns for which a host that must send an answer may
				* be silent; 0: no limit */
	uint64_t grace_ns;     /* maximum time in ns for which controller_hears() waits after a
				* time-out */
	uint64_t look_ns;      /* poll interval in ns if a single thread sends and receives; not
				* 0 */
};

/* Opens the hub, and sets *controller. Returns OK. Otherwise writes a sentence to `why` (may be
 * NULL), and returns INVALID or an error of the transport's hub_open(). */
enum status controller_open(const struct controller_settings *settings, struct text *why,
	struct controller **controller);

/* Returns the address that executors join. The string belongs to the controller. */
const char *controller_address(const struct controller *controller);

/* Waits until all executors have joined and described their machines. Drops members with unexpected
 * names. Returns OK, or an error with a sentence that names hosts in `why` (may be NULL). Returns
 * TIMEOUT if the deadline has passed; the caller may call again to wait longer. Returns CLOSED if a
 * host was lost. Returns INVALID if a host did not send a system descriptor, or if the meshes of
 * the hosts do not fit together. */
enum status controller_accept(struct controller *controller, int64_t deadline_ns, struct text *why);

/* Copies the counters of the hub. They also count members that are not executors. */
void controller_counts(const struct controller *controller, struct channel_counts *counts);

/* Returns the virtual machine: the chips of all hosts, one host after another, with the links
 * between hosts that the settings name. The result belongs to the controller. Returns NULL before
 * controller_accept(). */
const struct cluster_info *controller_info(const struct controller *controller);

/* Opens a rectangle of the virtual machine, given by config->shape and config->offset, on all hosts
 * that have a part of it. Several meshes may be open; a host ends when its last part is closed.
 * Sets *handle. Returns OK, or an error with a sentence that names the host in `why` (may be NULL).
 * Returns OUT_OF_RANGE if the rectangle exceeds the machine, or if too many meshes were opened.
 * Returns EXISTS if another open mesh has some of the devices, or if controller_accept() was not
 * called yet. Returns UNSUPPORTED if one of several meshes spans all hosts (reach_ops.spans).
 * Returns INVALID if the hosts differ in their memories or in the limits of programs. Returns
 * CLOSED if a host is lost or has ended. Also returns TIMEOUT, and the errors of mesh_open() on a
 * host. */
enum status distributed_open(struct controller *controller, const struct mesh_config *config,
	struct text *why, struct device_handle **handle);

/* Returns a sentence that names the host and says why the last failed call failed; "" if no call
 * has failed. */
const char *controller_why(const struct controller *controller);

/* Returns OK, or the fault of a host: CLOSED if a host is lost, TIMEOUT if a host was silent for
 * reply_ns, and INVALID if a host sent an unexpected message. If a call has failed,
 * controller_why() names the host. */
enum status controller_status(struct controller *controller);

/* Finds out whether silent hosts are only slow. Call this after TIMEOUT. Waits, for at most
 * grace_ns, until all silent hosts have sent something. Returns true if they have: then reply_ns
 * was too short. Returns false if some hosts stay silent: then these have probably stopped. */
bool controller_hears(struct controller *controller);

/* Closes the hub. Executors that have not ended yet then notice that the controller is lost. NULL
 * is allowed. */
void controller_close(struct controller *controller);

/* ---- calls that only a distributed device has (spec 4.5, 4.3.3) ---- */

/* Records an event that devices report to the executors but not to the controller. Queues can wait
 * for this event, and distributed_synchronize_executors() makes executors wait for it. */
enum status distributed_record_to_executors(struct device_handle *handle, struct handle_call call,
	struct device_range range, struct handle_event *event);

/* Makes the executors wait for the event before they execute further commands. Does not block.
 * Returns INVALID if another handle recorded the event, or if a trace captured it. */
enum status distributed_synchronize_executors(
	struct device_handle *handle, const struct handle_event *event);

/* Fills the buffer with the data that are stored under the name `name`. Depending on the chosen
 * `loading`, every executor loads its own shards, or the controller loads all shards and writes
 * them. Returns OK. Returns UNSUPPORTED if there is no loader, or if the queue captures a trace.
 * Also returns the errors of write() and of the loader. */
enum status distributed_load(struct device_handle *handle, struct handle_call call,
	struct handle_buffer *buffer, const char *name);

/* Makes all hosts of the mesh take part in a phase of a measurement (struct measure), and waits
 * until they have. Returns OK, or a host's error: for example, UNSUPPORTED if an executor cannot
 * measure. */
enum status distributed_measure(struct device_handle *handle, const struct measure *what);

#endif
