/* The executor of a distributed device (spec 4.2.1, 4.8.3). It is a process or thread on a host
 * that executes a controller's commands on its own devices. It joins the controller's hub and
 * describes its machine (spec 4.2). On the command OPEN_MESH, it opens its part of a mesh. Parts of
 * several meshes may be open at the same time. The executor ends when the last part is closed. It
 * executes commands in the order of arrival, and answers them.
 *
 *     system = mesh_system_new(cluster);
 *     status = executor_run(&settings, cluster, system, deadline_ns, &why);
 *     (free the cluster, then the system)
 *
 * The executor lays out programs. The controller decides at which address the binaries of programs
 * are and which side compiles them (spec 4.8.2.1, 4.9). No command is executed twice: if the number
 * of a command is not above the previous number, the executor answers INVALID. */
#ifndef DISTRIBUTED_EXECUTOR_H
#define DISTRIBUTED_EXECUTOR_H

#include "base/text.h"
#include "distributed/choices.h"
#include "mesh/config.h"
#include "wire/codec.h"
#include "world/channel.h"
#include "world/links.h"

struct mesh_system;

/* Which stages of the executor have a separate thread (spec 4.8.3). A stage without a thread runs
 * in the thread of the previous stage. The event loop always runs in the caller's thread, and also
 * receives if there is no receiving thread. No other thread calls the mesh, except a completion
 * reader. */
struct executor_stages {
	bool receive;
	bool deserialize; /* allowed only if `receive` is set */
	bool send;
};

struct executor_settings {
	const struct channel_ops *transport;
	struct channel_settings channel; /* address of the hub, and this executor's name */
	const struct wire_codec *codec;

	/* settings that the controller does not send: the server, and the firmware's costs, limits
	 * and receiver of faults */
	const struct mesh_config *config;

	struct executor_stages stages;
	struct affinity place; /* processor of the stages' threads */
	enum wait_mode wait;   /* how the stages' threads wait for each other */
	uint64_t poll_ns;      /* poll interval in ns for events while no command arrives; not 0 */
	const struct completion_reader_ops *completion_reader; /* NULL: the first variant */
	const struct receive_ops *receive;		       /* NULL: the first variant */
	/* loads the executor's own shards */
	struct shard_loader loader;
	/* Takes part in a measurement of the fabric, with the executor's chips. Returns OK, or an
	 * error with a sentence in `why`. NULL: commands for measurements are rejected. */
	enum status (*measure)(void *context, const struct measure *what, struct text *why);
	void *measure_context;
	const struct descriptor_ops *descriptor; /* variant; NULL: the first */
	/* the executor's machine; used if the variant is given a description */
	struct machine_description described;

	/* Connections to the chips of other executors, and the settings of these connections. The
	 * executor itself sets `lost` and `context` of the settings. `links` is NULL if no links
	 * join the hosts' chips, or if one process simulates all hosts. */
	const struct links_ops *links;
	struct links_settings link_settings;
};

/* Joins the hub by `deadline_ns`, and executes commands. Returns when all meshes are closed and all
 * memory is freed. Returns OK if the controller closed the executor. Otherwise returns an error
 * with a sentence in `why` (may be NULL). Returns CLOSED if the controller is lost, and INVALID if
 * the controller sent a message that is not a command. Also returns the errors of the transport's
 * join(). */
enum status executor_run(const struct executor_settings *settings, struct cluster *cluster,
	struct mesh_system *system, int64_t deadline_ns, struct text *why);

#endif
