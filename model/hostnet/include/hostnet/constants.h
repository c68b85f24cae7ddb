/* Constants of the network between hosts, of its transport libraries, and of the codecs that encode
 * commands. The harness fills them from a platform with the key `hosts`, which has all the values.
 * Fields are in ps, bytes and bytes per second. hostnet/hostnet.h says how the cost of a message is
 * computed. */
#ifndef HOSTNET_CONSTANTS_H
#define HOSTNET_CONSTANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/platform.h"

enum hostnet_transport {
#define TRANSPORT(row, ...) HOSTNET_##row,
#include "world/transports.def"
	HOSTNET_TRANSPORT_COUNT
};

/* Costs of a library: `transports.NAME:` */
struct hostnet_costs {
#define X(field, unit, ...) int64_t field;
#include "hostnet/costs.def"
#undef X
};

enum hostnet_codec {
#define CODEC(row, ...) HOSTNET_##row,
#include "world/codecs.def"
	HOSTNET_CODEC_COUNT
};

/* Costs of a codec: `codecs.NAME:` */
struct hostnet_coding {
#define X(field, unit, what) int64_t field;
#include "hostnet/coding.def"
#undef X
};

struct hostnet_constants {
	/* `host_network:`; the values are the same for all libraries */
	uint64_t bandwidth_bytes_per_s; /* bandwidth of a NIC in each direction; greater than 0 */
	int64_t nic_latency_ps;		/* from memory to cable, or from cable to memory */
	/* from the first bit in to the first bit out; includes cables */
	int64_t switch_latency_ps;
	int64_t loopback_latency_ps;   /* between two ends on one host, without the network */
	int64_t retry_ps;	       /* while a host is cut off: time between two attempts to send
					* its data again */
	uint64_t frame_bytes;	       /* largest payload of a frame; greater than 0 */
	uint64_t frame_overhead_bytes; /* bytes of a frame on the wire besides its payload */
	bool one_machine;	       /* all hosts are processes of one machine: loopback only */
	uint64_t burst_bytes;	       /* largest number of bytes of one connection that a NIC sends
					* before the next connection has its turn; > 0 */
	struct hostnet_costs transports[HOSTNET_TRANSPORT_COUNT];
	struct hostnet_coding codecs[HOSTNET_CODEC_COUNT];
};

/* Tables for platform_new() and platform_bind(): one for each transport, one for the network, and
 * one for each codec. */
enum { HOSTNET_TABLES = HOSTNET_TRANSPORT_COUNT + 1 + HOSTNET_CODEC_COUNT };
extern const struct constant_table hostnet_constant_tables[HOSTNET_TABLES];

/* Fills `constants` from a platform, which must have hosts. The platform must have been read with
 * the tables above. */
void hostnet_constants_bind(const struct platform *platform, struct hostnet_constants *constants);

/* Name of a transport, such as "tcp". Static text. */
const char *hostnet_transport_name(enum hostnet_transport transport);

/* Name of a codec, such as "packed", and its number in wire/codec.h. */
const char *hostnet_codec_name(enum hostnet_codec codec);
uint32_t hostnet_codec_number(enum hostnet_codec codec);

#endif
