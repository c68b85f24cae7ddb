/* Opens and closes the connections between clusters of several processes (native_links.h). */
#include "native_links.h"

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/refuse.h"
#include "native_wait.h"
#include "world/native/native.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 16 };

/* Maximum time in ns for sending queued records when the links are closed. */
#define CLOSE_NS INT64_C(1000000000)

/* Returns the settings of an end. Its name is the number of this host. */
static struct channel_settings end_settings(
	const struct links_settings *settings, const char *address, char name[NAME_BYTES])
{
	struct channel_settings channel = settings->channel;

	snprintf(name, NAME_BYTES, "%u", settings->host);
	channel.name = name;
	channel.address = address;
	channel.message_bytes_max = LINKS_BODY_MAX + RECORD_BYTES;
	channel.window = LINKS_WINDOW;
	channel.memory = (struct channel_memory){.take = NULL};
	return channel;
}

static enum status links_open(struct cluster *cluster, const struct links_settings *settings,
	struct links **result, struct text *why)
{
	const struct cluster_info *info = cluster->info;
	struct channel_settings channel;
	struct links *links;
	char name[NAME_BYTES];
	struct hub *hub;
	enum status status;

	ensure(info->machine != NULL && cluster->machine == NULL,
		"links of a cluster that is not part of a machine, or is joined already");
	ensure(settings->host < settings->host_count && settings->host_count <= LINKS_HOSTS_MAX,
		"host %u of %u", settings->host, settings->host_count);
	channel = end_settings(settings, settings->channel.address, name);
	status = settings->transport->hub_open(&channel, &hub, why);
	if (status != STATUS_OK)
		return status;
	links = allocate(1, sizeof *links);
	links->cluster = cluster;
	links->settings = *settings;
	links->hub = hub;
	pthread_mutex_init(&links->lock, NULL);
	native_cond_init(&links->changed);
	for (uint32_t i = 0; i < settings->host_count; i++) {
		links->peers[i].links = links;
		links->peers[i].host = i;
		links->peers[i].outstanding =
			allocate(info->chip_count, sizeof *links->peers[i].outstanding);
	}
	cluster->links = links;
	cluster->machine = allocate(info->machine->chip_count, sizeof(struct device *));
	for (uint16_t i = 0; i < info->chip_count; i++)
		cluster->machine[info->machine_first + i] = &cluster->chips[i];
	*result = links;
	return STATUS_OK;
}

static const char *links_address(const struct links *links)
{
	return links->settings.transport->hub_address(links->hub);
}

/* ---- joining ---- */

static enum status connect_to(struct links *links, uint32_t host, const char *address,
	int64_t deadline_ns, struct text *why)
{
	char name[NAME_BYTES];
	struct channel_settings channel = end_settings(&links->settings, address, name);
	struct text cause = {0};
	enum status status = links->settings.transport->join(
		&channel, deadline_ns, &links->peers[host].channel, &cause);

	if (status == STATUS_OK)
		links->peers[host].joined = true;
	else if (why != NULL)
		text_printf(why, "cannot connect to host %u at %s: %s", host, address,
			cause.length ? text_string(&cause) : status_message(status));
	text_fini(&cause);
	return status;
}

/* Assigns a member to its peer. Drops the member if it is not an expected host. */
static void take_member(struct links *links, uint32_t member)
{
	const struct channel_ops *transport = links->settings.transport;
	const char *name = transport->hub_member(links->hub, member);

	for (uint32_t i = links->settings.host + 1; i < links->settings.host_count; i++) {
		char expected[NAME_BYTES];

		snprintf(expected, sizeof expected, "%u", i);
		if (strcmp(name, expected) == 0 && !links->peers[i].joined) {
			links->peers[i].member = member;
			links->peers[i].joined = true;
			return;
		}
	}
	transport->hub_drop(links->hub, member);
}

static enum status accept_from(
	struct links *links, uint32_t host, int64_t deadline_ns, struct text *why)
{
	while (!links->peers[host].joined) {
		uint32_t member;
		enum status status =
			links->settings.transport->hub_accept(links->hub, deadline_ns, &member);

		if (status != STATUS_OK)
			return refuse(why, status, "host %u has not connected", host);
		take_member(links, member);
	}
	return STATUS_OK;
}

static void start_thread(pthread_t *thread, void *(*main)(void *arg), void *arg)
{
	int error = pthread_create(thread, NULL, main, arg);

	ensure(error == 0, "no thread for links: %s", strerror(error));
}

/* Starts the threads, and greets all other hosts. */
static void links_greet(struct links *links)
{
	const struct cluster_info *info = links->cluster->info;
	const struct record hello = {
		.kind = RECORD_HELLO, .chip = info->machine_first, .count = info->chip_count};

	pthread_mutex_lock(&links->lock);
	for (uint32_t i = 0; i < links->settings.host_count; i++)
		if (i != links->settings.host)
			native_links_say(&links->peers[i], &hello);
	pthread_mutex_unlock(&links->lock);
	start_thread(&links->sender, native_links_sender, links);
	links->sends = true;
	for (uint32_t i = 0; i < links->settings.host; i++)
		start_thread(&links->receivers[links->receiver_count++],
			native_links_channel_receiver, &links->peers[i]);
	if (links->settings.host + 1 < links->settings.host_count)
		start_thread(&links->receivers[links->receiver_count++], native_links_hub_receiver,
			links);
}

/* Waits until the other host has sent its greeting. */
static enum status links_meet(
	struct links *links, uint32_t host, int64_t deadline_ns, struct text *why)
{
	struct peer *peer = &links->peers[host];
	bool met, lost;

	pthread_mutex_lock(&links->lock);
	while (!peer->met && !peer->lost && native_now_ns() < deadline_ns)
		native_cond_wait(&links->changed, &links->lock, deadline_ns);
	met = peer->met;
	lost = peer->lost;
	pthread_mutex_unlock(&links->lock);
	if (met)
		return STATUS_OK;
	return refuse(why, lost ? STATUS_CLOSED : STATUS_TIMEOUT,
		lost ? "the connection to host %u has ended" : "host %u has not greeted", host);
}

static enum status links_join(
	struct links *links, const char *const *addresses, int64_t deadline_ns, struct text *why)
{
	uint32_t own = links->settings.host, count = links->settings.host_count;
	const struct cluster_info *machine = links->cluster->info->machine;
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < own && status == STATUS_OK; i++)
		status = connect_to(links, i, addresses[i], deadline_ns, why);
	for (uint32_t i = own + 1; i < count && status == STATUS_OK; i++)
		status = accept_from(links, i, deadline_ns, why);
	if (status != STATUS_OK)
		return status;
	links_greet(links);
	for (uint32_t i = 0; i < count && status == STATUS_OK; i++)
		if (i != own)
			status = links_meet(links, i, deadline_ns, why);
	for (uint16_t i = 0; i < machine->chip_count && status == STATUS_OK; i++)
		if (links->cluster->machine[i] == NULL)
			status = refuse(why, STATUS_INVALID, "chip %u is of no host", i);
	return status;
}

/* ---- the end ---- */

static void links_close(struct links *links)
{
	const struct channel_ops *transport;

	if (links == NULL || links->hub == NULL)
		return;
	transport = links->settings.transport;
	pthread_mutex_lock(&links->lock);
	for (uint32_t i = 0; i < links->settings.host_count; i++)
		if (links->sends && links->peers[i].joined && !links->peers[i].lost)
			native_links_say(&links->peers[i], &(struct record){.kind = RECORD_BYE});
	links->until_ns = native_now_ns() + CLOSE_NS;
	links->ending = true;
	pthread_cond_broadcast(&links->changed);
	pthread_mutex_unlock(&links->lock);
	if (links->sends)
		pthread_join(links->sender, NULL);
	__atomic_store_n(&links->stopping, true, __ATOMIC_RELEASE);
	for (uint32_t i = 0; i < links->receiver_count; i++)
		pthread_join(links->receivers[i], NULL);
	for (uint32_t i = 0; i < links->settings.host_count; i++)
		transport->close(links->peers[i].channel);
	transport->hub_close(links->hub);
	links->hub = NULL;
}

void native_links_free(struct links *links)
{
	if (links == NULL)
		return;
	links_close(links);
	for (uint32_t i = 0; i < links->settings.host_count; i++) {
		free(links->peers[i].chips);
		free(links->peers[i].outstanding);
	}
	pthread_cond_destroy(&links->changed);
	pthread_mutex_destroy(&links->lock);
	free(links->reads);
	free(links);
}

const struct links_ops native_links = {
	.open = links_open,
	.address = links_address,
	.join = links_join,
	.close = links_close,
};
