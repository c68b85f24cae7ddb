/* Joins the manager, credentials and requests over gRPC (manager/service.h). */
#include "manager/service.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "transport/rpc.h"
#include "world/world.h"

struct manager_service {
	struct manager_service_settings settings;
	struct manager *manager;
	struct rpc_server *server;
	struct text *log; /* during manager_service_next() */
};

static struct rpc_settings rpc_settings_of(const struct manager_service_settings *settings)
{
	return (struct rpc_settings){.address = settings->address,
		.method = "/meshsim/manager",
		.message_bytes_max = CREDENTIAL_BYTES_MAX,
		.remote = settings->remote};
}

enum status manager_service_open(const struct manager_service_settings *settings,
	struct manager *manager, struct manager_service **result, struct text *why)
{
	const struct rpc_settings rpc = rpc_settings_of(settings);
	struct manager_service *service = allocate(1, sizeof *service);
	enum status status = rpc_server_open(&rpc, &service->server, why);

	service->settings = *settings;
	service->manager = manager;
	if (status == STATUS_OK)
		*result = service;
	else
		free(service);
	return status;
}

const char *manager_service_address(const struct manager_service *service)
{
	return rpc_server_address(service->server);
}

static bool service_answer(
	void *context, const char *peer, const char *request, size_t length, struct text *reply)
{
	struct manager_service *service = context;
	struct manager_sender sender = {0};
	struct text message = {0}, answer = {0}, why = {0};
	enum status status;

	(void)length;
	status = credential_open(
		&service->settings.credential, request, &message, &sender.user, &why);
	if (status == STATUS_OK) {
		manager_answer(service->manager, &sender, world->now_ns(), text_string(&message),
			message.length, &answer);
		status = credential_seal(&service->settings.credential, text_string(&answer),
			answer.length, reply, &why);
	}
	if (status != STATUS_OK && service->log)
		text_printf(service->log, "refused a request of %s: %s\n", peer, text_string(&why));
	text_fini(&message);
	text_fini(&answer);
	text_fini(&why);
	return status == STATUS_OK;
}

enum status manager_service_next(
	struct manager_service *service, int64_t deadline_ns, struct text *log)
{
	const struct rpc_handler handler = {service_answer, service};

	service->log = log;
	return rpc_server_next(service->server, &handler, deadline_ns);
}

void manager_service_close(struct manager_service *service)
{
	if (!service)
		return;
	rpc_server_close(service->server);
	free(service);
}

/* Opens a reply, and checks that it is the manager's. */
static enum status reply_open(const struct manager_service_settings *settings,
	const struct text *sealed, struct text *reply, struct text *why)
{
	uint32_t user;
	enum status status =
		credential_open(&settings->credential, text_string(sealed), reply, &user, why);

	if (status != STATUS_OK || user == 0 || user == settings->admin)
		return status;
	text_clear(reply);
	if (why)
		text_printf(why, "user %u answers there, who is not the manager", user);
	return STATUS_INVALID;
}

enum status manager_service_ask(const struct manager_service_settings *settings,
	const struct manager_request *request, int64_t deadline_ns, struct text *reply,
	struct text *why)
{
	const struct rpc_settings rpc = rpc_settings_of(settings);
	struct text message = {0}, sealed = {0}, answer = {0};
	enum status status;

	manager_request_write(request, &message);
	status = credential_seal(
		&settings->credential, text_string(&message), message.length, &sealed, why);
	if (status == STATUS_OK)
		status = rpc_call(
			&rpc, text_string(&sealed), sealed.length, deadline_ns, &answer, why);
	if (status == STATUS_OK)
		status = reply_open(settings, &answer, reply, why);
	text_fini(&message);
	text_fini(&sealed);
	text_fini(&answer);
	return status;
}
