/* A line over gRPC: one call that both ends stream frames on, a message each. Private to the room.
 * Knows neither hubs nor members. */
#ifndef TRANSPORT_GRPC_LINE_H
#define TRANSPORT_GRPC_LINE_H

#include "grpc_queue.h"

/* What a call is called. */
#define GRPC_LINE_METHOD "/meshsim/frames"

struct grpc_leaving;

struct grpc_line {
	struct grpc_queue *queue;
	grpc_call *call;
	bool serves;	/* the hub's side of the call */
	uint32_t asked; /* batches that the library has and that are not over */
	bool over;	/* nobody wants to hear of it any more */
	bool stopped;	/* the library is asked for nothing more */

	struct grpc_task sent, received, closed;
	struct grpc_leaving *first, *last; /* the first is the library's while `sends` */
	bool sends, has_begun;		   /* metadata went ahead of the first */
	uint64_t next_out;		   /* sequence */
	grpc_byte_buffer *incoming;
	grpc_metadata_array initial, trailing;
	grpc_status_code code;
	grpc_slice details;
	int cancelled;

	const uint64_t *session; /* of its frames: the owner's */
	void *owner;		 /* who hears */

	/* A message came: its header (NULL: it has none) and payload, with a reference. */
	void (*heard)(struct grpc_line *line, const uint8_t *header, struct span payload);

	/* The call ended, and all that came is heard. */
	void (*ended)(struct grpc_line *line);
};

/* All with the end's mutex held, but for free. */

/* The line of a call, which it takes over; `owner`, heard() and ended() are the caller's to set
 * before it is started. */
struct grpc_line *grpc_line_new(struct grpc_queue *queue, grpc_call *call, bool serves);

/* Begins to hear. */
void grpc_line_start(struct grpc_line *line);

/* Lets a frame leave. False: it cannot. */
bool grpc_line_tell(
	struct grpc_line *line, enum frame_kind kind, uint32_t credit, struct span payload);

/* Nobody hears it any more. The hub's side ends the call with the code behind what was told, a
 * member's at once. Again: nothing happens. */
void grpc_line_leave(struct grpc_line *line, grpc_status_code code);

/* Ends the call now; the library is asked for nothing more. */
void grpc_line_stop(struct grpc_line *line);

/* When nothing is asked of the library any more. NULL is allowed. */
void grpc_line_free(struct grpc_line *line);

#endif
