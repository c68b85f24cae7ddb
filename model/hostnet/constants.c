/* The tables of constants of the network between hosts, with their names, units and fields. The
 * reader of platform files uses them. */
#include "hostnet/constants.h"

#include "base/ensure.h"

#define OF(name, member, unit, ...)                                                                \
	CONSTANT_SPEC(struct hostnet_constants, "host_network." name, member, unit, __VA_ARGS__)

static const struct constant_spec network_specs[] = {
	OF("bandwidth_bytes_per_s", bandwidth_bytes_per_s, "B/s", "of a NIC, each way", .least = 1),
	OF("nic_latency_ps", nic_latency_ps, "ps",
		"from memory to the cable, and from there to memory: at both ends"),
	OF("switch_latency_ps", switch_latency_ps, "ps",
		"from the first bit that comes in to the first that goes out, with cables"),
	OF("loopback_latency_ps", loopback_latency_ps, "ps",
		"between two ends on one host, which is no network"),
	OF("retry_ps", retry_ps, "ps", "data lost while a host was cut off are sent again after",
		.least = 1),
	OF("frame_bytes", frame_bytes, "B", "largest payload of a frame", .least = 64,
		.most = 65536),
	OF("frame_overhead_bytes", frame_overhead_bytes, "B",
		"what a frame takes on the wire besides", .most = 65536),
	OF("burst_bytes", burst_bytes, "B",
		"what a NIC sends of one connection until another has its turn", .least = 64),
};

#define X(field, unit, ...)                                                                        \
	CONSTANT_SPEC(struct hostnet_constants, "transports." NAME "." #field,                     \
		transports[ROW].field, unit, __VA_ARGS__),

#define NAME "tcp"
#define ROW  HOSTNET_TCP
static const struct constant_spec tcp_specs[] = {
#include "hostnet/costs.def"
};
#undef NAME
#undef ROW
#define NAME "unix"
#define ROW  HOSTNET_UNIX
static const struct constant_spec unix_specs[] = {
#include "hostnet/costs.def"
};
#undef NAME
#undef ROW
#define NAME "zeromq"
#define ROW  HOSTNET_ZEROMQ
static const struct constant_spec zeromq_specs[] = {
#include "hostnet/costs.def"
};
#undef NAME
#undef ROW
#define NAME "zeromq-router"
#define ROW  HOSTNET_ZEROMQ_ROUTER
static const struct constant_spec zeromq_router_specs[] = {
#include "hostnet/costs.def"
};
#undef NAME
#undef ROW
#define NAME "nng"
#define ROW  HOSTNET_NNG
static const struct constant_spec nng_specs[] = {
#include "hostnet/costs.def"
};
#undef NAME
#undef ROW
#define NAME "ucx-tcp"
#define ROW  HOSTNET_UCX_TCP
static const struct constant_spec ucx_tcp_specs[] = {
#include "hostnet/costs.def"
};
#undef NAME
#undef ROW
#define NAME "ucx-shm"
#define ROW  HOSTNET_UCX_SHM
static const struct constant_spec ucx_shm_specs[] = {
#include "hostnet/costs.def"
};
#undef NAME
#undef ROW
#define NAME "grpc"
#define ROW  HOSTNET_GRPC
static const struct constant_spec grpc_specs[] = {
#include "hostnet/costs.def"
};
#undef NAME
#undef ROW
#define NAME "mpi"
#define ROW  HOSTNET_MPI
static const struct constant_spec mpi_specs[] = {
#include "hostnet/costs.def"
};
#undef NAME
#undef ROW
#define NAME "rdma"
#define ROW  HOSTNET_RDMA
static const struct constant_spec rdma_specs[] = {
#include "hostnet/costs.def"
};
#undef NAME
#undef ROW
#undef X

#define X(field, unit, what)                                                                       \
	CONSTANT_SPEC(struct hostnet_constants, "codecs." NAME "." #field, codecs[ROW].field,      \
		unit, what),

#define NAME "packed"
#define ROW  HOSTNET_PACKED
static const struct constant_spec packed_specs[] = {
#include "hostnet/coding.def"
};
#undef NAME
#undef ROW
#define NAME "flatbuffers"
#define ROW  HOSTNET_FLATBUFFERS
static const struct constant_spec flatbuffers_specs[] = {
#include "hostnet/coding.def"
};
#undef NAME
#undef ROW
#define NAME "protobuf"
#define ROW  HOSTNET_PROTOBUF
static const struct constant_spec protobuf_specs[] = {
#include "hostnet/coding.def"
};
#undef NAME
#undef ROW
#define NAME "msgpack"
#define ROW  HOSTNET_MSGPACK
static const struct constant_spec msgpack_specs[] = {
#include "hostnet/coding.def"
};
#undef NAME
#undef ROW
#undef X

static const char *const names[] = {
#define X(row, name, capabilities) [HOSTNET_##row] = name,
#include "hostnet/transports.def"
#undef X
};

void hostnet_constants_bind(const struct platform *platform, struct hostnet_constants *constants)
{
	ensure(platform_hosts(platform), "%s has no network between hosts",
		platform_name(platform));
	for (size_t i = 0; i < HOSTNET_TABLES; i++)
		platform_bind(platform, &hostnet_constant_tables[i], constants);
	constants->one_machine = platform_hosts(platform)->machines == PLATFORM_MACHINE_ONE;
}

const char *hostnet_transport_name(enum hostnet_transport transport)
{
	return names[transport];
}

static const struct {
	const char *name;
	uint32_t number;
} codecs[] = {
#define X(row, name, number) [HOSTNET_##row] = {name, number},
#include "hostnet/codecs.def"
#undef X
};

const char *hostnet_codec_name(enum hostnet_codec codec)
{
	return codecs[codec].name;
}

uint32_t hostnet_codec_number(enum hostnet_codec codec)
{
	return codecs[codec].number;
}

#define TABLE(specs_)                                                                              \
	{                                                                                          \
		.consumer = "host network", .specs = specs_,                                       \
		.count = sizeof(specs_) / sizeof((specs_)[0]), .of_hosts = true                    \
	}

const struct constant_table hostnet_constant_tables[HOSTNET_TABLES] = {
	[HOSTNET_TCP] = TABLE(tcp_specs),
	[HOSTNET_UNIX] = TABLE(unix_specs),
	[HOSTNET_ZEROMQ] = TABLE(zeromq_specs),
	[HOSTNET_ZEROMQ_ROUTER] = TABLE(zeromq_router_specs),
	[HOSTNET_NNG] = TABLE(nng_specs),
	[HOSTNET_UCX_TCP] = TABLE(ucx_tcp_specs),
	[HOSTNET_UCX_SHM] = TABLE(ucx_shm_specs),
	[HOSTNET_GRPC] = TABLE(grpc_specs),
	[HOSTNET_MPI] = TABLE(mpi_specs),
	[HOSTNET_RDMA] = TABLE(rdma_specs),
	[HOSTNET_TRANSPORT_COUNT] = TABLE(network_specs),
#define CODEC(row) [HOSTNET_TRANSPORT_COUNT + 1 + HOSTNET_##row]
	CODEC(PACKED) = TABLE(packed_specs),
	CODEC(FLATBUFFERS) = TABLE(flatbuffers_specs),
	CODEC(PROTOBUF) = TABLE(protobuf_specs),
	CODEC(MSGPACK) = TABLE(msgpack_specs),
#undef CODEC
};
