/* MPI calls that may block forever if the other process dies: initializing MPI, and connecting to a
 * rank of another process. Each runs in a thread of its own. Private to the room. */
#ifndef TRANSPORT_MPI_MEETING_H
#define TRANSPORT_MPI_MEETING_H

#include <stdbool.h>

#include "mpi_process.h"

struct mpi_meeting;

/* Starts a meeting. begin() initializes MPI in this process, see mpi_process_join(); accept() waits
 * at a new port; connect() connects to a port. The last two need an initialized MPI. */
struct mpi_meeting *mpi_meeting_begin(const char *server);
struct mpi_meeting *mpi_meeting_accept(void);
struct mpi_meeting *mpi_meeting_connect(const char *port);

/* The port of a meeting made by mpi_meeting_accept(). */
const char *mpi_meeting_port(const struct mpi_meeting *meeting);

/* True if the meeting is over; *status is then OK, UNSUPPORTED (see mpi_process_join()) or IO. */
bool mpi_meeting_ended(const struct mpi_meeting *meeting, enum status *status);

/* Results of a meeting that is over: the communicator, in which the other process is rank 0; and a
 * sentence about a failure, or "". */
MPI_Comm mpi_meeting_comm(const struct mpi_meeting *meeting);
const char *mpi_meeting_why(const struct mpi_meeting *meeting);

/* Gives up the caller's reference. The meeting ends by itself or with the process. NULL is
 * allowed. */
void mpi_meeting_leave(struct mpi_meeting *meeting);

#endif
