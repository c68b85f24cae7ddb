/* The tables of the constants of the network between hosts: the name, unit and field of each
 * constant. The reader of platform files uses these tables. */
#include "hostnet/constants.h"

#include <stddef.h>

#include "base/ensure.h"

#define OF(name, member, unit, ...)                                                                \
	CONSTANT_SPEC(struct hostnet_constants, name, member, unit, __VA_ARGS__)

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

static const struct constant_spec transport_specs[] = {
#define X(field, unit, ...) CONSTANT_SPEC(struct hostnet_costs, #field, field, unit, __VA_ARGS__),
#include "hostnet/costs.def"
#undef X
};

static const struct constant_spec codec_specs[] = {
#define X(field, unit, what) CONSTANT_SPEC(struct hostnet_coding, #field, field, unit, what),
#include "hostnet/coding.def"
#undef X
};

static const char *const names[] = {
#define TRANSPORT(row, symbol, name, ...) [HOSTNET_##row] = name,
#include "world/transports.def"
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
#define CODEC(row, symbol, name, number, ...) [HOSTNET_##row] = {name, number},
#include "world/codecs.def"
};

const char *hostnet_codec_name(enum hostnet_codec codec)
{
	return codecs[codec].name;
}

uint32_t hostnet_codec_number(enum hostnet_codec codec)
{
	return codecs[codec].number;
}

#define TABLE(specs_, prefix_, offset_)                                                            \
	{                                                                                          \
		.consumer = "host network", .specs = specs_,                                       \
		.count = sizeof(specs_) / sizeof((specs_)[0]), .prefix = prefix_,                  \
		.offset = offset_, .of_hosts = true                                                \
	}
#define TRANSPORT(row, symbol, name, ...)                                                          \
	TABLE(transport_specs, "transports." name ".",                                             \
		offsetof(struct hostnet_constants, transports[HOSTNET_##row])),
#define CODEC(row, symbol, name, ...)                                                              \
	TABLE(codec_specs, "codecs." name ".",                                                     \
		offsetof(struct hostnet_constants, codecs[HOSTNET_##row])),

const struct constant_table hostnet_constant_tables[HOSTNET_TABLES] = {
#include "world/transports.def"
	TABLE(network_specs, "host_network.", 0),
#include "world/codecs.def"
};
