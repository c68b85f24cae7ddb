/* The executor of a distributed device (spec 4.2.1, 4.8.3): the host process, or thread, that
 * serves a controller's commands on its own mesh of devices. It joins the controller's hub, tells
 * of its machine (spec 4.2), opens its part of the mesh when it is told to, executes commands in
 * the order in which they come, and answers. Knows neither which world it runs in nor which library
 * carries its messages.
 *
 *     system = mesh_system_new(cluster);
 *     status = executor_run(&settings, cluster, system, deadline_ns, &why);
 *     (free the cluster, then the system)
 *
 * Programs are laid out here; where their binaries lie, and who compiles them, the controller says
 * (spec 4.8.2.1, 4.9). Nothing runs twice: a command whose number is not above the one before is
 * refused and answered with INVALID. */
#ifndef DISTRIBUTED_EXECUTOR_H
#define DISTRIBUTED_EXECUTOR_H

#include "base/text.h"
#include "distributed/choices.h"
#include "distributed/loader.h"
#include "mesh/config.h"
#include "wire/codec.h"
#include "world/channel.h"

struct mesh_system;

/* Which stages have a thread of their own (spec 4.8.3). Where one has none, the one before it does
 * its work; the event loop is the caller's thread, which alone calls the mesh, and receives if
 * nobody else does. */
struct executor_stages {
	bool receive;
	bool deserialize; /* only with `receive` */
	bool send;
};

struct executor_settings {
	const struct channel_ops *transport;
	struct channel_settings channel; /* where the hub is, and this executor's name */
	const struct wire_codec *codec;

	/* What the controller does not say: costs, limits and faults of the firmware, and the
	 * server. */
	const struct mesh_config *config;

	struct executor_stages stages;
	struct affinity place;	       /* of those threads */
	enum wait_mode wait;	       /* of those threads, where they wait for each other */
	uint64_t poll_ns;	       /* between looks at events, while nothing arrives; not 0 */
	const struct receive_ops *receive; /* a row; NULL: the first */
	struct shard_loader loader;	   /* of its shards */
};

/* Joins, serves, and returns when it is told to close, or the controller is lost; the mesh is
 * closed then and all memory free. `deadline_ns`: to have joined until. OK: it was told to close.
 * Errors, with a sentence in `why` (may be NULL): those of join(); CLOSED: the controller is lost;
 * INVALID: it sent what is no command. */
enum status executor_run(const struct executor_settings *settings, struct cluster *cluster,
	struct mesh_system *system, int64_t deadline_ns, struct text *why);

#endif
