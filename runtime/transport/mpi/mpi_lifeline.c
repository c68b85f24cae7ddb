/* Lifelines, see mpi_line.h. Accepts only printable texts. */
#include "mpi_line.h"

#include <string.h>

#include "stream.h"

/* After a lifeline has ended, MPI may still deliver frames that the dead process had sent. All
 * bytes of these frames are then in the buffers of this host's kernel, and each poll for messages
 * takes out some of them. So it is assumed that no more frames arrive after LOOKS_BEHIND further
 * polls and NS_BEHIND nanoseconds. */
enum { LOOKS_BEHIND = 200, NS_BEHIND = 2000000 };

enum status mpi_resolve(const struct channel_settings *settings, struct sockaddr_storage *address,
	socklen_t *length, struct text *why)
{
	enum status status =
		stream_resolve(settings->address, settings->remote, address, length, why);

	if (status != STATUS_OK || (mpi_api() && !settings->remote))
		return status;
	if (why)
		text_append(why, settings->remote ? "Open MPI listens to strangers, whom it does "
						    "not refuse: only this machine may connect"
						  : "Open MPI is not on this machine");
	return STATUS_UNSUPPORTED;
}

struct span mpi_invitation_write(const struct mpi_invitation *invitation)
{
	struct mpi_invitation clean = {.cookie = invitation->cookie, .tag = invitation->tag};

	memcpy(clean.server, invitation->server, strlen(invitation->server));
	return span_copy(&clean, sizeof clean);
}

bool mpi_invitation_read(struct span payload, struct mpi_invitation *invitation)
{
	if (payload.length != sizeof *invitation)
		return false;
	memcpy(invitation, payload.extent->bytes + payload.offset, sizeof *invitation);
	return memchr(invitation->server, '\0', sizeof invitation->server) && invitation->tag >= 0;
}

bool mpi_text_read(struct span payload, char *text, size_t size)
{
	if (payload.length == 0 || payload.length >= size)
		return false;
	memcpy(text, payload.extent->bytes + payload.offset, payload.length);
	text[payload.length] = '\0';
	for (uint32_t i = 0; i < payload.length; i++)
		if (text[i] <= ' ' || text[i] > '~')
			return false;
	return true;
}

bool mpi_lifeline_tell(struct mpi_lifeline *lifeline, enum frame_kind kind, struct span payload)
{
	connection_put(&lifeline->connection, kind, 0, payload);
	return connection_write(&lifeline->connection) != STATUS_CLOSED;
}

void mpi_lifeline_lost(struct mpi_lifeline *lifeline, const struct mpi *mpi)
{
	connection_end(&lifeline->connection);
	if (lifeline->ended_ns != 0)
		return;
	lifeline->ended_ns = world->now_ns();
	lifeline->ended_looks = mpi->looks;
}

bool mpi_lifeline_is_over(const struct mpi_lifeline *lifeline, const struct mpi *mpi)
{
	if (lifeline->ended_ns == 0)
		return false;
	return mpi->count == 0 || (mpi->looks >= lifeline->ended_looks + LOOKS_BEHIND &&
					  world->now_ns() >= lifeline->ended_ns + NS_BEHIND);
}
