/* The transports that this program was built with, see world/channel.h. */
#ifndef TRANSPORT_ROWS_H
#define TRANSPORT_ROWS_H

#include <stddef.h>

#include "world/channel.h"

/* A transport, present or not. */
struct transport_row {
	const char *name, *section, *description;
	const char *package;	       /* of Debian, that building it takes; "": none */
	const struct channel_ops *ops; /* NULL: this program was built without the library */
	bool takes_path; /* its addresses are paths of sockets; else HOST:PORT, of port 0 a free one
			  */
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
