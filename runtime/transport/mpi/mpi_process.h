/* This process's one place in MPI: a world with a single rank, and a name server if the process has
 * hubs. Private to the room. */
#ifndef TRANSPORT_MPI_PROCESS_H
#define TRANSPORT_MPI_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "mpi_api.h"

enum { MPI_SERVER_BYTES = 192 };

/* Starts what a hub needs: the name server, a child that ends with this process, and MPI.
 * Idempotent. UNSUPPORTED, with a sentence: the library or its server is not installed, or this
 * process was forked from one that has used them; IO. */
enum status mpi_process_host(struct text *why);

/* Starts what a member needs: MPI, with the name server at that address. UNSUPPORTED: as above, or
 * this process already uses another name server; IO. */
enum status mpi_process_join(const char *server, struct text *why);

/* The address of the name server, for members. */
const char *mpi_process_server(void);

/* A number that identifies this process among all others. */
uint64_t mpi_process_cookie(void);

/* A communicator of this process alone; MPI is initialized. */
MPI_Comm mpi_process_own(void);

/* The first of two consecutive tags not used before in this process. */
int mpi_process_tags(void);

#endif
