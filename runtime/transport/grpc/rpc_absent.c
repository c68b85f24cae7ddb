/* Requests and replies (transport/rpc.h) in a build without gRPC: nothing can be opened or asked.
 */
#include "base/ensure.h"
#include "transport/rpc.h"

static enum status rpc_absent(struct text *why)
{
	if (why)
		text_append(why, "this build is without gRPC: install libgrpc-dev");
	return STATUS_UNSUPPORTED;
}

enum status rpc_server_open(
	const struct rpc_settings *settings, struct rpc_server **server, struct text *why)
{
	(void)settings;
	(void)server;
	return rpc_absent(why);
}

const char *rpc_server_address(const struct rpc_server *server)
{
	(void)server;
	return "";
}

enum status rpc_server_next(
	struct rpc_server *server, const struct rpc_handler *handler, int64_t deadline_ns)
{
	(void)server;
	(void)handler;
	(void)deadline_ns;
	return STATUS_UNSUPPORTED;
}

uint64_t rpc_server_refused(const struct rpc_server *server)
{
	(void)server;
	return 0;
}

void rpc_server_close(struct rpc_server *server)
{
	ensure(!server, "a server exists in a build that cannot open one");
}

enum status rpc_call(const struct rpc_settings *settings, const char *request, size_t length,
	int64_t deadline_ns, struct text *reply, struct text *why)
{
	(void)settings;
	(void)request;
	(void)length;
	(void)deadline_ns;
	(void)reply;
	return rpc_absent(why);
}
