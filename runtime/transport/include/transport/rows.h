/* The table of transports, see world/channel.h; world/transports.def has its rows. */
#ifndef TRANSPORT_ROWS_H
#define TRANSPORT_ROWS_H

#include "base/table/registry.h"
#include "world/channel.h"

/* How each transport keeps strangers out. */
#define TRANSPORT_PROOF "both ends prove that they hold the key of the run"

/* A transport, whether built in or not. */
struct transport_row {
	struct registry_entry entry;
	const char *package;	       /* Debian packages needed to build it; NULL: none */
	const struct channel_ops *ops; /* NULL: built without the library, or only simulated */
	bool of_one_machine;	       /* does not reach another machine */
	bool needs_network;	       /* exists only in the model, between machines */
	const char *strangers;	       /* how a native run keeps strangers out, for messages */
	/* The library accepts data from processes that hold no key. So a native run with this
	 * library uses a network namespace of its own. */
	bool is_open;
	bool takes_path; /* addresses are socket paths; false: addresses are HOST:PORT, where port 0
			  * means a free port */
	uint32_t window_max; /* messages; 0: CHANNEL_WINDOW_MAX. See transport_window_max() */
	/* `calibrate --host` uses these two to attribute the cost of waiting. */
	bool sends_itself; /* the library has a thread that sends. A caller of send writes to the
			    * socket itself only while no other write is under way */
	bool looks;	   /* the library has no descriptor to wait for, so a waiting thread polls
			    * the library for messages again and again */
};

REGISTRY_DECLARE_OF(transport, transport_row)

/* Returns the largest window of a transport, in messages. When a scenario is read, its window is
 * checked against this limit, even if the library is not in this build. hub_open() and join()
 * reject larger windows. */
uint32_t transport_window_max(const struct transport_row *row);

#endif
