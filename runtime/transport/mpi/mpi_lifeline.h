/* A lifeline is a socket beside an MPI connection. It transports the greeting, and the data that
 * both ends need to connect over MPI. MPI does not report that another process has died, but the
 * lifeline is closed when the process dies. Only for files of this folder. */
#ifndef TRANSPORT_MPI_LIFELINE_H
#define TRANSPORT_MPI_LIFELINE_H

#include <sys/socket.h>

#include "connection.h"
#include "mpi_line.h"
#include "mpi_process.h"

/* Parses the address in the settings (world/channel.h) into *address and *length. Returns OK.
 * Otherwise writes a sentence to `why`, and returns INVALID if the address is invalid, or
 * UNSUPPORTED if the library is not installed or if the settings let other machines connect. */
enum status mpi_resolve(const struct channel_settings *settings, struct sockaddr_storage *address,
	socklen_t *length, struct text *why);

/* The payload of FRAME_WELCOME, which the hub sends to a member that has proved that it has the
 * key. The member starts MPI with the name server in this payload. Then it sends a FRAME_MESSAGE
 * with the cookie of its own process. The hub answers with a FRAME_MESSAGE that contains the port
 * to which the member must connect. If hub and member are in one process, the hub does not
 * answer. */
struct mpi_invitation {
	uint64_t cookie; /* cookie of the hub's process */
	int tag;	 /* tag of frames to the hub; frames to the member have tag + 1 */
	char server[MPI_SERVER_BYTES];
};

struct span mpi_invitation_write(const struct mpi_invitation *invitation);

/* Returns false if the payload is not an invitation. */
bool mpi_invitation_read(struct span payload, struct mpi_invitation *invitation);

/* Reads a printable text of less than `size` bytes from the payload. Returns false if the payload
 * is not a text of this kind. */
bool mpi_text_read(struct span payload, char *text, size_t size);

struct mpi_lifeline {
	struct connection connection;
	/* value of mpi->looks, the number of polls, when the lifeline ended; frames that the other
	 * end had sent may still arrive during some further polls */
	uint64_t ended_looks;
	int64_t ended_ns; /* 0: the other end is alive */
};

/* Sends as much of a frame as the socket accepts. Returns false if the connection is closed. */
bool mpi_lifeline_tell(struct mpi_lifeline *lifeline, enum frame_kind kind, struct span payload);

/* Records that the other end is lost. Frames that it has sent over MPI may still arrive. */
void mpi_lifeline_lost(struct mpi_lifeline *lifeline, const struct mpi *mpi);

/* Returns true if the other end is lost and all its frames have been received. */
bool mpi_lifeline_is_over(const struct mpi_lifeline *lifeline, const struct mpi *mpi);

#endif
