/* Connects an executor to the other executors. This is needed if links join the hosts' chips and
 * each host is a separate process (world/links.h). The executor sends its own address to the
 * controller, which answers with the addresses of the other executors. If a connection is lost, the
 * executor ends, because no later packet could arrive. */
#include <string.h>

#include "base/refuse.h"
#include "executor_private.h"

/* Interval at which the event loop looks whether a connection is lost. */
enum { LINKS_LOOK_NS = 50000000 };

/* Called in a thread of the connections. Notifies the controller from this thread, because the
 * event loop may be blocked: it may wait for a program that waits for the lost host. */
static void executor_link_lost(void *context, uint32_t host, const char *why)
{
	struct executor *executor = context;
	const struct wire_head head = {0};

	if (__atomic_exchange_n(&executor->links_fail, true, __ATOMIC_ACQ_REL))
		return;
	text_printf(&executor->links_why, "the connection to host %u %s", host, why);
	executor_complete(executor, &head, STATUS_CLOSED, &executor->links_why);
	__atomic_store_n(&executor->links_lost, true, __ATOMIC_RELEASE);
}

static enum status executor_links_open(struct executor *executor)
{
	struct links_settings settings = executor->settings->link_settings;
	struct wire_command command = {.kind = WIRE_link_address};
	const char *address;
	enum status status;

	settings.lost = executor_link_lost;
	settings.context = executor;
	status = executor->settings->links->open(
		executor->cluster, &settings, &executor->links, &executor->why);
	if (status != STATUS_OK)
		return status;
	address = executor->settings->links->address(executor->links);
	command.link_address.address.at = (const uint8_t *)address;
	command.link_address.address.count = (uint32_t)strlen(address);
	executor_answer(executor, &command);
	return STATUS_OK;
}

/* Finds the address of every host in the message. Returns false if their number is wrong. */
static bool executor_links_addresses(
	const struct wire_bytes *bytes, uint32_t count, const char *addresses[LINKS_HOSTS_MAX])
{
	const char *at = (const char *)bytes->at, *end = at + bytes->count;

	for (uint32_t i = 0; i < count; i++) {
		const char *zero = at < end ? memchr(at, 0, (size_t)(end - at)) : NULL;

		if (zero == NULL)
			return false;
		addresses[i] = at;
		at = zero + 1;
	}
	return at == end;
}

static enum status executor_links_join(
	struct executor *executor, const struct wire_command *command, int64_t deadline_ns)
{
	const char *addresses[LINKS_HOSTS_MAX];
	struct text *why = &executor->why;

	if (command->kind != WIRE_link_hosts ||
		!executor_links_addresses(&command->link_hosts.addresses,
			executor->settings->link_settings.host_count, addresses))
		return refuse(why, STATUS_INVALID, "%s, and not the addresses of all hosts",
			wire_kind_name(command->kind));
	return executor->settings->links->join(executor->links, addresses, deadline_ns, why);
}

enum status executor_link(struct executor *executor, int64_t deadline_ns)
{
	const struct executor_settings *settings = executor->settings;
	struct wire_head head = {0};
	struct letter letter = {0};
	struct span message;
	enum status status;

	if (settings->links == NULL)
		return STATUS_OK;
	executor_share_channel(executor);
	status = executor_links_open(executor);
	if (status == STATUS_OK)
		status = settings->transport->receive(executor->channel, deadline_ns, &message);
	if (status == STATUS_OK)
		status = letter_read(&letter, settings->codec, message, &executor->why);
	if (status == STATUS_OK) {
		head = letter.command.head;
		status = executor_links_join(executor, &letter.command, deadline_ns);
	}
	executor->last = head.number;
	executor_complete(executor, &head, status, &executor->why);
	letter_fini(&letter);
	return status;
}

int64_t executor_links_next(const struct executor *executor, int64_t deadline_ns)
{
	int64_t next_ns;

	if (executor->links == NULL)
		return deadline_ns;
	next_ns = world->now_ns() + LINKS_LOOK_NS;
	return next_ns < deadline_ns ? next_ns : deadline_ns;
}

void executor_links_look(struct executor *executor)
{
	if (__atomic_load_n(&executor->links_lost, __ATOMIC_ACQUIRE))
		executor_end(executor, STATUS_CLOSED, text_string(&executor->links_why));
}

void executor_unlink(struct executor *executor)
{
	if (executor->links != NULL)
		executor->settings->links->close(executor->links);
	executor->links = NULL;
}
