/* The hub's end of the channel, which listens and accepts members, and the operations of channel.h
 * on a hub. A hub rejects a member of another session, and a member whose name is already taken. */
#include "hostnet_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

enum { ADDRESS_BYTES = 192, FIRST_PORT = 40000 };

struct hub {
	struct end end;
	struct hub *next;
	enum hostnet_transport transport;
	char address[ADDRESS_BYTES]; /* the form of the address that members use */
	struct line *accepted[CHANNEL_MEMBERS_MAX];
	uint32_t accepted_count;
	struct line *first, *last; /* members that wait to be accepted, in order of arrival */
	struct place accepter;
};

/* ---- addresses ---- */

/* Sets *host to the host that HOST means in an address "HOST:PORT". "127.0.0.1", "localhost",
 * "0.0.0.0" and "*" mean the host `here`; any other HOST must be the name of a server. Sets *all to
 * true if other machines can reach the address; otherwise sets it to false. Returns false if there
 * is no server with the name HOST. */
static bool host_of(const char *address, size_t length, uint16_t here, uint16_t *host, bool *all)
{
	static const char *const own[] = {"127.0.0.1", "localhost"};
	static const char *const any[] = {"0.0.0.0", "*"};
	char name[PLATFORM_NAME_BYTES];

	*host = here;
	*all = false;
	for (unsigned i = 0; i < 2; i++) {
		if (strlen(own[i]) == length && memcmp(own[i], address, length) == 0)
			return true;
		*all = strlen(any[i]) == length && memcmp(any[i], address, length) == 0;
		if (*all)
			return true;
	}
	for (*host = 0; *host < hostnet.count; ++*host) {
		platform_server_name(*host, name);
		*all = strlen(name) == length && memcmp(name, address, length) == 0;
		if (*all)
			return true;
	}
	return false;
}

/* Writes to `address` the address at which members reach a hub with these settings. Returns OK.
 * Returns INVALID, with a sentence in `why`, if settings->address is not on this host, or if other
 * machines can reach it although settings->remote is not set. */
static enum status hub_place(
	const struct channel_settings *settings, uint16_t here, char *address, struct text *why)
{
	const char *colon = strrchr(settings->address, ':');
	char name[PLATFORM_NAME_BYTES], *end;
	unsigned long port = 0;
	uint16_t host = here;
	bool all = false;

	if (settings->address[0] == '/' && strlen(settings->address) < ADDRESS_BYTES) {
		snprintf(address, ADDRESS_BYTES, "%s", settings->address);
		return STATUS_OK;
	}
	if (colon)
		port = strtoul(colon + 1, &end, 10);
	if (!colon || end == colon + 1 || port > 65535 ||
		!host_of(settings->address, (size_t)(colon - settings->address), here, &host,
			&all) ||
		host != here) {
		if (why)
			text_printf(why, "'%s' is no address of this host", settings->address);
		return STATUS_INVALID;
	}
	if (all && !settings->remote) {
		if (why)
			text_printf(why,
				"'%s' is an address that other machines reach, and that "
				"was not allowed",
				settings->address);
		return STATUS_INVALID;
	}
	if (port == 0)
		port = FIRST_PORT + hostnet.ports++;
	snprintf(address, ADDRESS_BYTES, "%s:%lu",
		settings->remote ? platform_server_name(here, name) : "127.0.0.1", port);
	return STATUS_OK;
}

struct end *net_hub_find(enum hostnet_transport transport, const char *address, uint16_t host)
{
	for (struct hub *hub = hostnet.hubs; hub; hub = hub->next)
		if (hub->transport == transport && !hub->end.dead &&
			(hub->end.settings.remote || hub->end.host == host) &&
			strcmp(hub->address, address) == 0)
			return &hub->end;
	return NULL;
}

/* ---- joining members ---- */

static bool is_taken(const struct end *hub, const struct line *newcomer)
{
	for (const struct line *line = hostnet.lines; line; line = line->next)
		if (line != newcomer && line->halves[SIDE_HUB].end == hub &&
			(line->standing == STANDING_JOINED ||
				line->standing == STANDING_ACCEPTED) &&
			!line->halves[SIDE_HUB].lost && strcmp(line->name, newcomer->name) == 0)
			return true;
	return false;
}

static void tell_answer(struct line *line)
{
	net_transmit(net_parcel_new(line, SIDE_HUB, PARCEL_ANSWER, (struct span){0}));
}

static void meet(struct end *end, struct line *line)
{
	struct hub *hub = (struct hub *)end;

	line->refusal = line->session != end->settings.session ? STATUS_UNSUPPORTED
			: is_taken(end, line)		       ? STATUS_EXISTS
							       : STATUS_OK;
	if (line->refusal == STATUS_OK) {
		line->standing = STANDING_JOINED;
		if (hub->first)
			hub->last->waits = line;
		else
			hub->first = line;
		hub->last = line;
		net_end_wake(&hub->accepter);
		return;
	}
	line->standing = STANDING_REFUSED;
	end->counts.refused++;
	tell_answer(line);
	line->halves[SIDE_HUB].lost = true;
	line->halves[SIDE_HUB].end = NULL;
	net_line_release(line);
}

enum status net_hub_open(enum hostnet_transport transport, const struct channel_settings *settings,
	struct hub **result, struct text *why)
{
	char address[ADDRESS_BYTES];
	enum status status = net_end_check(settings, why);
	struct hub *hub;

	if (status == STATUS_OK)
		status = hub_place(settings, host_thread_host(), address, why);
	for (hub = hostnet.hubs; hub && status == STATUS_OK; hub = hub->next)
		if (hub->transport == transport && hub->end.host == host_thread_host() &&
			strcmp(strchr(hub->address, ':') ? strchr(hub->address, ':') : hub->address,
				strchr(address, ':') ? strchr(address, ':') : address) == 0)
			status = STATUS_EXISTS;
	if (status == STATUS_EXISTS && why)
		text_printf(why, "somebody listens at %s", address);
	if (status != STATUS_OK)
		return status;
	hub = allocate(1, sizeof *hub);
	net_end_init(&hub->end, SIDE_HUB, &hostnet.constants.transports[transport], settings);
	hub->end.meet = meet;
	hub->transport = transport;
	snprintf(hub->address, sizeof hub->address, "%s", address);
	hub->next = hostnet.hubs;
	hostnet.hubs = hub;
	net_end_start(&hub->end, "the hub");
	*result = hub;
	return STATUS_OK;
}

const char *net_hub_address(const struct hub *hub)
{
	return hub->address;
}

/* Removes and returns the first member that waits to be accepted; NULL if no member waits. Closes
 * the lines of members that were lost while they waited. */
static struct line *newcomer(struct hub *hub)
{
	while (hub->first) {
		struct line *line = hub->first;

		hub->first = line->waits;
		if (!line->halves[SIDE_HUB].lost)
			return line;
		net_end_leave(&hub->end, line);
	}
	return NULL;
}

enum status net_hub_accept(struct hub *hub, int64_t deadline_ns, uint32_t *member)
{
	struct line *line;

	host_thread_settle();
	if (hub->accepted_count == CHANNEL_MEMBERS_MAX)
		return STATUS_NO_SPACE;
	while (!(line = newcomer(hub))) {
		if (hub->end.dead)
			return STATUS_CLOSED;
		if (net_end_wait(&hub->end, &hub->accepter, deadline_ns, "a member that joins") !=
			STATUS_OK)
			return STATUS_TIMEOUT;
	}
	line->standing = STANDING_ACCEPTED;
	line->number = *member = hub->accepted_count;
	hub->accepted[hub->accepted_count++] = line;
	tell_answer(line);
	return STATUS_OK;
}

const char *net_hub_member(const struct hub *hub, uint32_t member)
{
	return member < hub->accepted_count ? hub->accepted[member]->name : "";
}

/* ---- messages ---- */

/* Writes to `lines` the lines over which a message to `member` is sent, and sets *count to their
 * number. CHANNEL_ALL means all members that were not dropped. Returns OK. Returns CLOSED, with the
 * number of the member in *who, if one of the members is lost or does not exist. */
static enum status hub_choose(
	const struct hub *hub, uint32_t member, struct line **lines, uint32_t *count, uint32_t *who)
{
	uint32_t from = member == CHANNEL_ALL ? 0 : member;
	uint32_t to = member == CHANNEL_ALL ? hub->accepted_count : member + 1;

	*count = 0;
	for (uint32_t i = from; i < to; i++) {
		*who = i;
		if (i >= hub->accepted_count)
			return STATUS_CLOSED;
		if (hub->accepted[i]->dropped && member == CHANNEL_ALL)
			continue;
		if (hub->accepted[i]->halves[SIDE_HUB].lost)
			return STATUS_CLOSED;
		lines[(*count)++] = hub->accepted[i];
	}
	return STATUS_OK;
}

/* The first line whose window is full, or NULL. */
static const struct line *slowest(const struct hub *hub, struct line *const *lines, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (lines[i]->halves[SIDE_HUB].under_way >= hub->end.settings.window)
			return lines[i];
	return NULL;
}

enum status net_hub_send(
	struct hub *hub, uint32_t member, struct span message, int64_t deadline_ns, uint32_t *who)
{
	struct line *lines[CHANNEL_MEMBERS_MAX];
	const struct line *full;
	struct span payload;
	uint32_t count;
	bool counted = false;
	enum status status = span_payload(message, hub->end.settings.message_bytes_max, &payload);

	if (status != STATUS_OK)
		return status;
	host_thread_settle();
	while ((status = hub_choose(hub, member, lines, &count, who)) == STATUS_OK &&
		(full = slowest(hub, lines, count))) {
		hub->end.counts.full += !counted;
		counted = true;
		*who = full->number;
		status = net_end_wait(&hub->end, &hub->end.sender, deadline_ns, "room in a window");
		if (status != STATUS_OK)
			break;
	}
	if (status == STATUS_OK)
		net_end_send(&hub->end, lines, count, payload);
	span_release(payload);
	return status;
}

enum status net_hub_receive(
	struct hub *hub, int64_t deadline_ns, uint32_t *member, struct span *message)
{
	struct parcel *parcel;

	host_thread_settle();
	for (;;) {
		while ((parcel = net_end_take(&hub->end))) {
			*member = parcel->line->number;
			if (parcel->kind == PARCEL_MESSAGE) {
				*message = net_end_receive(&hub->end, parcel);
				return STATUS_OK;
			}
			bool known = parcel->line->dropped;

			net_parcel_free(parcel);
			if (!known)
				return STATUS_CLOSED;
		}
		if (net_end_wait(&hub->end, &hub->end.receiver, deadline_ns,
			    "a message of a member") != STATUS_OK)
			return STATUS_TIMEOUT;
	}
}

void net_hub_drop(struct hub *hub, uint32_t member)
{
	struct line *line = member < hub->accepted_count ? hub->accepted[member] : NULL;

	if (!line || line->dropped)
		return;
	line->dropped = true;
	net_end_goodbye(&hub->end, line);
	net_line_lose(line, SIDE_HUB);
}

void net_hub_counts(struct hub *hub, struct channel_counts *counts)
{
	*counts = hub->end.counts;
}

void net_hub_close(struct hub *hub)
{
	struct hub **place = &hostnet.hubs;

	if (!hub)
		return;
	while (*place != hub)
		place = &(*place)->next;
	*place = hub->next;
	net_end_stop(&hub->end);
	for (struct line *line = hostnet.lines, *next; line; line = next) {
		next = line->next;
		if (line->halves[SIDE_HUB].end == &hub->end)
			net_end_leave(&hub->end, line);
	}
	net_end_fini(&hub->end);
	free(hub);
}
