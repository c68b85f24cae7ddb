/* Constants of the network between hosts, of the libraries that send over it and of the codecs of
 * what is sent, open values that
 * the harness fills from a platform with `hosts:`. No figure stands in code. Fields are ps, bytes
 * and bytes per second. What a message takes by them stands in hostnet/hostnet.h. */
#ifndef HOSTNET_CONSTANTS_H
#define HOSTNET_CONSTANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/platform.h"

enum hostnet_transport {
#define X(row, name, capabilities) HOSTNET_##row,
#include "hostnet/transports.def"
#undef X
	HOSTNET_TRANSPORT_COUNT
};

/* `transports.NAME:` */
struct hostnet_costs {
#define X(field, unit, ...) int64_t field;
#include "hostnet/costs.def"
#undef X
};

enum hostnet_codec {
#define X(row, name, number) HOSTNET_##row,
#include "hostnet/codecs.def"
#undef X
	HOSTNET_CODEC_COUNT
};

/* `codecs.NAME:` */
struct hostnet_coding {
#define X(field, unit, what) int64_t field;
#include "hostnet/coding.def"
#undef X
};

struct hostnet_constants {
	/* `host_network:`, which knows no library */
	uint64_t bandwidth_bytes_per_s; /* of a NIC, each way; > 0 */
	int64_t nic_latency_ps;		/* memory to cable, and cable to memory: at both ends */
	int64_t switch_latency_ps;	/* first bit in to first bit out, with cables */
	int64_t loopback_latency_ps;	/* between two ends on one host, which is no network */
	int64_t retry_ps;		/* what was lost while cut is sent again after this */
	uint64_t frame_bytes;		/* largest payload of a frame; > 0 */
	uint64_t frame_overhead_bytes;	/* that a frame takes on the wire besides */
	bool one_machine;     /* all hosts are processes of one: there is loopback alone */
	uint64_t burst_bytes; /* of one connection, until another has its turn at a NIC; > 0 */
	struct hostnet_costs transports[HOSTNET_TRANSPORT_COUNT];
	struct hostnet_coding codecs[HOSTNET_CODEC_COUNT];
};

/* For platform_new() and platform_bind(): one of the network, and one per transport and codec.
 */
enum { HOSTNET_TABLES = HOSTNET_TRANSPORT_COUNT + 1 + HOSTNET_CODEC_COUNT };
extern const struct constant_table hostnet_constant_tables[HOSTNET_TABLES];

/* All of it; the platform must have hosts, and been read with the tables. */
void hostnet_constants_bind(const struct platform *platform, struct hostnet_constants *constants);

/* "tcp" */
const char *hostnet_transport_name(enum hostnet_transport transport);

/* "packed", and its number in wire/codec.h */
const char *hostnet_codec_name(enum hostnet_codec codec);
uint32_t hostnet_codec_number(enum hostnet_codec codec);

#endif
