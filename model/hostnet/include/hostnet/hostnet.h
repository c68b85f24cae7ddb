/* The simulated transports of world/channel.h, over a network of hosts. Times are in integer
 * picoseconds. All libraries share the same code and differ only in their costs (constants.h). The
 * network must be opened after engine_open() and sim_world_start(). Only one thread or event runs
 * at a time, so no locks are needed.
 *
 * A send costs the calling thread send_message plus send_kib per KiB, and for each further member
 * peer_message plus peer_kib per KiB. The message leaves when the thread has spent this time. If
 * the library has its own thread (`threads`), the caller also pays hand_off and wakes this thread,
 * which then pays the costs thread_send_* and thread_peer_* of the send. At the receiver, the
 * library's thread pays thread_receive_* and hand_off before it wakes the receiving thread. If the
 * receiving thread had to wait, it pays wait_message when it is woken; a library's thread pays
 * thread_wait_message. A send to several members puts one copy per member on the wire.
 *
 * A message of n bytes takes W = n + header + frames x frame_overhead bytes on the wire, which are
 * sent in bursts. The connections of a NIC take turns, one burst each. Bursts to one host queue at
 * the switch in order of arrival. On an idle network, the last byte arrives 2 nic_latency +
 * switch_latency + W / bandwidth after the message has left. If both ends are on the same host, or
 * if all hosts are on one machine, it arrives after loopback_latency.
 *
 * The model leaves out connection setup, slow start, losses by congestion, and the load of copies
 * on the socket's memory. The cost of an interrupt is part of receive_message. */
#ifndef HOSTNET_HOSTNET_H
#define HOSTNET_HOSTNET_H

#include <stdbool.h>
#include <stdint.h>

#include "hostnet/constants.h"
#include "world/channel.h"

/* Connects the hosts 0..count-1 of the world by a network. If `simgrid` is set, the bandwidths and
 * latencies of NICs and switch are those of the links in SimGrid's loaded platform; otherwise they
 * are those in `constants`. Copies `constants`. */
void hostnet_open(const struct hostnet_constants *constants, uint16_t count, bool simgrid);

/* Frees the network; all ends must be closed. Call after sim_world_run(). */
void hostnet_close(void);

/* Returns the channel operations of a transport. An end is on the host of the thread that opens it.
 * An address is "HOST:PORT", where HOST is "127.0.0.1" or "server-K" (platform_server_name()); for
 * `unix`, it is a path. */
const struct channel_ops *hostnet_row(enum hostnet_transport transport);

/* The channel operations of the transport with that name; NULL if unknown. */
const struct channel_ops *hostnet_find(const char *name);

/* ---- faults; events and host threads may call these functions ---- */

/* Cuts a host off the network (`cut` is set), or connects it again. Data that are lost during the
 * cut are sent again at intervals of `retry`. If two ends cannot reach each other for `lost_after`,
 * each counts the other as lost. */
void hostnet_cut(uint16_t host, bool cut);

/* Simulates the death of the program on a host. Other hosts see their connections to this host
 * close after the last data that it sent have arrived. Ends on this host lose their connections at
 * once. If this host opens an end later, the end gets no connection: join() and hub_accept() return
 * CLOSED. The caller must still close all ends. */
void hostnet_kill(uint16_t host);

/* From now on, receiving threads of a host sleep for `each_ps` before each message; 0 ends that. */
void hostnet_slow(uint16_t host, int64_t each_ps);

enum hostnet_fault_kind { HOSTNET_CUT, HOSTNET_DEATH, HOSTNET_SLOW };

struct hostnet_fault {
	enum hostnet_fault_kind kind;
	uint16_t host;
	int64_t at_ps, for_ps; /* for_ps: duration of a cut, or sleep before each message */
};

/* Schedules a fault `at_ps` from now. Call once per simulation, before sim_world_run(). */
void hostnet_expect(const struct hostnet_fault *fault);

/* True if the scheduled fault has happened. */
bool hostnet_has_failed(void);

/* ---- statistics ---- */

struct hostnet_statistics {
	uint64_t sent, sent_bytes; /* messages and control messages; their bytes on the wire */
	uint64_t delivered, delivered_bytes; /* number of messages that arrived; bytes of these */
	uint64_t lost;			     /* number of bursts that were lost and sent again */
	int64_t up_busy_ps, down_busy_ps;
};

void hostnet_statistics(uint16_t host, struct hostnet_statistics *statistics);

/* Returns true if everything that was sent has been delivered. It may be false although all threads
 * have finished, because a last goodbye message may still be on its way. */
bool hostnet_is_quiet(void);

#endif
