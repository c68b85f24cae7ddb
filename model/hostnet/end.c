/* The code that hubs and members share: charges for messages, the library's thread, windows of
 * credits, parcels that have arrived, and lost peers. */
#include "hostnet_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "world/world.h"

/* Charges the two costs that a message has: a fixed cost, and a cost per KiB. For example,
 * CHARGE(costs, SEND, send, bytes) charges costs->send_message_ps as CHARGE_TRANSPORT_SEND, and
 * costs->send_kib_ps as CHARGE_TRANSPORT_SEND_KIB. */
#define CHARGE(costs, NAME, name, bytes)                                                           \
	charge((costs)->name##_message_ps, CHARGE_TRANSPORT_##NAME, (costs)->name##_kib_ps,        \
		CHARGE_TRANSPORT_##NAME##_KIB, bytes)

static void charge(
	int64_t message_ps, enum charge message, int64_t kib_ps, enum charge kib, uint64_t bytes)
{
	__int128 cost_ps = (__int128)kib_ps * (int64_t)bytes;

	host_thread_charge(message_ps, message);
	host_thread_charge((int64_t)((cost_ps + 1023) / 1024), kib);
}

/* Charges for handing a message to the library's thread, or for getting one from it. */
static void charge_hand_off(const struct end *end)
{
	if (end->thread)
		host_thread_charge(end->costs->hand_off_ps, CHARGE_TRANSPORT_HAND_OFF);
}

/* ---- arrived parcels ---- */

static void lose(struct line *line, enum side side, bool say)
{
	struct half *half = &line->halves[side];
	struct end *end = half->end;

	if (half->lost)
		return;
	half->lost = true;
	if (!end)
		return;
	if (say && side == SIDE_HUB && line->standing == STANDING_ACCEPTED) {
		struct parcel *word =
			net_parcel_new(line, SIDE_MEMBER, PARCEL_BYE, (struct span){0});

		CHAIN_APPEND(end->first, end->last, word, next);
	}
	net_end_wake(&end->sender);
	net_end_wake(&end->receiver);
}

void net_line_lose(struct line *line, enum side side)
{
	lose(line, side, !line->dropped);
}

static void end_take_in(struct end *end, struct parcel *parcel)
{
	struct line *line = parcel->line;
	struct half *half = &line->halves[end->side];

	if (parcel->kind == PARCEL_MESSAGE &&
		parcel->message.length <= end->settings.message_bytes_max) {
		parcel->cause = cause_now();
		CHAIN_APPEND(end->first, end->last, parcel, next);
		net_end_wake(&end->receiver);
		return;
	}
	if (parcel->kind == PARCEL_CREDIT) {
		half->under_way -= parcel->credit;
		if (!end->thread)
			end->credits++;
		net_end_wake(&end->sender);
	} else {
		end->counts.refused += parcel->kind == PARCEL_MESSAGE;
		net_line_lose(line, end->side);
	}
	net_parcel_free(parcel);
}

static void give_work(struct end *end, struct parcel *parcel)
{
	parcel->cause = cause_now();
	CHAIN_APPEND(end->work_first, end->work_last, parcel, next);
	net_end_wake(&end->idle);
}

/* Tells the member that the hub has answered. */
static void answer(struct line *line, struct end *member)
{
	line->answered = true;
	net_end_wake(&member->receiver);
}

void net_end_arrive(struct parcel *parcel)
{
	struct line *line = parcel->line;
	enum side side = parcel->from == SIDE_HUB ? SIDE_MEMBER : SIDE_HUB;
	struct end *end = line->halves[side].end;

	if (!end || line->halves[side].lost) {
		net_parcel_free(parcel);
		return;
	}
	switch (parcel->kind) {
	case PARCEL_HELLO:
		end->meet(end, line);
		net_parcel_free(parcel);
		break;
	case PARCEL_ANSWER:
		answer(line, end);
		net_parcel_free(parcel);
		break;
	default:
		if (end->thread)
			give_work(end, parcel);
		else
			end_take_in(end, parcel);
	}
}

/* Records that the calling thread continues because of this parcel. */
static void found(struct parcel *parcel)
{
	host_thread_found(parcel->cause);
	cause_release(parcel->cause);
	parcel->cause = CAUSE_NONE;
}

struct parcel *net_end_take(struct end *end)
{
	struct parcel *parcel = end->first;

	if (parcel)
		end->first = parcel->next;
	return parcel;
}

/* ---- sending ---- */

/* Sends a parcel whose costs are charged. Drops it if the peer is lost. */
static void end_leave(struct end *end, struct parcel *parcel)
{
	if (parcel->line->halves[end->side].lost)
		net_parcel_free(parcel);
	else
		net_transmit(parcel);
}

/* Charges the work of the library's thread on a message or credit, outgoing or incoming. */
static void pay(const struct end *end, const struct parcel *parcel)
{
	const struct hostnet_costs *costs = end->costs;
	uint64_t bytes = parcel->message.length;

	if (parcel->from != end->side) {
		CHARGE(costs, THREAD_RECEIVE, thread_receive, bytes);
		if (parcel->kind == PARCEL_MESSAGE)
			charge_hand_off(end);
	} else if (parcel->further) {
		CHARGE(costs, THREAD_PEER, thread_peer, bytes);
	} else {
		CHARGE(costs, THREAD_SEND, thread_send, bytes);
	}
}

/* Sends a parcel after the sender has paid its own cost. If the library has no thread, the parcel
 * leaves at once. If it has one, this thread normally does the rest of the work. But if
 * `sends_itself` is set, and the library holds no other message of the line, the caller does the
 * rest of the work, and then notifies the thread. */
static void put(struct end *end, struct parcel *parcel)
{
	struct half *half = &parcel->line->halves[end->side];
	struct parcel *done;

	if (!end->thread) {
		end_leave(end, parcel);
		return;
	}
	half->in_library++;
	if (!end->costs->sends_itself || half->in_library > 1) {
		give_work(end, parcel);
		return;
	}
	done = net_parcel_new(parcel->line, end->side, PARCEL_DONE, (struct span){0});
	pay(end, parcel);
	host_thread_settle();
	end_leave(end, parcel);
	give_work(end, done);
}

void net_end_send(struct end *end, struct line *const *lines, uint32_t count, struct span message)
{
	const struct hostnet_costs *costs = end->costs;
	uint64_t bytes = message.length;

	host_thread_charge(
		(int64_t)end->credits * costs->receive_message_ps, CHARGE_TRANSPORT_RECEIVE);
	end->credits = 0;
	end->sender.dozed = false;
	end->heard_ps = engine_now();
	end->counts.sent += count;
	end->counts.sent_bytes += count * bytes;
	for (uint32_t i = 0; i < count; i++) {
		lines[i]->halves[end->side].under_way++;
		net_line_hold(lines[i]);
	}
	for (uint32_t i = 0; i < count; i++) {
		struct parcel *parcel =
			net_parcel_new(lines[i], end->side, PARCEL_MESSAGE, message);

		parcel->further = i > 0;
		if (i == 0) {
			CHARGE(costs, SEND, send, bytes);
			charge_hand_off(end);
		} else {
			CHARGE(costs, PEER, peer, bytes);
		}
		host_thread_settle();
		put(end, parcel);
		net_line_release(lines[i]);
	}
	host_thread_settle();
}

struct span net_end_receive(struct end *end, struct parcel *parcel)
{
	const struct hostnet_costs *costs = end->costs;
	struct line *line = parcel->line;
	struct half *half = &line->halves[end->side];
	struct span message = parcel->message;
	struct parcel *credit = NULL;

	found(parcel);
	end->receiver.dozed = false;
	end->heard_ps = engine_now();
	if (hostnet.nics[end->host].slow_ps > 0)
		world->sleep_until(world->now_ns() + hostnet.nics[end->host].slow_ps / 1000);
	CHARGE(costs, RECEIVE, receive, message.length);
	end->counts.received++;
	end->counts.received_bytes += message.length;
	if (2 * ++half->owed >= end->settings.window && !half->lost) {
		credit = net_parcel_new(line, end->side, PARCEL_CREDIT, (struct span){0});
		credit->credit = half->owed;
		half->owed = 0;
		host_thread_charge(costs->send_message_ps, CHARGE_TRANSPORT_SEND);
		charge_hand_off(end);
	}
	span_hold(message);
	host_thread_settle();
	if (credit)
		put(end, credit);
	net_parcel_free(parcel);
	host_thread_settle();
	return message;
}

/* ---- the library's thread ---- */

static void end_carry(struct end *end, struct parcel *parcel)
{
	bool ours = parcel->from == end->side;

	found(parcel);
	if (parcel->kind == PARCEL_MESSAGE || parcel->kind == PARCEL_CREDIT) {
		end->idle.dozed = false;
		pay(end, parcel);
	}
	host_thread_settle();
	if (ours)
		parcel->line->halves[end->side].in_library--;
	if (parcel->kind == PARCEL_DONE)
		net_parcel_free(parcel);
	else if (ours)
		end_leave(end, parcel);
	else
		end_take_in(end, parcel);
}

static void serve(void *argument)
{
	struct end *end = argument;

	while (end->work_first || !end->stop) {
		struct parcel *parcel = end->work_first;

		if (!parcel) {
			host_thread_settle();
			if (!end->work_first && !end->stop)
				net_end_wait(end, &end->idle, DEADLINE_NEVER, "something to carry");
			continue;
		}
		end->work_first = parcel->next;
		end_carry(end, parcel);
	}
}

void net_end_start(struct end *end, const char *name)
{
	char text[48];

	if (!end->costs->threads)
		return;
	snprintf(text, sizeof text, "carries for %s", name);
	end->thread =
		world->spawn(text, (struct affinity){.host = end->host, .core = -1}, serve, end);
}

/* ---- opening and closing ---- */

enum status net_end_check(const struct channel_settings *settings, struct text *why)
{
	const char *wrong = NULL;

	if (settings->window == 0 || settings->window > CHANNEL_WINDOW_MAX)
		wrong = "window";
	else if (settings->message_bytes_max == 0 ||
		 settings->message_bytes_max > CHANNEL_MESSAGE_BYTES_MAX)
		wrong = "size of messages";
	if (wrong && why)
		text_printf(why, "the %s is out of bounds", wrong);
	return wrong ? STATUS_INVALID : STATUS_OK;
}

void net_end_init(struct end *end, enum side side, const struct hostnet_costs *costs,
	const struct channel_settings *settings)
{
	*end = (struct end){
		.host = host_thread_host(), .side = side, .costs = costs, .settings = *settings};
	ensure(end->host < hostnet.count, "host %u is not in the network", end->host);
	end->dead = hostnet.nics[end->host].dead;
	end->next = hostnet.ends;
	if (end->next)
		end->next->previous = end;
	hostnet.ends = end;
}

void net_end_stop(struct end *end)
{
	if (!end->thread)
		return;
	end->stop = true;
	net_end_wake(&end->idle);
	world->join(end->thread);
	end->thread = NULL;
}

void net_end_fini(struct end *end)
{
	for (struct parcel *parcel; (parcel = net_end_take(end));)
		net_parcel_free(parcel);
	if (end->previous)
		end->previous->next = end->next;
	else
		hostnet.ends = end->next;
	if (end->next)
		end->next->previous = end->previous;
}

void net_end_goodbye(struct end *end, struct line *line)
{
	if (!line->halves[end->side].lost)
		net_transmit(net_parcel_new(line, end->side, PARCEL_BYE, (struct span){0}));
}

void net_end_leave(struct end *end, struct line *line)
{
	net_end_goodbye(end, line);
	line->halves[end->side].end = NULL;
	net_line_release(line);
}

void net_end_kill(struct end *end)
{
	end->dead = true;
	for (struct line *line = hostnet.lines; line; line = line->next)
		if (line->halves[end->side].end == end) {
			net_end_goodbye(end, line);
			net_line_lose(line, end->side);
		}
	net_end_wake(&end->receiver);
}
