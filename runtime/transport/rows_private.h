/* The operation tables of all transports, for rows.c, and helpers for loading a library. Only for
 * files of this folder. */
#ifndef TRANSPORT_ROWS_PRIVATE_H
#define TRANSPORT_ROWS_PRIVATE_H

#include <stdbool.h>

#include "hub.h"
#include "member.h"

/* The operations of a row, transport_SYMBOL, and the capabilities that they have. */
#define TRANSPORT(row, symbol, name, library, capabilities, ...)                                   \
	extern const struct channel_ops transport_##symbol;                                        \
	enum { capabilities_of_##symbol = (capabilities) };
#include "world/transports.def"

enum { NNG_QUEUE_MAX = 8192 }; /* length of nng's queues, in messages; a window may not exceed it */

/* All operations except hub_open, hub_close and join, which each transport sets itself. */
#define SHARED_OPERATIONS                                                                          \
	.hub_address = hub_address, .hub_accept = hub_accept, .hub_member = hub_member,            \
	.hub_send = hub_send, .hub_receive = hub_receive, .hub_drop = hub_drop,                    \
	.hub_counts = hub_counts, .send = member_send, .receive = member_receive,                  \
	.counts = member_counts, .close = member_close

/* Libraries that are loaded when an end is first opened. */

/* Loads a library by the name of its file. NULL: it is not on this machine. */
void *library_load(const char *name);

/* Looks up a function or object of a loaded library. Stores its address in the pointer that
 * `pointer` points to, and returns true. If the library has no such symbol, stores NULL and returns
 * false. */
bool library_symbol(void *library, const char *name, void *pointer);

#endif
