/* The transports that this program was built with, see world/channel.h. */
#ifndef TRANSPORT_ROWS_H
#define TRANSPORT_ROWS_H

#include <stddef.h>

#include "world/channel.h"

/* The most that a library takes; what is wanted of it is compared when a scenario is read, whether
 * the library is in this build or not. Never above those of world/channel.h. */
struct transport_limits {
	uint32_t window;	/* messages; channel_settings.window */
	uint32_t message_bytes; /* channel_settings.message_bytes_max */
};

/* A transport, present or not. */
struct transport_row {
	const char *name, *section, *description;
	const char *package;	       /* of Debian, that building it takes; "": none */
	const struct channel_ops *ops; /* NULL: this program was built without the library */
	const char *strangers;	       /* what keeps them out of a native run, for people */
	/* Its library takes in what any process sends: it runs in a network of its own. */
	bool is_open;
	bool takes_path; /* its addresses are paths of sockets; else HOST:PORT, of port 0 a free one
			  */
	struct transport_limits limits; /* hub_open() and join() refuse what is above */
	/* By these `calibrate --host` counts what waiting costs whom. */
	bool sends_itself; /* it has a thread, and who sends while none is under way does it itself
			    */
	bool looks;	   /* nothing can be waited for: who waits looks again and again */
};

/* All of them, by index; NULL behind the last. */
const struct transport_row *transport_at(size_t index);

/* By name; NULL: there is none. */
const struct transport_row *transport_find(const char *name);

#endif
