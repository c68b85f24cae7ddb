/* The registry of transports. Refuses nothing: a library that is absent is a row without a table.
 */
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

static const struct transport_row rows[] = {
	{"tcp", "4.8", "raw TCP, a connection per member, frames of our own", "", &transport_tcp,
		false, false},
	{"unix", "4.8", "sockets of one machine, otherwise as tcp", "", &transport_unix, true,
		false},
	{"zeromq", "4.8",
		"ZeroMQ: PUB and SUB to the members, ROUTER and DEALER back; a send to all is one",
		"libzmq3-dev", ZEROMQ(transport_zeromq), false, false},
	{"zeromq-router", "4.8", "ZeroMQ: ROUTER and DEALER both ways, a send to each member",
		"libzmq3-dev", ZEROMQ(transport_zeromq_router), false, false},
	{"nng", "4.8", "nng: a PAIR socket for each member, REQ and REP to find it", "libnng-dev",
		NNG(transport_nng), false, false},
	{"ucx-tcp", "4.8", "UCX: streams over its TCP; this machine only", "libucx-dev",
		UCX(transport_ucx_tcp), false, false},
	{"ucx-shm", "4.8", "UCX: streams in shared memory of one machine", "libucx-dev",
		UCX(transport_ucx_shm), false, false},
	{"grpc", "4.8", "gRPC: a call for each member, on which both ends stream", "libgrpc-dev",
		GRPC(transport_grpc), false, true},
	{"mpi", "4.8", "Open MPI: worlds of one rank that meet at ports; this machine only",
		"libopenmpi-dev openmpi-bin", MPI(transport_mpi), false, false},
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
