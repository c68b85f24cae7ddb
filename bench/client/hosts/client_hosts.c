/* Presents a machine of several hosts as one device. This file opens the controller, starts an
 * executor on every host, waits until all executors have joined, and ends them when their mesh was
 * closed. Calls of the open mesh go through the handle (mesh/handle.h). Executors can be threads or
 * processes. */
#include <string.h>

#include "base/allocate.h"
#include "bench/scenario/hosts.h"
#include "client_private.h"
#include "wire/system_file.h"

struct client_hosts {
	struct controller *controller;
	char names[DISTRIBUTED_HOSTS_MAX][CHANNEL_NAME_BYTES];
	const char *name[DISTRIBUTED_HOSTS_MAX];
	struct pipeline_ops pipeline;
	struct client_store store; /* storage of the controller */
	struct arena arena;
	struct system_hosts given; /* the descriptions that machine_descriptors() returns; also
				    * in `described` */
	struct machine_description described[DISTRIBUTED_HOSTS_MAX];
};

static enum status open_controller(
	struct client *client, struct client_hosts *hosts, struct text *why)
{
	const struct distributed_keys *keys = &client->plan->scenario->runtime.distributed;
	const struct client_ground *ground = client->ground;
	struct controller_settings settings = {
		.transport = ground->transport,
		.channel = {.address = ground->address,
			.name = "controller",
			.session = ground->session,
			.key = ground->key,
			.message_bytes_max = keys->message_bytes,
			.window = keys->window,
			.remote = ground->remote},
		.codec = wire_codec_row(keys->codec),
		.hosts = hosts->name,
		.host_count = ground->count,
		.axis = machine_axis(client->plan->platform),
		.links = machine_links(client->plan->platform),
		.links_wrap = machine_wraps(client->plan->platform),
		.links_apart = ground->links != NULL,
		.resolution = resolution_row(keys->resolution),
		.reach = reach_row(keys->broadcast),
		.pipeline = &hosts->pipeline,
		.allocation = allocation_row(keys->allocator),
		.compile = compile_row(keys->compile),
		.compiles_again = !keys->program_cache,
		.descriptor = descriptor_row(keys->descriptor),
		.described = hosts->described,
		.loading = loading_row(keys->loading),
		.loader = client_store_loader(&hosts->store),
		.place = ground->controller,
		.wait = (enum wait_mode)keys->wait,
		.reply_ns = ground->reply_ns,
		.grace_ns = ground->grace_ns,
		.look_ns = keys->look_ns,
	};

	enum status status = machine_descriptors(client->plan, &hosts->arena, &hosts->given, why);

	if (status != STATUS_OK)
		return status;
	for (uint32_t i = 0; i < hosts->given.count; i++)
		hosts->described[i] = (struct machine_description){
			&hosts->given.host[i].info, hosts->given.host[i].bytes};
	for (uint32_t i = 0; i < ground->count; i++)
		hosts->name[i] = client_host_name(i, hosts->names[i]);
	hosts->pipeline = machine_pipeline(keys);
	return controller_open(&settings, why, &hosts->controller);
}

/* Reports that reply_ns is too short, because the host has answered, but too late. */
static bool refuse_reply_ns(struct client *client, const char *what)
{
	unsigned long long reply_ns = client->plan->scenario->runtime.distributed.reply_ns;

	return client_refuse(client,
		tree_where(tree_root(client->plan->tree), "runtime.distributed.reply_ns"),
		"reply_ns: %llu is too short: %s within %llu ns, but later", reply_ns, what,
		reply_ns);
}

static int64_t grace_end(const struct client *client)
{
	return world->now_ns() + (int64_t)client->ground->grace_ns;
}

static bool asks_late(const struct client *client)
{
	return client->ground->grace_ns > 0 &&
	       client->plan->scenario->runtime.distributed.reply_ns > 0;
}

/* Strangers are connections that do not belong to this run. A stranger may have taken the place of
 * a host, or may have delayed it, so that the host is lost. So if there were strangers, appends to
 * the error how many were rejected. Also appends the address of the last one, and why it was
 * rejected. */
static void name_strangers(struct client *client)
{
	struct channel_counts counts;

	if (client->hosts == NULL || client->hosts->controller == NULL)
		return;
	controller_counts(client->hosts->controller, &counts);
	if (counts.stranger[0] == '\0')
		return;
	text_printf(&client->why, "; %llu connections were refused, the last of a stranger: %s",
		(unsigned long long)counts.refused, counts.stranger);
	client->strangers = true;
}

/* Reports that an executor has not joined. After a timeout, waits a little longer: if the executor
 * joins in this time, reply_ns is too short, and the message says so. If `status` is INVALID, and a
 * key of the scenario rejects hosts that differ from their description, the message cites this key.
 * In all other cases, the message contains `why` (or the message of `status` if `why` is empty),
 * and the run counts as lost if `status` is TIMEOUT or CLOSED. */
static void explain_joining(struct client *client, enum status status, const struct text *why)
{
	const char *what = why->length ? text_string(why) : status_message(status);
	struct text later = {0};

	if (status == STATUS_TIMEOUT && asks_late(client) &&
		controller_accept(client->hosts->controller, grace_end(client), &later) ==
			STATUS_OK) {
		refuse_reply_ns(client, what);
	} else if (status == STATUS_INVALID &&
		   descriptor_row(client->plan->scenario->runtime.distributed.descriptor)
			   ->refuses) {
		client_refuse(client,
			tree_where(tree_root(client->plan->tree), "runtime.distributed.descriptor"),
			"%s", what);
	} else {
		client_fail(client, "the controller: %s", what);
		if (status == STATUS_TIMEOUT || status == STATUS_CLOSED) {
			client->outcome = CLIENT_LOST;
			name_strangers(client);
		}
	}
	text_fini(&later);
}

static enum status take_in(struct client *client, struct text *why)
{
	const struct client_ground *ground = client->ground;
	struct controller *controller = client->hosts->controller;
	int64_t deadline_ns = DEADLINE_NEVER;

	for (uint32_t i = 0; i < ground->count; i++)
		ground->ops->start(client, i, controller_address(controller));
	if (ground->join_ns > 0)
		deadline_ns = world->now_ns() + (int64_t)ground->join_ns;
	return controller_accept(controller, deadline_ns, why);
}

/* Returns the state of the hosts. All meshes share the state that belongs to the client of the
 * first mesh. */
static struct client_hosts *hosts_of_all(const struct client *client)
{
	return client->first != NULL ? client->first->hosts : client->hosts;
}

bool client_hosts_start(struct client *client)
{
	struct channel_counts counts;
	struct client_hosts *hosts;
	struct text why = {0};
	enum status status;

	if (client->first != NULL)
		client = client->first;
	if (client->ground == NULL || client->hosts != NULL)
		return true;
	hosts = client->hosts = allocate(1, sizeof *hosts);
	status = open_controller(client, hosts, &why);
	if (status != STATUS_OK) {
		client_fail(client, "the controller: %s",
			why.length ? text_string(&why) : status_message(status));
		text_fini(&why);
		return false;
	}
	status = take_in(client, &why);
	if (status == STATUS_OK) {
		controller_counts(hosts->controller, &counts);
		client->ground->ops->joined(client, &counts);
	} else {
		explain_joining(client, status, &why);
	}
	text_fini(&why);
	return status == STATUS_OK;
}

enum status client_hosts_open(
	struct client *client, const struct mesh_config *config, struct text *why)
{
	struct controller *controller = hosts_of_all(client)->controller;

	return distributed_open(controller, config, why, &client->device);
}

bool client_hosts_failed(const struct client *client)
{
	const struct client_hosts *hosts = hosts_of_all(client);

	return hosts != NULL && hosts->controller != NULL &&
	       controller_status(hosts->controller) != STATUS_OK;
}

/* If a step has failed because an executor rejected its command, appends the executor's message to
 * the error. The step itself knows only a status. */
static void explain_refusal(struct client *client)
{
	const char *why;

	if (client->hosts == NULL || client->hosts->controller == NULL || client->why.length == 0)
		return;
	why = controller_why(client->hosts->controller);
	if (why[0] != '\0' && strstr(text_string(&client->why), why) == NULL)
		text_printf(&client->why, ": %s", why);
}

void client_hosts_explain(struct client *client)
{
	const struct client_hosts *hosts = client->hosts;
	enum status status = STATUS_OK;

	if (hosts != NULL && hosts->controller != NULL)
		status = controller_status(hosts->controller);
	if (status == STATUS_OK) {
		explain_refusal(client);
		return;
	}
	if (status == STATUS_OUT_OF_RANGE) { /* a message is longer than message_bytes allows */
		client_refuse(client,
			tree_where(
				tree_root(client->plan->tree), "runtime.distributed.message_bytes"),
			"%s (runtime.distributed.message_bytes)",
			controller_why(hosts->controller));
		return;
	}
	if (status == STATUS_TIMEOUT && asks_late(client) && controller_hears(hosts->controller)) {
		refuse_reply_ns(client, controller_why(hosts->controller));
		return;
	}
	client->outcome = CLIENT_LOST;
	client->ground->ops->look(client);
	text_printf(&client->why, "%s%s", client->why.length ? ": " : "",
		controller_why(hosts->controller));
	name_strangers(client);
}

/* Waits until executors end on their own, and reports how they ended. */
static void say_how_executors_ended(struct client *client)
{
	text_clear(&client->why); /* the controller is lost, so its message has no meaning */
	for (uint32_t i = 0; i < client->ground->count; i++) {
		struct text why = {0};
		enum status status = client->ground->ops->end(client, i, &why);

		text_printf(&client->why, "%s%s", i ? "; " : "",
			why.length ? text_string(&why) : status_message(status));
		text_fini(&why);
	}
	text_printf(
		&client->why, ": executors have ended at %.3f us", (double)world->now_ns() / 1000);
}

void client_hosts_abandon(struct client *client)
{
	const struct fault_keys *fault = &client->plan->scenario->model.fault;
	struct client_hosts *hosts = client->hosts;

	if (hosts == NULL || fault->kind == HOST_FAULT_NONE)
		return;
	client->device = NULL; /* not closed: programs and buffers are still on it */
	if (fault->kind == HOST_FAULT_CONTROLLER_DEATH) {
		say_how_executors_ended(client);
		return;
	}
	text_printf(&client->why, "; told at %.3f us", (double)world->now_ns() / 1000);
	controller_close(hosts->controller);
	hosts->controller = NULL;
	for (uint32_t i = 0; i < client->ground->count; i++) {
		struct text why = {0};

		(void)client->ground->ops->end(client, i, &why);
		text_fini(&why);
	}
}

void client_hosts_end(struct client *client)
{
	struct client_hosts *hosts = client->hosts;

	if (hosts == NULL)
		return;
	controller_close(hosts->controller);
	hosts->controller = NULL;
	client_store_fini(&hosts->store);
	arena_fini(&hosts->arena);
	for (uint32_t i = 0; i < client->ground->count; i++) {
		struct text why = {0};
		enum status status = client->ground->ops->end(client, i, &why);

		if (status != STATUS_OK)
			client_fail(client, "%s: %s", hosts->names[i],
				why.length ? text_string(&why) : status_message(status));
		if (status == STATUS_TIMEOUT)
			client->outcome = CLIENT_LOST;
		text_fini(&why);
	}
}
