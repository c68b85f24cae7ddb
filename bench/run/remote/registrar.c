/* Executors register here before a run, and a thread serves them during the run (registrar.h). */
#include "registrar.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "bench/results/version.h"
#include "bench/run/children.h"
#include "native/processes.h"
#include "registrar_private.h"
#include "transport/proof.h"
#include "transport/rows.h"
#include "world/world.h"

enum { SETTLE_MS = 2000 };

static pthread_t thread;

void executors_expect(const struct executors_request *request, const struct run_facts *facts,
	uint64_t scenario, uint32_t run)
{
	registrar.request = request;
	registrar.scenario = scenario;
	registrar.identity = facts->identity;
	registrar.run = run;
}

bool registrar_expects(void)
{
	return registrar.request != NULL;
}

const char *registrar_name(uint32_t host)
{
	return registrar.at[host].name;
}

int64_t registrar_cpu_ps(uint32_t host)
{
	return __atomic_load_n(&registrar.at[host].cpu_ns, __ATOMIC_RELAXED) * 1000;
}

void registrar_address(char *address, size_t size)
{
	const char *listen = registrar.request->listen;

	snprintf(address, size, "%.*s:0", (int)(strrchr(listen, ':') - listen), listen);
}

void registrar_send(uint32_t member, const struct enlist *message)
{
	struct span span = enlist_write(message);
	uint32_t who;

	/* ignore errors: an executor that does not read becomes silent, which is reported */
	(void)registrar.ops->hub_send(
		registrar.hub, member, span, world->now_ns() + 100000000, &who);
	span_release(span);
}

/* ---- registering ---- */

/* Copies a name. Another process has sent the name, and it will be printed, so unprintable
 * characters are replaced. */
static void copy_name(char *to, const char *name)
{
	snprintf(to, CHANNEL_NAME_BYTES, "%s", name);
	for (; *to; to++)
		if (*to < ' ' || *to > '~')
			*to = '?';
}

/* Returns the number of the host for which a new executor will work. If the executor must be
 * rejected, returns `registrar.hosts`, with the reason in `why`. */
static uint32_t find_host(const struct enlist *message, struct text *why)
{
	char own[ENLIST_TEXT_BYTES];
	uint32_t host = message->host;

	snprintf(own, sizeof own, "%s %s", version_number(), version_commit());
	if (message->number != ENLIST_PROTOCOL || strcmp(message->text, own) != 0) {
		text_printf(why, "it is meshsim %s, and the controller is meshsim %s",
			message->text, own);
		return registrar.hosts;
	}
	if (message->scenario != registrar.scenario) {
		text_append(why, "it has read another scenario, or other options (--set, --seed)");
		return registrar.hosts;
	}
	if (host != ENLIST_ANY_HOST && host >= registrar.hosts) {
		text_printf(why, "there is no host %u: the run has %u, from 0 on", host,
			registrar.hosts);
		return registrar.hosts;
	}
	if (host != ENLIST_ANY_HOST && registrar.at[host].taken) {
		text_printf(why, "host %u has an executor, %s", host, registrar.at[host].name);
		return registrar.hosts;
	}
	for (uint32_t i = 0; i < registrar.hosts && host == ENLIST_ANY_HOST; i++)
		if (!registrar.at[i].taken)
			host = i;
	if (host == ENLIST_ANY_HOST)
		text_printf(why, "all %u hosts have their executors", registrar.hosts);
	return host == ENLIST_ANY_HOST ? registrar.hosts : host;
}

/* True if the run is ending, and the executor wants to take part in the next run. */
static bool is_early(const struct enlist *message)
{
	for (uint32_t i = 0; i < registrar.hosts; i++)
		if (registrar.at[i].ended &&
			(message->host == i || message->host == ENLIST_ANY_HOST))
			return true;
	return false;
}

static void enlist_member(uint32_t member, const struct enlist *message)
{
	struct enlist answer = {.kind = ENLIST_REFUSED};
	char name[CHANNEL_NAME_BYTES];
	struct text why = {0};
	uint32_t host = find_host(message, &why);

	copy_name(name, registrar.ops->hub_member(registrar.hub, member));
	if (host == registrar.hosts) {
		children_say_now("refused the executor %s: %s", name, text_string(&why));
		snprintf(answer.text, sizeof answer.text, "%s", text_string(&why));
	} else {
		struct enlisted *enlisted = &registrar.at[host];

		*enlisted = (struct enlisted){.taken = true, .member = member};
		memcpy(enlisted->name, name, sizeof name);
		registrar.host_of[member] = (int32_t)host;
		answer = (struct enlist){.kind = ENLIST_ACCEPTED,
			.host = host,
			.run = registrar.run,
			.identity = registrar.identity,
			.session = registrar.session};
		memcpy(answer.nonce, registrar.nonce, sizeof answer.nonce);
	}
	registrar_send(member, &answer);
	text_fini(&why);
}

/* Drops a member of the hub that has left, or that has sent an invalid message. If the run has not
 * started yet, another executor may take its place. */
static void lose(uint32_t member)
{
	int32_t host = registrar.host_of[member];

	if (host < 0)
		return;
	registrar.host_of[member] = -1;
	if (registrar.client != NULL) {
		registrar_part(&registrar.at[host], false);
	} else {
		children_say_now(
			"the executor %s of host-%d has left", registrar.at[host].name, host);
		registrar.at[host] = (struct enlisted){.taken = false};
	}
}

static void hear(uint32_t member, struct span span)
{
	struct enlist message;
	int32_t host = registrar.host_of[member];
	bool good = enlist_read(span.extent->bytes + span.offset, span.length, &message);

	if (good && host < 0 && message.kind == ENLIST_REGISTER && is_early(&message))
		registrar.ops->hub_drop(registrar.hub, member);
	else if (good && host < 0 && message.kind == ENLIST_REGISTER)
		enlist_member(member, &message);
	else if (!good || host < 0 || !registrar_hear(&registrar.at[host], &message)) {
		children_say_now("an executor sent an unknown message, which is dropped");
		registrar.ops->hub_drop(registrar.hub, member);
		lose(member);
	}
}

void registrar_turn(void)
{
	uint32_t member = 0;
	struct span span;
	enum status status = registrar.ops->hub_accept(registrar.hub, 0, &member);

	if (status == STATUS_OK)
		registrar.host_of[member] = -1;
	status = registrar.ops->hub_receive(registrar.hub,
		world->now_ns() + INT64_C(1000000) * REGISTRAR_TURN_MS, &member, &span);
	if (status == STATUS_OK) {
		hear(member, span);
		span_release(span);
	} else if (status == STATUS_CLOSED) {
		lose(member);
	}
}

/* ---- before the run ---- */

static uint32_t count_missing(struct text *names)
{
	uint32_t missing = 0;

	for (uint32_t i = 0; i < registrar.hosts; i++)
		if (!registrar.at[i].taken)
			text_printf(names, "%shost-%u", missing++ ? ", " : "", i);
	return missing;
}

/* Sends pings to the executors that have registered. Some executors may register much later than
 * others, for example because they are in the queue of a batch system. Without pings, the first
 * ones would give up: they receive nothing for a long time. */
static void ping_early(void)
{
	const struct enlist ping = {.kind = ENLIST_PING, .sent_ns = world->now_ns()};
	const int64_t period_ns = INT64_C(1000000) * REGISTRAR_WAIT_PING_MS;

	for (uint32_t i = 0; i < registrar.hosts; i++) {
		struct enlisted *enlisted = &registrar.at[i];

		if (!enlisted->taken || enlisted->asked ||
			ping.sent_ns - enlisted->asked_ns < period_ns)
			continue;
		enlisted->asked = true;
		enlisted->asked_ns = ping.sent_ns;
		registrar_send(enlisted->member, &ping);
	}
}

/* Waits until every host has an executor. */
static enum status wait_for_all(struct text *why)
{
	int64_t deadline_ns = world->now_ns() + registrar.request->wait_s * INT64_C(1000000000);
	struct channel_counts counts;
	struct text names = {0};
	enum status status = STATUS_OK;

	while (status == STATUS_OK && count_missing(&names) > 0) {
		if (!registrar_commands_live(why))
			status = STATUS_CLOSED;
		else if (world->now_ns() >= deadline_ns)
			status = refuse(why, STATUS_TIMEOUT, "no executor of %s within %u s",
				text_string(&names), registrar.request->wait_s);
		else
			registrar_turn();
		ping_early();
		text_clear(&names);
	}
	registrar.ops->hub_counts(registrar.hub, &counts);
	if (status != STATUS_OK && counts.stranger[0])
		text_printf(why, "; %llu connections were refused, the last from %s",
			(unsigned long long)counts.refused, counts.stranger);
	text_fini(&names);
	return status;
}

static enum status check_outside(const struct transport_row *row, struct text *why)
{
	const char *listen = registrar.request->listen;
	const char *colon = strrchr(listen, ':');

	if (row->is_open || row->takes_path || row->of_one_machine)
		return refuse(why, STATUS_UNSUPPORTED,
			"runtime.distributed.transport: %s stays in one network of one machine, so "
			"executors that come from outside cannot use it: take tcp",
			row->entry.name);
	if (strncmp(listen, "0.0.0.0:", 8) == 0 || strncmp(listen, "[::]:", 5) == 0 || !colon)
		return refuse(why, STATUS_INVALID,
			"--listen %s: name the address at which executors reach this machine, as "
			"10.0.0.1:7000",
			listen);
	return STATUS_OK;
}

static enum status listen_for_all(struct text *why)
{
	const struct channel_settings settings = {.address = registrar.request->listen,
		.name = "controller",
		.session = REGISTRAR_SESSION,
		.key = registrar.key,
		.message_bytes_max = ENLIST_MESSAGE_BYTES_MAX,
		.window = REGISTRAR_WINDOW,
		.remote = true};
	struct text cause = {0};
	enum status status;

	registrar.ops = transport_find("tcp")->ops;
	status = registrar.ops->hub_open(&settings, &registrar.hub, &cause);
	if (status != STATUS_OK)
		text_printf(why, "--listen %s: %s", settings.address,
			cause.length ? text_string(&cause) : status_message(status));
	text_fini(&cause);
	return status == STATUS_IO ? STATUS_INVALID : status;
}

enum status registrar_open(
	const struct transport_row *row, struct client_ground *ground, struct text *why)
{
	enum status status = check_outside(row, why);
	const char *address;

	if (status == STATUS_OK)
		status = executors_token(registrar.request->token, &registrar.key, why);
	if (status == STATUS_OK)
		status = listen_for_all(why);
	if (status != STATUS_OK)
		return status == STATUS_IO ? STATUS_INVALID : status;
	registrar.hosts = ground->count;
	registrar.at = allocate(registrar.hosts, sizeof *registrar.at);
	registrar.session = processes_session();
	proof_random(registrar.nonce, sizeof registrar.nonce);
	ground->session = registrar.session;
	ground->key = proof_key_for(registrar.key, registrar.nonce);
	ground->remote = true;
	if (ground->key == NULL)
		return refuse(why, STATUS_NO_MEMORY, "no memory for the key of the run");
	address = registrar.ops->hub_address(registrar.hub);
	children_say_now("waits at %s for the executors of %u hosts, at most %u s", address,
		registrar.hosts, registrar.request->wait_s);
	status = registrar_start_commands(address, why);
	return status == STATUS_OK ? wait_for_all(why) : status;
}

void registrar_adopt(uint32_t host, struct registrar_ends ends)
{
	/* processes_watch_ask() stops reading after a while */
	const struct timeval patience = {.tv_usec = 100000};

	(void)setsockopt(ends.talk, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
	registrar.at[host].ends = ends;
}

/* ---- the thread ---- */

/* Returns true if it is time for the next ping of an executor. The first REGISTRAR_PINGS pings
 * follow each other without a pause: each is sent when the previous one was answered. Later pings
 * come every REGISTRAR_PING_MS ms, or at once while executors_settle() waits. */
static bool is_ping_due(const struct enlisted *enlisted, uint32_t wanted, int64_t now_ns)
{
	if (enlisted->asked)
		return false;
	return enlisted->pongs < REGISTRAR_PINGS || enlisted->settled != wanted ||
	       now_ns - enlisted->asked_ns >= INT64_C(1000000) * REGISTRAR_PING_MS;
}

/* Reads a message from the executor's socket `talk`, and sends it to the executor. This process has
 * written the message to the other end of the socket. */
static void forward_talk(struct enlisted *enlisted)
{
	struct enlist message = {.kind = ENLIST_START};

	if (recv(enlisted->ends.talk, message.text, PROCESS_ADDRESS_BYTES, MSG_DONTWAIT) <= 0)
		return;
	if (strcmp(message.text, "?") == 0)
		message = (struct enlist){.kind = ENLIST_LOOK};
	message.text[ENLIST_TEXT_BYTES - 1] = '\0';
	registrar_send(enlisted->member, &message);
}

static void serve_host(struct enlisted *enlisted, int64_t now_ns)
{
	uint32_t wanted = __atomic_load_n(&registrar.wanted, __ATOMIC_ACQUIRE);
	const struct enlist ping = {.kind = ENLIST_PING, .sent_ns = now_ns};
	char byte;

	if (enlisted->ended || enlisted->lost)
		return;
	if (recv(enlisted->ends.pulse, &byte, 1, MSG_DONTWAIT) == 1)
		enlisted->owes_pulse = true;
	if (enlisted->pongs >= REGISTRAR_PINGS)
		forward_talk(enlisted);
	if (!is_ping_due(enlisted, wanted, now_ns))
		return;
	enlisted->asked = true;
	enlisted->asked_ns = now_ns;
	enlisted->asked_for = wanted;
	registrar_send(enlisted->member, &ping);
}

static void *serve(void *unused)
{
	while (!__atomic_load_n(&registrar.stop, __ATOMIC_ACQUIRE)) {
		uint32_t settled = __atomic_load_n(&registrar.wanted, __ATOMIC_ACQUIRE);

		registrar_turn();
		for (uint32_t i = 0; i < registrar.hosts; i++) {
			struct enlisted *enlisted = &registrar.at[i];

			serve_host(enlisted, world->now_ns());
			if (!enlisted->ended && !enlisted->lost && enlisted->settled < settled)
				settled = enlisted->settled;
		}
		__atomic_store_n(&registrar.settled, settled, __ATOMIC_RELEASE);
	}
	return unused;
}

void registrar_start(struct client *client)
{
	registrar.client = client;
	if (pthread_create(&thread, NULL, serve, NULL) != 0)
		registrar.client = NULL;
}

void executors_settle(void)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	uint32_t wanted;

	if (registrar.client == NULL)
		return;
	wanted = __atomic_add_fetch(&registrar.wanted, 1, __ATOMIC_ACQ_REL);
	for (int i = 0; i < SETTLE_MS; i++) {
		if (__atomic_load_n(&registrar.settled, __ATOMIC_ACQUIRE) >= wanted)
			return;
		nanosleep(&moment, NULL);
	}
}

void registrar_close(void)
{
	if (registrar.request == NULL)
		return;
	__atomic_store_n(&registrar.stop, true, __ATOMIC_RELEASE);
	if (registrar.client != NULL)
		pthread_join(thread, NULL);
	registrar.client = NULL;
	if (registrar.hub != NULL)
		registrar.ops->hub_close(registrar.hub);
	registrar.hub = NULL;
	registrar_end_commands();
	proof_key_free(registrar.key);
	registrar.key = NULL;
}
