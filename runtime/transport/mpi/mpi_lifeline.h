/* A lifeline is a socket beside an MPI connection. It carries the greeting, and the data that both
 * ends need to connect over MPI. MPI does not report that another process has died, but the
 * lifeline closes when that happens. Only for files of this folder. */
#ifndef TRANSPORT_MPI_LIFELINE_H
#define TRANSPORT_MPI_LIFELINE_H

#include <sys/socket.h>

#include "connection.h"
#include "mpi_line.h"
#include "mpi_process.h"

/* Parses the address in the settings (world/channel.h) into *address and *length. Returns OK;
 * INVALID if the address is bad; UNSUPPORTED if the library is not installed or if the settings let
 * other machines connect. Errors come with a sentence in `why`. */
enum status mpi_resolve(const struct channel_settings *settings, struct sockaddr_storage *address,
	socklen_t *length, struct text *why);

/* The payload of FRAME_WELCOME, which the hub sends to a member that has proved itself. The member
 * starts MPI with the name server given here. Then it sends a FRAME_MESSAGE with the cookie of its
 * own process. Unless hub and member are in one process, the hub answers with a FRAME_MESSAGE that
 * holds the port to connect to. */
struct mpi_invitation {
	uint64_t cookie; /* of the hub's process */
	int tag;	 /* for frames to the hub; tag + 1 for frames to the member */
	char server[MPI_SERVER_BYTES];
};

struct span mpi_invitation_write(const struct mpi_invitation *invitation);

/* Returns false if the payload is not an invitation. */
bool mpi_invitation_read(struct span payload, struct mpi_invitation *invitation);

/* Reads a printable text of less than `size` bytes. Returns false if the payload is not one. */
bool mpi_text_read(struct span payload, char *text, size_t size);

struct mpi_lifeline {
	struct connection connection;
	uint64_t ended_looks; /* number of polls (mpi->looks) when the other end was lost. Frames
			       * that it had sent may still arrive during some further polls */
	int64_t ended_ns;     /* 0: the other end is alive */
};

/* Sends a frame, as much as the socket accepts. Returns false if the connection is closed. */
bool mpi_lifeline_tell(struct mpi_lifeline *lifeline, enum frame_kind kind, struct span payload);

/* The other end is lost; frames that it sent over MPI may still arrive. */
void mpi_lifeline_lost(struct mpi_lifeline *lifeline, const struct mpi *mpi);

/* True if the other end is lost and all its frames have been received. */
bool mpi_lifeline_is_over(const struct mpi_lifeline *lifeline, const struct mpi *mpi);

#endif
