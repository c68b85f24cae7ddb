/* The table of transports in this program, see world/channel.h. */
#ifndef TRANSPORT_ROWS_H
#define TRANSPORT_ROWS_H

#include <stddef.h>

#include "world/channel.h"

/* The largest settings that a library supports. Settings are checked against these limits when a
 * scenario is read, even if the library is not in this build. The limits are never above those in
 * world/channel.h. */
struct transport_limits {
	uint32_t window;	/* messages; channel_settings.window */
	uint32_t message_bytes; /* channel_settings.message_bytes_max */
};

/* A transport, whether built in or not. */
struct transport_row {
	const char *name, *section, *description;
	const char *package;	       /* Debian package needed to build it; "": none */
	const struct channel_ops *ops; /* NULL: built without the library */
	const char *strangers;	       /* how a native run keeps strangers out, for messages */
	/* The library accepts data from processes that hold no key. So a native run with this
	 * library uses a network namespace of its own. */
	bool is_open;
	bool takes_path; /* addresses are socket paths; otherwise they are HOST:PORT, where port 0
			  * means a free port */
	struct transport_limits limits; /* hub_open() and join() reject settings above these */
	/* `calibrate --host` uses these two to attribute the cost of waiting. */
	bool sends_itself; /* the library has a sending thread; the caller of a send writes to the
			    * socket itself only while no other write is under way */
	bool looks;	   /* the library has no descriptor to wait for, so a waiting thread looks
			    * for messages again and again */
};

/* The row with this index; NULL after the last. */
const struct transport_row *transport_at(size_t index);

/* The row with this name; NULL: there is none. */
const struct transport_row *transport_find(const char *name);

#endif
