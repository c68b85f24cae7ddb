/* The fabric manager as a service over gRPC, and calls to it (initialization specification 6.4).
 * Requests and replies are sealed (manager/credential.h), so that both ends know who the other is.
 * A request that was not sealed in this cluster gets no reply. */
#ifndef MANAGER_SERVICE_H
#define MANAGER_SERVICE_H

#include <stdbool.h>

#include "manager/credential.h"
#include "manager/manager.h"
#include "manager/request.h"

struct manager_service; /* opaque */

struct manager_service_settings {
	const char *address; /* HOST:PORT; port 0 lets the system choose */
	bool remote;	     /* other machines may connect */
	struct credential_settings credential;
	/* user id of the manager: replies of others are refused. Only for manager_service_ask() */
	uint32_t admin;
};

/* Opens a service for a manager, which must outlive it. Returns OK, or an error with a sentence in
 * `why` (may be NULL), like rpc_server_open(). */
enum status manager_service_open(const struct manager_service_settings *settings,
	struct manager *manager, struct manager_service **service, struct text *why);

/* Returns the address at which the service listens. It belongs to the service. */
const char *manager_service_address(const struct manager_service *service);

/* Serves until the deadline, or until the first request was answered. Returns OK or TIMEOUT.
 * Appends a line to `log` (may be NULL) for each request that was refused, with its sender. */
enum status manager_service_next(
	struct manager_service *service, int64_t deadline_ns, struct text *log);

void manager_service_close(struct manager_service *service);

/* Sends a request, and appends the reply, which is JSON, to `reply`. Returns OK, or an error with a
 * sentence in `why` (may be NULL): INVALID if the manager refused the credential, or if the reply
 * does not come from the manager; otherwise like rpc_call() and credential_seal(). */
enum status manager_service_ask(const struct manager_service_settings *settings,
	const struct manager_request *request, int64_t deadline_ns, struct text *reply,
	struct text *why);

#endif
