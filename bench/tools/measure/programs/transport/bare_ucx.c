/* UCX without meshsim's own code (see bare.h). Uses streams over TCP or shared memory. Threads
 * block while they wait, and do not spin. */
#include "bare.h"

#if MESHSIM_UCX
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <ucp/api/ucp.h>

#include "base/allocate.h"
#include "base/ensure.h"

struct bare_ucx {
	ucp_worker_h worker;
	ucp_ep_h endpoint;
	int fd;
};

static void good(ucs_status_t status, const char *what)
{
	ensure(status == UCS_OK, "%s: %s", what, ucs_status_string(status));
}

/* Makes a worker. `transports` lists the transports that UCX may use. The two ends always connect
 * over TCP first. */
static struct bare_ucx *new_worker(const char *transports)
{
	const ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES,
		.features = UCP_FEATURE_STREAM | UCP_FEATURE_WAKEUP};
	const ucp_worker_params_t worker = {.field_mask = 0};
	struct bare_ucx *self = allocate(1, sizeof *self);
	ucp_config_t *config;
	ucp_context_h context;

	/* otherwise UCX does not use shared memory with peers that may fail */
	(void)setenv("UCX_POSIX_ERROR_HANDLING", "y", 0);
	good(ucp_config_read(NULL, NULL, &config), "configuration");
	good(ucp_config_modify(config, "TLS", transports), "TLS");
	good(ucp_config_modify(config, "NET_DEVICES", "lo"), "NET_DEVICES");
	good(ucp_init(&params, config, &context), "context");
	good(ucp_worker_create(context, &worker, &self->worker), "worker");
	good(ucp_worker_get_efd(self->worker, &self->fd), "descriptor");
	return self;
}

static void bare_ucx_turn(struct bare_ucx *self)
{
	struct pollfd polls = {self->fd, POLLIN, 0};

	if (ucp_worker_progress(self->worker) == 0 && ucp_worker_arm(self->worker) == UCS_OK)
		(void)poll(&polls, 1, -1);
}

static void knock(ucp_conn_request_h request, void *argument)
{
	struct bare_ucx *self = argument;
	const ucp_ep_params_t params = {
		.field_mask = UCP_EP_PARAM_FIELD_CONN_REQUEST, .conn_request = request};

	good(ucp_ep_create(self->worker, &params, &self->endpoint), "endpoint");
}

static void *listen_with(const char *transports, char address[BARE_ADDRESS_BYTES])
{
	struct sockaddr_in where = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct bare_ucx *self = new_worker(transports);
	const ucp_listener_params_t params = {.field_mask = UCP_LISTENER_PARAM_FIELD_SOCK_ADDR |
							    UCP_LISTENER_PARAM_FIELD_CONN_HANDLER,
		.sockaddr = {(struct sockaddr *)&where, sizeof where},
		.conn_handler = {knock, self}};
	ucp_listener_attr_t attributes = {.field_mask = UCP_LISTENER_ATTR_FIELD_SOCKADDR};
	ucp_listener_h listener;

	good(ucp_listener_create(self->worker, &params, &listener), "listener");
	good(ucp_listener_query(listener, &attributes), "port");
	memcpy(address, &attributes.sockaddr, sizeof where);
	return self;
}

static void *connect_with(const char *transports, const char *address)
{
	struct bare_ucx *self = new_worker(transports);
	struct sockaddr_in where;
	ucp_ep_params_t params = {
		.field_mask = UCP_EP_PARAM_FIELD_FLAGS | UCP_EP_PARAM_FIELD_SOCK_ADDR,
		.flags = UCP_EP_PARAMS_FLAGS_CLIENT_SERVER};

	memcpy(&where, address, sizeof where);
	params.sockaddr.addr = (struct sockaddr *)&where;
	params.sockaddr.addrlen = sizeof where;
	good(ucp_ep_create(self->worker, &params, &self->endpoint), "endpoint");
	return self;
}

static void bare_ucx_finish(struct bare_ucx *self, void *request)
{
	if (!UCS_PTR_IS_PTR(request)) {
		good(UCS_PTR_STATUS(request), "message");
		return;
	}
	while (ucp_request_check_status(request) == UCS_INPROGRESS)
		bare_ucx_turn(self);
	good(ucp_request_check_status(request), "message");
	ucp_request_free(request);
}

static void bare_ucx_say(void *bare, const uint8_t *payload, uint32_t bytes)
{
	const ucp_request_param_t param = {.op_attr_mask = 0};
	struct bare_ucx *self = bare;

	bare_ucx_finish(self, ucp_stream_send_nbx(self->endpoint, payload, bytes, &param));
}

static void bare_ucx_hear(void *bare, uint8_t *payload, uint32_t bytes)
{
	const ucp_request_param_t param = {
		.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS, .flags = UCP_STREAM_RECV_FLAG_WAITALL};
	struct bare_ucx *self = bare;
	size_t length;

	while (!self->endpoint)
		bare_ucx_turn(self);
	bare_ucx_finish(self, ucp_stream_recv_nbx(self->endpoint, payload, bytes, &length, &param));
}

static void *listen_tcp(char address[BARE_ADDRESS_BYTES])
{
	return listen_with("tcp", address);
}

static void *connect_tcp(const char *address)
{
	return connect_with("tcp", address);
}

static void *listen_shm(char address[BARE_ADDRESS_BYTES])
{
	return listen_with("posix,tcp", address);
}

static void *connect_shm(const char *address)
{
	return connect_with("posix,tcp", address);
}

const struct bare_library bare_ucx_tcp = {.row = "ucx-tcp",
	.listen = listen_tcp,
	.connect = connect_tcp,
	.say = bare_ucx_say,
	.hear = bare_ucx_hear};
const struct bare_library bare_ucx_shm = {.row = "ucx-shm",
	.listen = listen_shm,
	.connect = connect_shm,
	.say = bare_ucx_say,
	.hear = bare_ucx_hear};

#else

const struct bare_library bare_ucx_tcp = {.row = "ucx-tcp"}, bare_ucx_shm = {.row = "ucx-shm"};

#endif
