/* A line over nng: a PAIR socket that ever has one other end, and the frames on it. Private to the
 * room. Knows neither hubs nor members. What comes is heard in a thread of the library, with the
 * end's mutex held. */
#ifndef TRANSPORT_NNG_LINE_H
#define TRANSPORT_NNG_LINE_H

#include <nng/nng.h>
#include <stdatomic.h>

#include "end.h"
#include "rows_private.h"

enum {
	NNG_SPARE = 8, /* frames beside the messages of a window */
	NNG_URL_BYTES = 256,
};

struct nng_line;

/* A frame for which the library's queue has no room: it waits behind that queue. */
struct nng_spare {
	nng_aio *aio;
	atomic_bool busy;
};

struct nng_line {
	nng_socket socket;
	nng_aio *aio; /* hears */
	struct nng_spare spares[NNG_SPARE];
	_Atomic uint32_t pipe; /* the connection; 0: there was none yet */
	atomic_bool gone;      /* it ended */
	bool over;	       /* nobody wants to hear of it any more; with the mutex */
	bool refused;	       /* the last that was told is why */
	int64_t over_ns;
	struct end *end;
	uint64_t next_out;	 /* sequence */
	const uint64_t *session; /* of its frames: the owner's */
	void *owner;		 /* who hears */

	/* A message came: its header (NULL: it has none) and payload, with a reference. */
	void (*heard)(struct nng_line *line, const uint8_t *header, struct span payload);

	/* The connection ended, and all that came is heard. */
	void (*ended)(struct nng_line *line);
};

/* INVALID with a sentence: an address as world/channel.h says, or a window beyond the library's
 * queues. Else its URL. */
enum status nng_line_url(
	const struct channel_settings *settings, char url[NNG_URL_BYTES], struct text *why);

/* Options of any socket: nothing is cut off, and who is lost is lost. */
int nng_line_prepare(nng_socket socket, const struct channel_settings *settings);

/* A line that is not connected; `owner`, heard() and ended() are the caller's to set. NULL: the
 * library cannot. */
struct nng_line *nng_line_new(struct end *end);

/* Begins to hear: after it is set, before it is connected. */
void nng_line_start(struct nng_line *line);

/* With the mutex held: lets a frame leave. False: it cannot. */
bool nng_line_tell(
	struct nng_line *line, enum frame_kind kind, uint32_t credit, struct span payload);

/* With the mutex held: nobody hears it any more. Its connection ends, unless the other end was told
 * to end it: by FRAME_REFUSED, or by FRAME_BYE if `bye`. */
void nng_line_leave(struct nng_line *line, bool bye);

/* Without the mutex: ends and frees it. NULL is allowed. */
void nng_line_free(struct nng_line *line);

#endif
