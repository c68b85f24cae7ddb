/* This process's place in MPI, of which it has one: a world of ranks of its own, and a name server
 * if it has hubs. Private to the room. Knows no other process. */
#ifndef TRANSPORT_MPI_PROCESS_H
#define TRANSPORT_MPI_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "mpi_api.h"

enum { MPI_SERVER_BYTES = 192 };

/* Begins what a hub wants: the name server, a process that ends with this one, and the world.
 * Again: nothing happens. UNSUPPORTED with a sentence: the library or its server are not on this
 * machine, or this process was forked from one that has used them; IO. */
enum status mpi_process_host(struct text *why);

/* The same of what a member wants: a world that the server at that place knows. UNSUPPORTED: as
 * above, or this process has another one. */
enum status mpi_process_join(const char *server, struct text *why);

/* Where the name server listens, for members. */
const char *mpi_process_server(void);

/* Nobody else's, as long as the process. */
uint64_t mpi_process_cookie(void);

/* A communicator of this process alone, which has a world. */
MPI_Comm mpi_process_own(void);

/* The first of two tags that nobody uses in this process. */
int mpi_process_tags(void);

#endif
