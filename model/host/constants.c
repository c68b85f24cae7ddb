/* Names, units and fields of the host's constants, for the reader of platform files. */
#include "host/constants.h"

#define OF(name, member, unit, ...)                                                                \
	CONSTANT_SPEC(struct host_constants, name, member, unit, __VA_ARGS__)

#define NOISE(path, member)                                                                        \
	OF(path ".variation", member.variation, "ratio",                                           \
		"standard deviation of one unit over its mean", .most = 1),                        \
		OF(path ".tail_probability", member.tail_probability, "ratio",                     \
			"chance of a rare extra, per unit", .most = 1),                            \
		OF(path ".tail_ps", member.tail_ps, "ps", "mean size of the rare extra")

#define COPY(from, to)                                                                             \
	OF("host.copy." #from "." #to ".bandwidth_bytes_per_s",                                    \
		copy[MEMORY_##from][MEMORY_##to].bandwidth_bytes_per_s, "B/s",                     \
		"copying, by one core alone", .least = 1),                                         \
		OF("host.copy." #from "." #to ".traffic",                                          \
			copy[MEMORY_##from][MEMORY_##to].traffic_percent, "percent",               \
			"memory traffic per byte copied", .most = 1000)

#define COPIES(from)                                                                               \
	COPY(from, CACHED), COPY(from, UNCACHED_SOURCE), COPY(from, PINNED),                       \
		COPY(from, WRITE_COMBINING)

static const struct constant_spec specs[] = {
	OF("host.sockets", sockets, "count", "sockets of a server", .least = 1, .most = 16),
	OF("host.cores_per_socket", cores_per_socket, "count", "cores of a socket", .least = 1,
		.most = 1024),
	OF("host.memory_bandwidth_bytes_per_s", memory_bandwidth_bytes_per_s, "B/s",
		"of a socket, shared by the copies on its cores", .least = 1),
	OF("host.cache_bytes", cache_bytes, "B",
		"users' data of more bytes come from memory and go there"),
#define X(field, least_, what) OF("host." #field, field, "ps", what, .least = least_),
#include "host/constants.def"
#undef X
#define X(name, unit)                                                                              \
	OF("host.work." #name ".cost_ps", work[WORK_##name].cost_ps, "ps", unit),                  \
		NOISE("host.work." #name, work[WORK_##name].noise),
#include "world/work.def"
#undef X
	COPIES(CACHED),
	COPIES(UNCACHED_SOURCE),
	COPIES(PINNED),
	COPIES(WRITE_COMBINING),
	NOISE("host.copy_noise", copy_noise),
	NOISE("host.wake_noise", wake_noise),
};

const struct constant_table host_constant_table = {
	.consumer = "host",
	.specs = specs,
	.count = sizeof(specs) / sizeof(specs[0]),
};
