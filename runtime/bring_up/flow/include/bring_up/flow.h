/* Bring-up: the four flows that lead from a mesh graph descriptor to the first dispatch on a
 * machine (initialization specification 3 to 6). Each flow is a list of steps, and each step
 * belongs to an actor: the launcher, the manager, the agent of a host, or a rank. Actors are
 * threads on their hosts that send messages over world/channel.h, so the same code runs in both
 * worlds. The topology mapper and the control plane do their real work inside; the time that this
 * takes on a host is charged with world->work(). */
#ifndef BRING_UP_FLOW_H
#define BRING_UP_FLOW_H

#include "topology/bindings.h"
#include "topology/logical.h"
#include "topology/machine.h"
#include "topology/place.h"
#include "world/channel.h"
#include "world/world.h"

#define X(name, ...) FLOW_##name,
enum flow_kind {
#include "bring_up/flows.def"
	FLOW_COUNT
};
#undef X

#define X(name, ...) FLOW_STEP_##name,
enum flow_step {
#include "bring_up/steps.def"
	FLOW_STEP_COUNT
};
#undef X

#define X(name, ...) FLOW_SAYS_##name,
enum flow_message {
#include "bring_up/messages.def"
	FLOW_MESSAGE_COUNT
};
#undef X

enum flow_actor { ACTOR_LAUNCHER, ACTOR_MANAGER, ACTOR_AGENT, ACTOR_RANK, ACTOR_COUNT };

/* When something wrong was noticed. */
enum flow_moment {
	MOMENT_BEFORE_LAUNCH,
	MOMENT_AT_LAUNCH,
	MOMENT_AT_DISPATCH,
	MOMENT_NEVER,
	MOMENT_COUNT
};

enum { FLOW_WHY_BYTES = 240, FLOW_STEPS_MAX = 32 };

/* What one actor does in one step of a flow. */
struct flow_part {
	enum flow_step step;
	enum flow_actor actor;
};

struct flow_row {
	const char *name, *section, *what;
	const struct flow_part *parts; /* in order; the last one has the step FLOW_STEP_COUNT */
};

/* Returns the row of a flow. */
const struct flow_row *flow_row(enum flow_kind kind);

/* Return the words for a step, a message, an actor and a moment. */
const char *flow_step_name(enum flow_step step);
const char *flow_message_name(enum flow_message message);
const char *flow_actor_name(enum flow_actor actor);
const char *flow_moment_name(enum flow_moment moment);

/* Returns true if a flow can run without this message, because it only carries a check. */
bool flow_message_optional(enum flow_message message);

/* Returns true if the flow has this step. */
bool flow_has_step(enum flow_kind kind, enum flow_step step);

/* A job to bring up. Everything that pointers lead to must outlive the run. */
struct flow_job {
	enum flow_kind kind;
	const struct machine *real;	 /* the machine as it is: what chips and routers answer */
	const struct machine *described; /* the machine as its descriptor has it; both number hosts
					  * in the same way, and give a chip the same id */
	const struct logical *logical;
	struct place_options options;	 /* of the manager's mapper: groupings, pins */
	const char *mesh_graph;		 /* path of the descriptor, for files that are written */
	const struct bindings *bindings; /* files of the user, for flows that read them */
	const struct rankfile *rankfile;
	/* the rank file that the user gives although the manager wrote one, or NULL; the same for
	 * the bindings */
	const struct rankfile *other_rankfile;
	const struct bindings *other_bindings;
	/* the agents have reported before the job begins, as on a cluster that runs already; times
	 * count from then */
	bool warm;
	bool manager_dies;		  /* between mapping and launch */
	bool without[FLOW_MESSAGE_COUNT]; /* messages that are left out */
	int64_t dispatch_ns;		  /* how long the first dispatch waits for an answer */
	int64_t patience_ns;		  /* how long an actor waits for any other message */

	const struct channel_ops *channels;
	/* Writes the address at which a hub on a host can listen: `which` is different for each hub
	 * of a run. Host real->host_count is that of launcher and manager. */
	void (*address)(void *context, uint16_t host, const char *which, struct text *out);
	/* called when the times begin, and when the launcher has seen the first dispatch or the
	 * failure; may be NULL */
	void (*begins)(void *context);
	void (*ends)(void *context);
	void *context;
	const uint8_t *key; /* as in struct channel_settings */
	bool remote;
};

/* What a step took, over all its actors. */
struct flow_span {
	int64_t first_ns,
		last_ns;    /* when its first actor began, and its last one ended; -1: never */
	int64_t longest_ns; /* of one actor */
	uint32_t actors;
};

struct flow_result {
	bool reached;	    /* the first dispatch of all ranks has ended well */
	int64_t reached_ns; /* since the beginning; of the failure if it was not reached */
	uint64_t messages[FLOW_MESSAGE_COUNT], bytes[FLOW_MESSAGE_COUNT];
	struct flow_span steps[FLOW_STEP_COUNT];
	/* the first thing wrong that was noticed; moment is MOMENT_NEVER if there was none */
	enum flow_moment moment;
	enum flow_message message; /* the message that told it */
	uint32_t told;		   /* bit of this message, and of those that passed it on */
	char why[FLOW_WHY_BYTES];
	uint64_t bindings_hash; /* of rank, host, mesh, part of the mesh and devices of all ranks
				 * that were launched; 0: none was */
	/* links and connections of the descriptor that have fewer channels than it asks for, and
	 * all of them: what a wrong topology costs */
	uint32_t links_less, links;
};

/* Runs a job's bring-up, to its first dispatch or its failure. Call it as the thread of the
 * launcher and of the user's script, on host real->host_count. Returns when all actors have ended.
 */
void flow_run(const struct flow_job *job, struct flow_result *result);

#endif
