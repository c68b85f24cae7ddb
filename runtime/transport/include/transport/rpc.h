/* Requests and replies over gRPC, for services that strangers can reach, such as the fabric manager
 * (initialization specification 6.4). A request is some bytes, and so is its reply. The caller
 * decides whom to answer: this interface only carries bytes, and bounds what a peer can take. It
 * exists natively only. */
#ifndef TRANSPORT_RPC_H
#define TRANSPORT_RPC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"

struct rpc_server; /* opaque */

enum {
	RPC_CALLS_MAX = 64, /* requests that a server receives or answers at the same time */
	RPC_PEER_BYTES = 96,
	RPC_PATIENCE_MS = 5000, /* a request that is not complete after this time is refused */
};

struct rpc_settings {
	const char *address;	    /* HOST:PORT; port 0 lets the system choose */
	const char *method;	    /* name of the method, for example "/meshsim/manager" */
	uint32_t message_bytes_max; /* maximum bytes of a request, and of a reply */
	bool remote;		    /* true: other machines may connect; false: only this machine */
};

struct rpc_handler {
	/* Answers a request of `length` bytes. `peer` is the address of the sender. Appends the
	 * reply to `reply`. Returns false to refuse: then the sender gets no reply, only a
	 * status. */
	bool (*handle)(void *context, const char *peer, const char *request, size_t length,
		struct text *reply);
	void *context;
};

/* Opens a server that listens at the address. Returns OK, or an error with a sentence in `why` (may
 * be NULL): INVALID if the address is malformed, or reachable by other machines without `remote`;
 * EXISTS if somebody listens there; UNSUPPORTED without the library; IO after any other error. */
enum status rpc_server_open(
	const struct rpc_settings *settings, struct rpc_server **server, struct text *why);

/* Returns the address at which the server listens, with the port. It belongs to the server. */
const char *rpc_server_address(const struct rpc_server *server);

/* Serves until the deadline (ns of world->now_ns()), or until the first request was answered. All
 * calls of the handler are in this thread. Returns OK after a request, TIMEOUT at the deadline. */
enum status rpc_server_next(
	struct rpc_server *server, const struct rpc_handler *handler, int64_t deadline_ns);

/* Returns the number of requests that were refused: too long, too slow, for another method, or by
 * the handler. */
uint64_t rpc_server_refused(const struct rpc_server *server);

/* Closes and frees the server. Requests under way end with a status. NULL is allowed. */
void rpc_server_close(struct rpc_server *server);

/* Sends a request and waits for its reply, which is appended to `reply`. Returns OK, or an error
 * with a sentence in `why` (may be NULL): TIMEOUT at the deadline; CLOSED if nobody listens;
 * INVALID if the server refused, or if the address is malformed; OUT_OF_RANGE if the request or
 * reply is too long; UNSUPPORTED without the library or the method; IO after any other error. */
enum status rpc_call(const struct rpc_settings *settings, const char *request, size_t length,
	int64_t deadline_ns, struct text *reply, struct text *why);

#endif
