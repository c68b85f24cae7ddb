/* The table of transports, see world/channel.h. world/transports.def lists them. */
#ifndef TRANSPORT_ROWS_H
#define TRANSPORT_ROWS_H

#include "base/table/registry.h"
#include "world/channel.h"

/* Texts that say how each transport keeps strangers out. */
#define TRANSPORT_PROOF "both ends prove that they hold the key of the run"

/* A transport. It is in the table even if this build does not contain it. */
struct transport_row {
	struct registry_entry entry;
	const char *package;	       /* names of the Debian packages that are needed to build the
					* transport; NULL: none */
	const struct channel_ops *ops; /* the operations; NULL if this build does not have the
					* library, or if the transport exists only in the model */
	bool of_one_machine;	       /* the transport cannot reach another machine */
	bool needs_network;	       /* the transport exists only in the model, and connects
					* different machines */
	const char *strangers;	       /* how a native run keeps strangers out; for messages */
	/* true: the library accepts data from processes that do not have the key, so a native run
	 * puts its processes into a separate network namespace */
	bool is_open;
	bool takes_path;     /* true: addresses are socket paths; false: addresses are HOST:PORT,
			      * where port 0 means a free port */
	uint32_t window_max; /* maximum window in messages; 0 means CHANNEL_WINDOW_MAX, see
			      * transport_window_max() */
	/* `calibrate --host` uses the next two members to attribute the cost of waiting */
	bool sends_itself; /* the library has a thread that sends, but the caller's thread writes
			    * to the socket itself if no other write is in progress */
	bool looks;	   /* the library has no descriptor to wait for, so a waiting thread polls
			    * the library again and again */
};

REGISTRY_DECLARE_OF(transport, transport_row)

/* Returns the largest window of a transport, in messages. When a scenario is read, its window is
 * checked against this limit, even if the library is not in this build. hub_open() and join()
 * reject larger windows. */
uint32_t transport_window_max(const struct transport_row *row);

#endif
