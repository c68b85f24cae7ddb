/* What MPI does for as long as it likes, whoever dies meanwhile: beginning, and meeting a rank of
 * another process. Each in a thread of its own. Private to the room. Knows no frames. */
#ifndef TRANSPORT_MPI_MEETING_H
#define TRANSPORT_MPI_MEETING_H

#include <stdbool.h>

#include "mpi_process.h"

struct mpi_meeting;

/* Begins this process's world, as mpi_process_join(); waits at a port for who comes; goes to one.
 * The last two in a process that has a world. */
struct mpi_meeting *mpi_meeting_begin(const char *server);
struct mpi_meeting *mpi_meeting_accept(void);
struct mpi_meeting *mpi_meeting_connect(const char *port);

/* The port of one that waits. */
const char *mpi_meeting_port(const struct mpi_meeting *meeting);

/* True: it is over, and *status says how: OK; UNSUPPORTED, as mpi_process_join(); IO. */
bool mpi_meeting_ended(const struct mpi_meeting *meeting, enum status *status);

/* Of one that has ended: the communicator in which the other one is rank 0; a sentence, or "". */
MPI_Comm mpi_meeting_comm(const struct mpi_meeting *meeting);
const char *mpi_meeting_why(const struct mpi_meeting *meeting);

/* Nobody asks for it any more: it ends by itself, or with the process. NULL is allowed. */
void mpi_meeting_leave(struct mpi_meeting *meeting);

#endif
