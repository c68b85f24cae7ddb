/* Starts MPI in this process, only once. The process is the only rank of its MPI world. If it has
 * hubs, it also has a name server. Only for files of this folder. */
#ifndef TRANSPORT_MPI_PROCESS_H
#define TRANSPORT_MPI_PROCESS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"

/* The functions of Open MPI. They are loaded when a hub or member is first opened, because the
 * library starts an extra process for each process that uses it. Other MPI libraries do not work
 * here: this code needs handles that are addresses of objects, as in Open MPI. */

#define MPI_FUNCTIONS(X)                                                                           \
	X(MPI_Init_thread)                                                                         \
	X(MPI_Comm_dup)                                                                            \
	X(MPI_Comm_set_errhandler)                                                                 \
	X(MPI_Open_port)                                                                           \
	X(MPI_Close_port)                                                                          \
	X(MPI_Comm_accept)                                                                         \
	X(MPI_Comm_connect)                                                                        \
	X(MPI_Irecv)                                                                               \
	X(MPI_Isend)                                                                               \
	X(MPI_Test)                                                                                \
	X(MPI_Testsome)                                                                            \
	X(MPI_Cancel)                                                                              \
	X(MPI_Get_count)

struct mpi_api {
#define X(function) __typeof__(function) *function;
	MPI_FUNCTIONS(X)
#undef X
	/* The objects of the library behind MPI_COMM_SELF and similar macros of its header. */
	MPI_Comm self;
	MPI_Datatype byte;
	MPI_Errhandler errors_return;
	MPI_Info no_info;
	MPI_Request no_request;
};

/* Returns NULL if the library is not installed. */
const struct mpi_api *mpi_api(void);

enum { MPI_SERVER_BYTES = 192 };

/* Starts MPI and the name server, which a hub needs. The name server is a child process that ends
 * with this process. Later calls have no effect. Returns OK, or an error with a sentence in `why`.
 * Returns UNSUPPORTED if the library or the program of the name server is not installed, or if this
 * process was forked from a process that has used the library. Returns IO if MPI or the name server
 * could not be started. */
enum status mpi_process_host(struct text *why);

/* Starts MPI for a member; the name server has the address `server`. Returns OK on success. Returns
 * UNSUPPORTED in the same cases as mpi_process_host(), and also if this process already uses
 * another name server. Returns IO if MPI could not be started. */
enum status mpi_process_join(const char *server, struct text *why);

/* Returns the address of the name server, for members. */
const char *mpi_process_server(void);

/* Returns a number that identifies this process among all processes. */
uint64_t mpi_process_cookie(void);

/* Returns a communicator that contains only this process. MPI must be initialized. */
MPI_Comm mpi_process_own(void);

/* Returns the first of two consecutive tags that were not used before in this process. */
int mpi_process_tags(void);

/* A meeting is an MPI call that may block for ever if the other process dies: initializing MPI, or
 * connecting to a rank of another process. Each meeting runs in a separate thread. */

struct mpi_meeting;

/* Start a meeting and return it. mpi_meeting_begin() initializes MPI in this process, see
 * mpi_process_join(). mpi_meeting_accept() opens a new port and waits for a connection.
 * mpi_meeting_connect() connects to a port. The last two functions require that MPI is
 * initialized. */
struct mpi_meeting *mpi_meeting_begin(const char *server);
struct mpi_meeting *mpi_meeting_accept(void);
struct mpi_meeting *mpi_meeting_connect(const char *port);

/* Returns the port of a meeting that mpi_meeting_accept() has started. */
const char *mpi_meeting_port(const struct mpi_meeting *meeting);

/* Returns true if the meeting is over. *status is then OK, UNSUPPORTED (see mpi_process_join()) or
 * IO. */
bool mpi_meeting_ended(const struct mpi_meeting *meeting, enum status *status);

/* Results of a meeting that is over. mpi_meeting_comm() returns the communicator, in which the
 * other process has rank 0. mpi_meeting_why() returns a sentence about the failure, or "" if there
 * was no failure. */
MPI_Comm mpi_meeting_comm(const struct mpi_meeting *meeting);
const char *mpi_meeting_why(const struct mpi_meeting *meeting);

/* Releases the caller's reference to a meeting. The meeting's thread ends by itself, or when the
 * process ends. `meeting` may be NULL. */
void mpi_meeting_leave(struct mpi_meeting *meeting);

#endif
