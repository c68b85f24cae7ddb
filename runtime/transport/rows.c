/* The table of transports. A library that is not built in has a row without operations. */
#include "transport/rows.h"

#include <string.h>

#include "rows_private.h"

#if HAVE_ZEROMQ
#define ZEROMQ(operations) &(operations)
#else
#define ZEROMQ(operations) NULL
#endif

#if HAVE_NNG
#define NNG(operations) &(operations)
#else
#define NNG(operations) NULL
#endif

#if HAVE_UCX
#define UCX(operations) &(operations)
#else
#define UCX(operations) NULL
#endif

#if HAVE_GRPC
#define GRPC(operations) &(operations)
#else
#define GRPC(operations) NULL
#endif

#if HAVE_MPI
#define MPI(operations) &(operations)
#else
#define MPI(operations) NULL
#endif

/* For libraries whose limits are those of channels. */
#define ANY_LIMITS                                                                                 \
	{                                                                                          \
		CHANNEL_WINDOW_MAX, CHANNEL_MESSAGE_BYTES_MAX                                      \
	}

static const struct transport_row rows[] = {
	{.name = "tcp",
		.section = "4.8",
		.description = "raw TCP, a connection per member, frames of our own",
		.package = "",
		.strangers = "both ends prove that they hold the key of the run",
		.ops = &transport_tcp,
		.limits = ANY_LIMITS},
	{.name = "unix",
		.section = "4.8",
		.description = "sockets of one machine, otherwise as tcp",
		.package = "",
		.strangers = "both ends prove that they hold the key of the run, in a folder of "
			     "this user, whom the kernel names",
		.ops = &transport_unix,
		.limits = ANY_LIMITS,
		.takes_path = true},
	{.name = "zeromq",
		.section = "4.8",
		.description =
			"ZeroMQ: PUB and SUB to the members, ROUTER and DEALER back; a send to all "
			"is one",
		.package = "libzmq3-dev",
		.strangers = "both ends prove that they hold the key of the run; and again before "
			     "what is published is heard",
		.ops = ZEROMQ(transport_zeromq),
		.limits = ANY_LIMITS},
	{.name = "zeromq-router",
		.section = "4.8",
		.description = "ZeroMQ: ROUTER and DEALER both ways, a send to each member",
		.package = "libzmq3-dev",
		.strangers = "both ends prove that they hold the key of the run",
		.ops = ZEROMQ(transport_zeromq_router),
		.limits = ANY_LIMITS},
	{.name = "nng",
		.section = "4.8",
		.description = "nng: a PAIR socket for each member, REQ and REP to find it",
		.package = "libnng-dev",
		.strangers = "both ends prove that they hold the key of the run",
		.ops = NNG(transport_nng),
		.limits = {NNG_QUEUE_MAX, CHANNEL_MESSAGE_BYTES_MAX}},
	{.name = "ucx-tcp",
		.section = "4.8",
		.description = "UCX: streams over its TCP; this machine only",
		.package = "libucx-dev",
		.strangers = "both ends prove that they hold the key of the run; and a network of "
			     "its own, since some bytes end UCX",
		.is_open = true,
		.ops = UCX(transport_ucx_tcp),
		.limits = ANY_LIMITS},
	{.name = "ucx-shm",
		.section = "4.8",
		.description = "UCX: streams in shared memory of one machine",
		.package = "libucx-dev",
		.strangers = "both ends prove that they hold the key of the run; and a network of "
			     "its own, since some bytes end UCX",
		.is_open = true,
		.ops = UCX(transport_ucx_shm),
		.limits = ANY_LIMITS},
	{.name = "grpc",
		.section = "4.8",
		.description = "gRPC: a call for each member, on which both ends stream",
		.package = "libgrpc-dev",
		.strangers = "both ends prove that they hold the key of the run",
		.ops = GRPC(transport_grpc),
		.limits = ANY_LIMITS,
		.sends_itself = true},
	{.name = "mpi",
		.section = "4.8",
		.description = "Open MPI: worlds of one rank that meet at ports; this machine only",
		.package = "libopenmpi-dev openmpi-bin",
		.strangers = "both ends prove that they hold the key of the run; and a network of "
			     "its own, since Open MPI listens to all",
		.is_open = true,
		.ops = MPI(transport_mpi),
		.limits = ANY_LIMITS,
		.looks = true},
};

const struct transport_row *transport_at(size_t index)
{
	return index < sizeof rows / sizeof rows[0] ? &rows[index] : NULL;
}

const struct transport_row *transport_find(const char *name)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}
