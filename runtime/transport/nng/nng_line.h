/* A line over nng transports frames on a PAIR socket that connects to only one other end. The
 * callbacks of a line run in a thread of the library, with the end's mutex held. Only for files of
 * this folder. */
#ifndef TRANSPORT_NNG_LINE_H
#define TRANSPORT_NNG_LINE_H

#include <nng/nng.h>
#include <stdatomic.h>

#include "end.h"
#include "rows_private.h"

enum {
	/* maximum number of frames in flight, in addition to the messages of a window */
	NNG_SPARE = 8,
	NNG_URL_BYTES = 256,
};

struct nng_line;

/* A frame that waits because the library's queue is full. */
struct nng_spare {
	nng_aio *aio;
	atomic_bool busy;
};

struct nng_line {
	nng_socket socket;
	nng_aio *aio; /* the operation that receives */
	struct nng_spare spares[NNG_SPARE];
	_Atomic uint32_t pipe; /* id of the connection; 0: there is none yet */
	atomic_bool gone;      /* the connection has ended */
	bool over;	       /* this end has left the line, so the line makes no more callbacks;
				* protected by the mutex */
	bool refused;	       /* the last frame that was sent was FRAME_REFUSED */
	int64_t over_ns;
	struct end *end;
	uint64_t next_out;	 /* next sequence number */
	const uint64_t *session; /* session number of the owner, for the line's frames */
	void *owner;		 /* the party (at the hub) or the channel (at a member) */

	/* Called when a message has arrived, with the message's header and payload. The header is
	 * NULL if the message is shorter than a header. The callee must release the payload. */
	void (*heard)(struct nng_line *line, const uint8_t *header, struct span payload);

	/* Called when the connection has ended. All messages that arrived before have been
	 * delivered. */
	void (*ended)(struct nng_line *line);
};

/* Writes the library's URL for the address in the settings to `url`. Returns OK. Returns INVALID,
 * with a sentence in `why`, if the address is invalid (see world/channel.h) or if the window is
 * larger than the library's queues. */
enum status nng_line_url(
	const struct channel_settings *settings, char url[NNG_URL_BYTES], struct text *why);

/* Sets the options that every socket needs: the largest size of a message, and that nng does not
 * reconnect. Returns 0, or an error of nng. */
int nng_line_prepare(nng_socket socket, const struct channel_settings *settings);

/* Returns a new line that is not connected. The caller sets `owner`, `session`, heard() and
 * ended(). Returns NULL if the library failed. */
struct nng_line *nng_line_new(struct end *end);

/* Starts receiving, after the callbacks are set and before the line is connected. */
void nng_line_start(struct nng_line *line);

/* Sends a frame, with the mutex held. Returns false if the library failed. */
bool nng_line_tell(
	struct nng_line *line, enum frame_kind kind, uint32_t credit, struct span payload);

/* Ends a line; afterwards, its callbacks are not called. The caller must hold the mutex. The caller
 * sets `bye` if it has sent FRAME_BYE on the line. The other end closes the connection after
 * FRAME_BYE or FRAME_REFUSED. If neither was sent, this function closes it. */
void nng_line_leave(struct nng_line *line, bool bye);

/* Closes and frees a line. Must be called without the mutex. NULL is allowed. */
void nng_line_free(struct nng_line *line);

/* Hub and member over nng, for the table of transports. */

/* See the operations of the same names in world/channel.h. */
enum status nng_hub_open(
	const struct channel_settings *settings, struct hub **hub, struct text *why);
enum status nng_hub_accept(struct hub *hub, int64_t deadline_ns, uint32_t *member);
enum status nng_hub_receive(
	struct hub *hub, int64_t deadline_ns, uint32_t *member, struct span *message);
enum status nng_join(const struct channel_settings *settings, int64_t deadline_ns,
	struct channel **channel, struct text *why);

/* Loads the library. Must be called before any function of the library; further calls have no
 * effect. Returns OK. Returns UNSUPPORTED, with a sentence in `why`, if the library is not
 * installed on this machine. */
enum status nng_library(struct text *why);

#endif
