/* The row `mpi`: Open MPI without its launcher. Every process is a world of one rank; hub and
 * member meet at a port, once for each. Only this machine may connect: its own listeners know no
 * strangers, and it is told to keep to the loopback. Refuses nothing itself. */
#include "mpi_ends.h"

const struct channel_ops transport_mpi = {
	.name = "mpi",
	.hub_open = mpi_hub_open,
	.hub_close = hub_close,
	.join = mpi_join,
	SHARED_OPERATIONS,
};
