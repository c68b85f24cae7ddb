/* The implementation of channels over Open MPI, named `mpi`, without MPI's launcher. Every process
 * is an MPI world with a single rank. Each member connects once to a port of the hub. Open MPI's
 * own listeners accept connections from strangers. Therefore the library uses only the loopback
 * interface, and only processes of this machine may connect. */
#include "mpi_line.h"

const struct channel_ops transport_mpi = {
	.name = "mpi",
	.hub_open = mpi_hub_open,
	.hub_close = hub_close,
	.join = mpi_join,
	SHARED_OPERATIONS,
};
