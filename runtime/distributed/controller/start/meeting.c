/* Lets executors connect to each other. This is needed if links join the hosts' chips and each host
 * is a separate process (world/links.h). The controller collects the addresses at which executors
 * listen, and sends all addresses to each executor. */
#include <string.h>

#include "base/refuse.h"
#include "controller_private.h"

enum { ADDRESSES_BYTES = 8192 };

enum status meeting_learn(
	struct controller *controller, struct host *host, const struct wire_link_address *said)
{
	if (host->link_address != NULL)
		return STATUS_INVALID;
	host->link_address = arena_alloc(&controller->arena, said->address.count + 1);
	memcpy(host->link_address, said->address.at, said->address.count);
	host->link_address[said->address.count] = '\0';
	return STATUS_OK;
}

/* Makes the message. Its bytes belong to the controller's arena. */
static enum status meeting_addresses(
	struct controller *controller, struct wire_bytes *addresses, struct text *why)
{
	uint8_t *bytes = arena_alloc(&controller->arena, ADDRESSES_BYTES);
	size_t used = 0;

	for (uint32_t i = 0; i < controller->settings.host_count; i++) {
		const struct host *host = &controller->hosts[i];
		size_t length = strlen(host->link_address) + 1;

		if (length > ADDRESSES_BYTES - used)
			return refuse(why, STATUS_OUT_OF_RANGE, "addresses of more than %d bytes",
				ADDRESSES_BYTES);
		memcpy(bytes + used, host->link_address, length);
		used += length;
	}
	addresses->at = bytes;
	addresses->count = (uint32_t)used;
	return STATUS_OK;
}

static enum status meeting_tell(
	struct controller *controller, int64_t deadline_ns, struct text *why)
{
	struct wire_command command = {
		.kind = WIRE_link_hosts, .link_hosts = {.number = ++controller->number}};
	const struct channel_ops *transport = controller->settings.transport;
	struct mail_writer writer;
	struct span message = {.extent = NULL};
	enum status status = meeting_addresses(controller, &command.link_hosts.addresses, why);

	if (status != STATUS_OK)
		return status;
	mail_writer_init(&writer, controller->settings.codec);
	status = mail_write(&writer, &command, &message, why);
	for (uint32_t i = 0; i < controller->settings.host_count && status == STATUS_OK; i++) {
		uint32_t who;

		status = transport->hub_send(
			controller->hub, controller->hosts[i].member, message, deadline_ns, &who);
		if (status != STATUS_OK)
			(void)refuse(why, status, "host %s is lost", controller->hosts[i].name);
	}
	span_release(message);
	mail_writer_fini(&writer);
	return status;
}

/* Returns the status with which a host has answered. */
static enum status meeting_read(
	struct controller *controller, uint32_t host, struct span message, struct text *why)
{
	struct letter letter = {0};
	struct text what = {0};
	enum status status = letter_read(&letter, controller->settings.codec, message, &what);
	const struct wire_completed *completed = &letter.command.completed;

	if (status == STATUS_OK && letter.command.kind != WIRE_completed)
		status = refuse(&what, STATUS_INVALID, "said %s, not whether it is connected",
			wire_kind_name(letter.command.kind));
	else if (status == STATUS_OK && completed->status != STATUS_OK)
		status = refuse(&what, (enum status)completed->status, "%.*s",
			(int)completed->text.count, (const char *)completed->text.at);
	if (status != STATUS_OK && why != NULL)
		text_printf(why, "host %s: %s", controller->hosts[host].name,
			what.length ? text_string(&what) : status_message(status));
	text_fini(&what);
	letter_fini(&letter);
	return status;
}

enum status meeting_hold(struct controller *controller, int64_t deadline_ns, struct text *why)
{
	uint32_t left = controller->settings.host_count;
	enum status status = meeting_tell(controller, deadline_ns, why);

	while (status == STATUS_OK && left > 0) {
		struct span message;
		uint32_t member = 0, host;

		status = controller->settings.transport->hub_receive(
			controller->hub, deadline_ns, &member, &message);
		if (status == STATUS_TIMEOUT)
			return refuse(why, status, "%u hosts are not connected to each other",
				controller->settings.host_count);
		host = controller->member_host[member];
		if (host == UINT32_MAX) {
			if (status == STATUS_OK)
				span_release(message);
			status = STATUS_OK;
			continue;
		}
		if (status == STATUS_CLOSED)
			return refuse(why, status, "host %s is lost", controller->hosts[host].name);
		status = meeting_read(controller, host, message, why);
		left--;
	}
	return status;
}
