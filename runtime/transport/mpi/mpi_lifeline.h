/* The socket beside a line over MPI: greetings, what both ends have to know to meet, and its end,
 * which says that the other end is gone; MPI says that to nobody. Private to the room. Knows
 * neither hubs nor members. */
#ifndef TRANSPORT_MPI_LIFELINE_H
#define TRANSPORT_MPI_LIFELINE_H

#include <sys/socket.h>

#include "connection.h"
#include "mpi_line.h"
#include "mpi_process.h"

/* Its address, as world/channel.h says; UNSUPPORTED with a sentence: the library is not on this
 * machine, or other machines may connect. */
enum status mpi_resolve(const struct channel_settings *settings, struct sockaddr_storage *address,
	socklen_t *length, struct text *why);

/* What a hub says to who has greeted, as FRAME_WELCOME: begin as these say, then tell that you are
 * there by a FRAME_MESSAGE of your cookie. FRAME_MESSAGE of the port follows, unless both are one
 * process. */
struct mpi_invitation {
	uint64_t cookie; /* of the hub's process */
	int tag;	 /* to the hub; the next one to the member */
	char server[MPI_SERVER_BYTES];
};

struct span mpi_invitation_write(const struct mpi_invitation *invitation);

/* False: it is none. */
bool mpi_invitation_read(struct span payload, struct mpi_invitation *invitation);

/* A text of less than `size` bytes. False: it is none. */
bool mpi_text_read(struct span payload, char *text, size_t size);

struct mpi_lifeline {
	struct connection connection;
	uint64_t ended_looks; /* when the other end was gone: what it had said is looked for */
	int64_t ended_ns;     /* 0: it is there */
};

/* Says it, as much as leaves. False: nobody is there. */
bool mpi_lifeline_tell(struct mpi_lifeline *lifeline, enum frame_kind kind, struct span payload);

/* The other end is gone: what it had said is still to be heard. */
void mpi_lifeline_lost(struct mpi_lifeline *lifeline, const struct mpi *mpi);

/* It is gone, and all that it had said was heard. */
bool mpi_lifeline_is_over(const struct mpi_lifeline *lifeline, const struct mpi *mpi);

#endif
