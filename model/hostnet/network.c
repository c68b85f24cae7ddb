/* The NICs, and the switch between them. The connections of a NIC take turns, one burst each.
 * Bursts to one host queue at the switch in order of arrival. Bursts that are lost while a host is
 * cut off are sent again. */
#include "hostnet_private.h"

#include "base/allocate.h"
#include "engine/server.h"

static uint64_t network_wire_bytes(const struct parcel *parcel)
{
	const struct hostnet_constants *constants = &hostnet.constants;
	const struct end *end = parcel->line->halves[parcel->from].end;
	uint64_t bytes = parcel->message.length + (uint64_t)end->costs->header_bytes;
	uint64_t frames = (bytes + constants->frame_bytes - 1) / constants->frame_bytes;

	return bytes + (frames > 0 ? frames : 1) * constants->frame_overhead_bytes;
}

static struct burst *burst_new(struct parcel *parcel, uint64_t bytes)
{
	struct burst *burst = hostnet.free_bursts;

	if (burst)
		hostnet.free_bursts = burst->next;
	else
		burst = allocate(1, sizeof *burst);
	*burst = (struct burst){
		.parcel = parcel, .bytes = bytes, .last = bytes == parcel->left_bytes};
	return burst;
}

static void burst_free(struct burst *burst)
{
	burst->next = hostnet.free_bursts;
	hostnet.free_bursts = burst;
}

static void network_delivered(void *subject, uint64_t host)
{
	struct parcel *parcel = subject;

	hostnet.nics[host].counted.delivered++;
	hostnet.nics[host].counted.delivered_bytes += parcel->wire_bytes;
	hostnet.arrive(parcel);
}

/* ---- from the switch to the receiver ---- */

static struct way *way_of(const struct burst *burst)
{
	return &burst->parcel->line->halves[burst->parcel->from].way;
}

static bool is_cut(const struct way *way)
{
	return hostnet.nics[way->from].cut || hostnet.nics[way->to].cut;
}

/* Sends a burst from the switch to the receiver, after the bursts that are queued for the same
 * host. Called when the first byte of the burst has reached the switch's port. */
static void pass_down(struct burst *burst)
{
	const struct way *way = way_of(burst);
	struct nic *nic = &hostnet.nics[way->to];
	int64_t takes_ps = server_transfer_ps(burst->bytes, nic->bandwidth_bytes_per_s);
	int64_t begins_ps = nic->down_free_ps > engine_now() ? nic->down_free_ps : engine_now();

	nic->down_free_ps = begins_ps + takes_ps;
	nic->counted.down_busy_ps += takes_ps;
	if (burst->last) {
		cause_charge(CHARGE_NETWORK_BANDWIDTH, takes_ps);
		cause_charge(CHARGE_NIC_LATENCY, hostnet.constants.nic_latency_ps);
		cause_rest(CHARGE_WAIT_NETWORK);
		engine_push(nic->down_free_ps + hostnet.constants.nic_latency_ps, network_delivered,
			burst->parcel, way->to);
	}
	burst_free(burst);
}

/* True if both ends are lost, so that no end awaits data any more. */
static bool is_over(const struct line *line)
{
	return line->halves[SIDE_HUB].lost && line->halves[SIDE_MEMBER].lost;
}

/* Retransmits lost bursts in order. Bursts that came later were queued behind them. */
static void try_again(void *subject, uint64_t unused)
{
	struct way *way = subject;
	struct line *line = way->line;

	(void)unused;
	if (is_cut(way) && !is_over(line)) {
		engine_push(engine_now() + hostnet.constants.retry_ps, try_again, way, 0);
		return;
	}
	while (way->held_first) {
		struct burst *burst = way->held_first;

		way->held_first = burst->next;
		pass_down(burst);
	}
	net_line_release(line);
}

static void at_switch(void *subject, uint64_t unused)
{
	struct burst *burst = subject;
	struct way *way = way_of(burst);

	(void)unused;
	if (!way->held_first && !is_cut(way)) {
		pass_down(burst);
		return;
	}
	hostnet.nics[way->from].counted.lost++;
	if (!way->held_first) {
		net_line_hold(way->line);
		engine_push(engine_now() + hostnet.constants.retry_ps, try_again, way, 0);
	}
	CHAIN_APPEND(way->held_first, way->held_last, burst, next);
}

/* ---- from the sender to the switch ---- */

static void send_next(struct nic *nic);

static void network_sent(void *subject, uint64_t unused)
{
	struct nic *nic = subject;

	struct way *way = nic->sending;

	(void)unused;
	nic->sending = NULL;
	if (way->first)
		CHAIN_APPEND(nic->first, nic->last, way, next);
	net_line_release(way->line);
	send_next(nic);
}

/* Schedules the arrival of a burst at the switch. Only the last burst of a parcel carries a cause,
 * because the parcel counts as arrived when this burst arrives. For this burst, charges the time
 * since the parcel was sent. The time in which the NIC sent earlier bursts of the parcel (sent_ps)
 * is charged to the bandwidth, and the latencies of NIC and switch to their constants. The rest is
 * a wait for other connections. */
static void push_to_switch(struct burst *burst)
{
	const struct hostnet_constants *constants = &hostnet.constants;
	struct parcel *parcel = burst->parcel;
	int64_t latency_ps = constants->nic_latency_ps + constants->switch_latency_ps;
	cause_id before;

	if (!burst->last) {
		engine_push_alone(engine_now() + latency_ps, at_switch, burst, 0);
		return;
	}
	before = cause_enter(parcel->cause);
	cause_clear();
	cause_charge(CHARGE_NETWORK_BANDWIDTH, parcel->sent_ps);
	cause_charge(CHARGE_NIC_LATENCY, constants->nic_latency_ps);
	cause_charge(CHARGE_SWITCH_LATENCY, constants->switch_latency_ps);
	cause_rest(CHARGE_WAIT_NETWORK);
	engine_push(engine_now() + latency_ps, at_switch, burst, 0);
	cause_release(cause_enter(before));
	parcel->cause = CAUSE_NONE;
}

/* Sends the next burst of the connection that is first in the NIC's list. When this burst has left,
 * the connection is moved to the end of the list. */
static void send_next(struct nic *nic)
{
	const struct hostnet_constants *constants = &hostnet.constants;
	struct way *way = nic->first;
	struct parcel *parcel;
	struct burst *burst;
	int64_t takes_ps;

	if (nic->sending || !way)
		return;
	parcel = way->first;
	burst = burst_new(parcel, parcel->left_bytes < constants->burst_bytes
					  ? parcel->left_bytes
					  : constants->burst_bytes);
	takes_ps = server_transfer_ps(burst->bytes, nic->bandwidth_bytes_per_s);
	parcel->left_bytes -= burst->bytes;
	if (burst->last)
		way->first = parcel->next;
	nic->first = way->next;
	nic->sending = way;
	net_line_hold(way->line);
	nic->counted.up_busy_ps += takes_ps;
	engine_push_alone(engine_now() + takes_ps, network_sent, nic, 0);
	push_to_switch(burst);
	parcel->sent_ps += takes_ps;
}

void net_transmit(struct parcel *parcel)
{
	struct way *way = &parcel->line->halves[parcel->from].way;
	struct nic *nic = &hostnet.nics[way->from];
	bool waits = way->first != NULL || nic->sending == way;

	parcel->wire_bytes = parcel->left_bytes = network_wire_bytes(parcel);
	nic->counted.sent++;
	nic->counted.sent_bytes += parcel->wire_bytes;
	if (hostnet.constants.one_machine && hostnet.constants.loopback_latency_ps == 0) {
		network_delivered(parcel, way->to);
		return;
	}
	if (way->from == way->to || hostnet.constants.one_machine) {
		cause_rest(CHARGE_LOOPBACK_LATENCY);
		engine_push(engine_now() + hostnet.constants.loopback_latency_ps, network_delivered,
			parcel, way->to);
		return;
	}
	parcel->cause = cause_now();
	CHAIN_APPEND(way->first, way->last, parcel, next);
	if (!waits)
		CHAIN_APPEND(nic->first, nic->last, way, next);
	send_next(nic);
}
