/* The functions of Open MPI, loaded when an end is first opened: the library starts an extra
 * process for each process that uses it. Works with Open MPI only, because its handles are
 * addresses of objects. Private to the room. */
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
	/* The objects behind MPI_COMM_SELF and so on in the library's header. */
	MPI_Comm self;
	MPI_Datatype byte;
	MPI_Errhandler errors_return;
	MPI_Info no_info;
	MPI_Request no_request;
};

/* NULL if the library is not installed. */
const struct mpi_api *mpi_api(void);

#endif
