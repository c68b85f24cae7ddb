/* The two ends over MPI. Private to the room. */
#ifndef TRANSPORT_MPI_ENDS_H
#define TRANSPORT_MPI_ENDS_H

#include "rows_private.h"

/* See hub_open() and join() in world/channel.h. */
enum status mpi_hub_open(
	const struct channel_settings *settings, struct hub **hub, struct text *why);
enum status mpi_join(const struct channel_settings *settings, int64_t deadline_ns,
	struct channel **channel, struct text *why);

#endif
