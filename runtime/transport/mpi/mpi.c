/* The row `mpi`: Open MPI without its launcher. Every process is a world of one rank. The hub and
 * each member connect once, at a port. Only this machine may connect, because Open MPI's own
 * listeners accept strangers. So the library is limited to the loopback interface. */
#include "mpi_line.h"

const struct channel_ops transport_mpi = {
	.name = "mpi",
	.hub_open = mpi_hub_open,
	.hub_close = hub_close,
	.join = mpi_join,
	SHARED_OPERATIONS,
};
