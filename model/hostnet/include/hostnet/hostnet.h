/* The simulated rows of world/channel.h: one file set for all libraries, from what each costs
 * (constants.h), over a network of hosts in integer picoseconds. Made after engine_open() and
 * sim_world_start(); one thread or event runs at a time, so nothing here is guarded.
 *
 * A send costs its thread send_message and send_kib for each KiB, each further member peer_message
 * and peer_kib; a message leaves when that is paid. With `threads` the caller pays hand_off besides
 * and wakes the library's thread of its end, which pays the same again at its own prices, and so
 * does the receiver's before whoever receives is woken. Who has waited pays wait_message when
 * woken, a library's thread thread_wait_message. A copy for each member leaves the NIC.
 *
 * A message of n bytes takes W = n + header + frames x frame_overhead bytes of the wire, in bursts;
 * connections take turns at a NIC by bursts, and whatever goes to a host takes turns there in order
 * of coming. Alone, its last byte is there 2 nic_latency + switch_latency + W / bandwidth after it
 * has left; on the same host, or with all hosts on one machine, after loopback_latency.
 *
 * Not modelled: setting up of connections, slow start and losses by congestion, interrupts of
 * their own (receive_message has them), copies as traffic of the socket's memory. */
#ifndef HOSTNET_HOSTNET_H
#define HOSTNET_HOSTNET_H

#include <stdbool.h>
#include <stdint.h>

#include "hostnet/constants.h"
#include "world/channel.h"

/* Joins the hosts 0..count-1 of the world. The rates of their NICs are those of SimGrid's links of
 * the loaded platform if `simgrid`, else those of the constants, which are copied. */
void hostnet_open(const struct hostnet_constants *constants, uint16_t count, bool simgrid);

/* Frees it; all ends must be closed. After sim_world_run(). */
void hostnet_close(void);

/* The row of channel.h. Its ends are on the host of the thread that opens them, "127.0.0.1" or
 * "server-K" (platform_server_name()) by address; a path for `unix`. */
const struct channel_ops *hostnet_row(enum hostnet_transport transport);

/* By name; NULL: there is none. */
const struct channel_ops *hostnet_find(const char *name);

/* ---- faults; from events and from host threads ---- */

/* Cuts a host off the network, or joins it again. What is lost meanwhile is sent again every
 * `retry`; ends between which there was no way for `lost_after` lose each other. */
void hostnet_cut(uint16_t host, bool cut);

/* The program on a host dies: its ends are lost to the others behind what had left it, and to its
 * own threads at once. They stay to be closed; those that it opens later are lost at once. */
void hostnet_kill(uint16_t host);

/* From now on whoever receives on a host sleeps for so long before each message; 0: no longer. */
void hostnet_slow(uint16_t host, int64_t each_ps);

enum hostnet_fault_kind { HOSTNET_CUT, HOSTNET_DEATH, HOSTNET_SLOW };

struct hostnet_fault {
	enum hostnet_fault_kind kind;
	uint16_t host;
	int64_t at_ps, for_ps; /* a cut's end is after so long; a slow host's sleep */
};

/* Has it happen then: to be called before sim_world_run(). One fault each simulation. */
void hostnet_expect(const struct hostnet_fault *fault);

/* Whether it has happened. */
bool hostnet_has_failed(void);

/* ---- what it counted ---- */

struct hostnet_statistics {
	uint64_t sent, sent_bytes;	     /* messages and control, bytes of the wire */
	uint64_t delivered, delivered_bytes; /* the same, when they are there */
	uint64_t lost;			     /* bursts that were, and sent again */
	int64_t up_busy_ps, down_busy_ps;
};

void hostnet_statistics(uint16_t host, struct hostnet_statistics *statistics);

/* Whether all that was sent is there: the last goodbye is one that nobody waits for. */
bool hostnet_is_quiet(void);

#endif
