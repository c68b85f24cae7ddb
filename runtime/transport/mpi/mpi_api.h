/* The functions of Open MPI, loaded when an end is first opened: it starts a process of its own for
 * each that uses it. Private to the room. Knows none but Open MPI, whose handles are addresses. */
#ifndef TRANSPORT_MPI_API_H
#define TRANSPORT_MPI_API_H

#include <mpi.h>

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
	/* What its header calls MPI_COMM_SELF and so on: objects of the library. */
	MPI_Comm self;
	MPI_Datatype byte;
	MPI_Errhandler errors_return;
	MPI_Info no_info;
	MPI_Request no_request;
};

/* NULL: the library is not on this machine. */
const struct mpi_api *mpi_api(void);

#endif
