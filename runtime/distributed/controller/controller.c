/* Opens the controller's hub, accepts the executors that join it, and closes the controller. The
 * controller drops members with unexpected names. */
#include "distributed/controller.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "controller_private.h"
#include "distributed/common/described.h"
#include "wire/system_file.h"

enum { MESSAGE_LEAST = 4096 };

enum status controller_open(const struct controller_settings *settings, struct text *why,
	struct controller **controller)
{
	struct controller *made;
	struct hub *hub;
	enum status status;

	if (settings->host_count < 1 || settings->host_count > DISTRIBUTED_HOSTS_MAX ||
		settings->channel.message_bytes_max < MESSAGE_LEAST || settings->look_ns == 0)
		return refuse(why, STATUS_INVALID, "%u hosts, messages of %u B",
			settings->host_count, settings->channel.message_bytes_max);
	status = settings->transport->hub_open(&settings->channel, &hub, why);
	if (status != STATUS_OK)
		return status;
	made = allocate(1, sizeof *made);
	made->settings = *settings;
	made->hub = hub;
	for (uint32_t i = 0; i < settings->host_count; i++)
		made->hosts[i].name = settings->hosts[i];
	memset(made->member_host, 0xff, sizeof made->member_host);
	table_init(&made->table);
	*controller = made;
	return STATUS_OK;
}

const char *controller_address(const struct controller *controller)
{
	return controller->settings.transport->hub_address(controller->hub);
}

void controller_counts(const struct controller *controller, struct channel_counts *counts)
{
	*counts = (struct channel_counts){0};
	controller->settings.transport->hub_counts(controller->hub, counts);
}

const struct cluster_info *controller_info(const struct controller *controller)
{
	return controller->info;
}

const char *controller_why(const struct controller *controller)
{
	return text_string(&controller->why);
}

enum status controller_status(struct controller *controller)
{
	return table_status(controller);
}

/* ---- joining of executors ---- */

static void take_in(struct controller *controller, uint32_t member)
{
	const struct channel_ops *transport = controller->settings.transport;
	const char *name = transport->hub_member(controller->hub, member);

	for (uint32_t i = 0; i < controller->settings.host_count; i++)
		if (strcmp(controller->hosts[i].name, name) == 0 && !controller->hosts[i].joined) {
			controller->hosts[i].joined = true;
			controller->hosts[i].member = member;
			controller->member_host[member] = i;
			return;
		}
	transport->hub_drop(controller->hub, member);
}

static enum status accept_all(struct controller *controller, int64_t deadline_ns, struct text *why)
{
	for (uint32_t i = 0; i < controller->settings.host_count; i++) {
		enum status status = STATUS_OK;
		uint32_t member;

		while (status == STATUS_OK && !controller->hosts[i].joined) {
			status = controller->settings.transport->hub_accept(
				controller->hub, deadline_ns, &member);
			if (status == STATUS_OK)
				take_in(controller, member);
		}
		if (status != STATUS_OK)
			return refuse(
				why, status, "host %s has not joined", controller->hosts[i].name);
	}
	return STATUS_OK;
}

static bool has_descriptions(const struct controller *controller)
{
	return controller->settings.descriptor != NULL && controller->settings.descriptor->refuses;
}

/* Handles a message that a host sends before the first command. The host's first message contains
 * its system descriptor. If the controller already has descriptions of all hosts, the first message
 * only says whether the description of this host is right. If executors connect to each other, the
 * host's second message contains the address at which the host accepts connections. */
static enum status learn_machine(struct controller *controller, uint32_t index,
	const struct wire_command *said, struct text *why)
{
	struct host *host = &controller->hosts[index];
	bool given = has_descriptions(controller);

	if (host->told && said->kind == WIRE_link_address && controller->settings.links_apart)
		return meeting_learn(controller, host, &said->link_address);
	if (host->told || said->kind != (given ? WIRE_completed : WIRE_system_descriptor))
		return refuse(why, STATUS_INVALID, "said %s, not what machine it has",
			wire_kind_name(said->kind));
	if (!given)
		return wire_system_read(&said->system_descriptor, &host->arena, &host->info, why);
	if (said->completed.status != STATUS_OK)
		return refuse(why, STATUS_INVALID, "its descriptor is stale: %.*s",
			(int)said->completed.text.count, (const char *)said->completed.text.at);
	host->info = *controller->settings.described[index].info;
	return STATUS_OK;
}

/* Reads and handles a message that a host sends before the first command. */
static enum status learn(
	struct controller *controller, uint32_t index, struct span message, struct text *why)
{
	struct host *host = &controller->hosts[index];
	struct letter letter = {0};
	struct text what = {0};
	enum status status = letter_read(&letter, controller->settings.codec, message, &what);

	if (status == STATUS_OK)
		status = learn_machine(controller, index, &letter.command, &what);
	if (status != STATUS_OK && why != NULL)
		text_printf(why, "host %s: %s", host->name, text_string(&what));
	if (status == STATUS_OK && !host->told) {
		host->told = true;
		LOG_TO(DISTRIBUTED, INFO, "host %s has told of its %u chips", host->name,
			host->info.chip_count);
	}
	text_fini(&what);
	letter_fini(&letter);
	return status == STATUS_OK ? STATUS_OK : STATUS_INVALID;
}

static const char *first_untold(const struct controller *controller)
{
	const struct host *host = controller->hosts;

	while (host->told && (!controller->settings.links_apart || host->link_address != NULL))
		host++;
	return host->name;
}

static enum status learn_all(struct controller *controller, int64_t deadline_ns, struct text *why)
{
	uint32_t left = 0;

	for (uint32_t i = 0; i < controller->settings.host_count; i++)
		left += (uint32_t)!controller->hosts[i].told +
			(controller->settings.links_apart &&
				controller->hosts[i].link_address == NULL);
	while (left > 0) {
		struct span message;
		uint32_t member = 0, host;
		enum status status = controller->settings.transport->hub_receive(
			controller->hub, deadline_ns, &member, &message);

		if (status == STATUS_TIMEOUT)
			return refuse(why, status, "host %s has not told of its machine",
				first_untold(controller));
		host = controller->member_host[member];
		if (host == UINT32_MAX && status == STATUS_OK)
			span_release(message);
		if (host == UINT32_MAX)
			continue;
		if (status == STATUS_CLOSED)
			return refuse(why, status, "host %s is lost", controller->hosts[host].name);
		status = learn(controller, host, message, why);
		if (status != STATUS_OK)
			return status;
		left--;
	}
	return STATUS_OK;
}

enum status controller_accept(struct controller *controller, int64_t deadline_ns, struct text *why)
{
	enum status status;

	for (uint32_t i = 0; i < controller->settings.host_count && has_descriptions(controller);
		i++)
		storage_charge(controller->settings.described[i].bytes);
	status = accept_all(controller, deadline_ns, why);

	if (status == STATUS_OK)
		status = learn_all(controller, deadline_ns, why);
	if (status == STATUS_OK)
		status = machine_make(controller, why);
	if (status == STATUS_OK && controller->settings.links_apart)
		status = meeting_hold(controller, deadline_ns, why);
	if (status != STATUS_OK)
		return status;
	forward_start(controller);
	reverse_start(controller);
	controller->started = true;
	return STATUS_OK;
}

void controller_close(struct controller *controller)
{
	if (controller == NULL)
		return;
	if (controller->started) {
		forward_stop(controller);
		reverse_stop(controller);
	}
	controller->settings.transport->hub_close(controller->hub);
	table_fini(&controller->table);
	for (uint32_t i = 0; i < controller->settings.host_count; i++)
		arena_fini(&controller->hosts[i].arena);
	arena_fini(&controller->arena);
	text_fini(&controller->why);
	free(controller);
}
