/* Runs a hub and its members over one transport (exchange.h). */
#include "bench/tools/measure/exchange.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "bench/tools/measure/samples.h"
#include "transport/proof.h"
#include "world/native/native.h"

enum { ADDRESS_BYTES = 192, PATIENCE_S = 20 };

/* The head of a message; the other bytes are zeros. */
struct head {
	uint8_t kind;
	/* In a request: the time at which it was sent, or for how long members must pause. In an
	 * answer: how long the request took to arrive. */
	int64_t ns;
};

static int64_t in_time(void)
{
	return world->now_ns() + (int64_t)PATIENCE_S * 1000000000;
}

static struct channel_settings settings_at(
	const uint8_t *key, const char *address, const char *name)
{
	return (struct channel_settings){.address = address,
		.name = name,
		.session = 1,
		.key = key,
		.message_bytes_max = EXCHANGE_BYTES_MAX,
		.window = EXCHANGE_WINDOW};
}

/* ---- members ---- */

struct member {
	const struct channel_ops *ops;
	struct channel *channel;
	uint32_t number;
	struct span echo; /* answer of the last requested size */
};

/* Overwrites the head of `message` in place. Only one message is in flight at a time, so the
 * old head is no longer needed. */
static void put_head(struct span message, enum exchange_kind kind, int64_t ns)
{
	struct head head = {.kind = (uint8_t)kind, .ns = ns};

	memcpy(message.extent->bytes, &head, sizeof head);
}

static struct span echo_of(struct member *member, uint32_t bytes, int64_t one_way_ns)
{
	if (member->echo.length != bytes) {
		span_release(member->echo);
		member->echo = exchange_message(EXCHANGE_ECHO, bytes);
	}
	put_head(member->echo, EXCHANGE_ECHO, one_way_ns);
	return member->echo;
}

static enum status exchange_answer(struct member *member, struct span message)
{
	struct exchange_counts counts = {.member = member->number};
	enum status status = STATUS_OK;
	struct span reply;
	struct head head;

	(void)span_read(message, 0, sizeof head, &head);
	if (head.kind == EXCHANGE_ECHO)
		return member->ops->send(member->channel,
			echo_of(member, message.length, clock_now_ns() - head.ns), in_time());
	if (head.kind == EXCHANGE_HOLD)
		world->sleep_until(world->now_ns() + head.ns);
	if (head.kind == EXCHANGE_COUNT) {
		counts.thread_ns = clock_thread_ns();
		counts.process_ns = clock_process_ns();
		reply = span_copy(&counts, sizeof counts);
		status = member->ops->send(member->channel, reply, in_time());
		span_release(reply);
	}
	return status;
}

static void be_member(const struct exchange *exchange, const char *address, uint32_t number)
{
	const struct channel_ops *ops = exchange->ops;
	struct member member = {.ops = ops, .number = number};
	char name[CHANNEL_NAME_BYTES];
	struct channel_settings settings = settings_at(exchange->key, address, name);
	enum status status = STATUS_OK;

	snprintf(name, sizeof name, "member%u", number);
	ensure(ops->join(&settings, in_time(), &member.channel, NULL) == STATUS_OK,
		"%s: cannot join", ops->name);
	while (status == STATUS_OK) {
		struct span message;

		status = ops->receive(member.channel, DEADLINE_NEVER, &message);
		if (status != STATUS_OK)
			break;
		status = exchange_answer(&member, message);
		span_release(message);
	}
	span_release(member.echo);
	ops->close(member.channel);
}

/* ---- the hub ---- */

struct exchange exchange_start(
	const struct channel_ops *ops, uint32_t members, const int16_t *cores, uint32_t core_count)
{
	struct exchange exchange = {ops, NULL, members, {-1, -1}, proof_key_new()};

	ensure_memory(exchange.key, "a key");
	ensure(members <= EXCHANGE_MEMBERS_MAX && pipe(exchange.addresses) == 0, "no pipe");
	for (uint32_t i = 0; i < members; i++) {
		char address[ADDRESS_BYTES];
		pid_t parent = getpid(), child = fork();

		ensure(child >= 0, "cannot fork");
		if (child > 0)
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		close(exchange.addresses[1]);
		native_world_start(NULL);
		if (core_count > 0)
			world->bind(cores[i % core_count]);
		if (read(exchange.addresses[0], address, sizeof address) != sizeof address)
			_exit(1);
		be_member(&exchange, address, i);
		_exit(0);
	}
	return exchange;
}

void exchange_open(struct exchange *exchange)
{
	const struct channel_ops *ops = exchange->ops;
	char address[ADDRESS_BYTES] = "127.0.0.1:0";
	struct channel_settings settings = settings_at(exchange->key, address, "hub");
	uint32_t number;

	if (strcmp(ops->name, "unix") == 0)
		snprintf(address, sizeof address, "/tmp/meshsim-measure-%d", (int)getpid());
	ensure(ops->hub_open(&settings, &exchange->hub, NULL) == STATUS_OK, "%s: no hub",
		ops->name);
	snprintf(address, sizeof address, "%s", ops->hub_address(exchange->hub));
	for (uint32_t i = 0; i < exchange->members; i++)
		ensure(write(exchange->addresses[1], address, sizeof address) == sizeof address,
			"no pipe");
	for (uint32_t i = 0; i < exchange->members; i++)
		ensure(ops->hub_accept(exchange->hub, in_time(), &number) == STATUS_OK,
			"%s: no member joins", ops->name);
}

void exchange_close(struct exchange *exchange)
{
	exchange->ops->hub_close(exchange->hub);
	close(exchange->addresses[0]);
	close(exchange->addresses[1]);
	for (uint32_t i = 0; i < exchange->members; i++)
		wait(NULL);
	proof_key_free(exchange->key);
}

struct span exchange_message(enum exchange_kind kind, uint32_t bytes)
{
	struct extent *extent = extent_new(bytes);
	struct head head = {.kind = (uint8_t)kind};

	ensure(bytes >= sizeof head && bytes <= EXCHANGE_BYTES_MAX, "message of %u B", bytes);
	memset(extent->bytes, 0, bytes);
	memcpy(extent->bytes, &head, sizeof head);
	return span_of(extent);
}

void exchange_send(const struct exchange *exchange, struct span message)
{
	uint32_t who;

	if (message.extent->bytes[0] == EXCHANGE_ECHO)
		put_head(message, EXCHANGE_ECHO, clock_now_ns());
	ensure(exchange->ops->hub_send(exchange->hub, CHANNEL_ALL, message, in_time(), &who) ==
			STATUS_OK,
		"%s: cannot send", exchange->ops->name);
}

void exchange_hold(const struct exchange *exchange, int64_t held_ns)
{
	struct span message = exchange_message(EXCHANGE_HOLD, sizeof(struct exchange_counts));

	put_head(message, EXCHANGE_HOLD, held_ns);
	exchange_send(exchange, message);
	span_release(message);
}

static struct span hear_one(const struct exchange *exchange)
{
	struct span answer;
	uint32_t who;

	ensure(exchange->ops->hub_receive(exchange->hub, in_time(), &who, &answer) == STATUS_OK,
		"%s: no answer", exchange->ops->name);
	return answer;
}

int64_t exchange_hear(const struct exchange *exchange)
{
	int64_t latest_ns = 0;

	for (uint32_t i = 0; i < exchange->members; i++) {
		struct span answer = hear_one(exchange);
		struct head head;

		(void)span_read(answer, 0, sizeof head, &head);
		if (head.ns > latest_ns)
			latest_ns = head.ns;
		span_release(answer);
	}
	return latest_ns;
}

void exchange_count(const struct exchange *exchange, struct exchange_counts *counts)
{
	struct span message = exchange_message(EXCHANGE_COUNT, sizeof(struct exchange_counts));

	exchange_send(exchange, message);
	for (uint32_t i = 0; i < exchange->members; i++) {
		struct span heard = hear_one(exchange);
		struct exchange_counts one;

		(void)span_read(heard, 0, sizeof one, &one);
		ensure(one.member < exchange->members, "an answer of an unknown member");
		counts[one.member] = one;
		span_release(heard);
	}
	span_release(message);
}
