/* Frames: how messages stand on a stream of bytes. A header of FRAME_HEADER_BYTES, little endian,
 * then `length` bytes. Knows no socket; refuses every header that is not exactly as it writes one.
 */
#ifndef TRANSPORT_FRAME_H
#define TRANSPORT_FRAME_H

#include <stddef.h>
#include <stdint.h>

enum { FRAME_VERSION = 2, FRAME_HEADER_BYTES = 32, FRAME_FAULT_BYTES = 96 };

enum frame_kind {
	FRAME_HELLO = 1, /* a member's first: a nonce and its name */
	FRAME_WELCOME,	 /* the hub's, when it accepts */
	FRAME_REFUSED,	 /* the hub's last, to who has proved itself: why */
	FRAME_MESSAGE,
	FRAME_CREDIT,	 /* `credit` messages were received */
	FRAME_BYE,	 /* the last, where a connection does not end with its end */
	FRAME_CHALLENGE, /* the hub's answer to a greeting, see proof.h */
	FRAME_PROOF,	 /* a member's answer to that */
	FRAME_KIND_COUNT,
};

struct frame {
	enum frame_kind kind;
	uint64_t session;  /* of this connection, see proof.h; 0 before it is proved */
	uint64_t sequence; /* of this sender on this connection, from 0 */
	uint32_t credit;
	uint32_t length; /* bytes that follow */
};

/* What is wrong with a header. */
enum frame_fault {
	FRAME_GOOD,
	FRAME_STRANGER, /* not ours */
	FRAME_OTHER_VERSION,
	FRAME_OTHER_SESSION,
	FRAME_TOO_LONG,
	FRAME_OUT_OF_ORDER, /* replayed, or something was lost */
	FRAME_BROKEN,	    /* a kind or a field that nobody writes */
};

/* What a reader goes by. */
struct frame_bounds {
	uint64_t session;
	uint64_t sequence; /* the next */
	uint32_t length_max;
};

/* Writes FRAME_HEADER_BYTES. */
void frame_write(const struct frame *frame, uint8_t *bytes);

/* Reads FRAME_HEADER_BYTES. *frame is set as far as the fault lets it; *version always, unless it
 * is a stranger's. */
enum frame_fault frame_read(const uint8_t *bytes, const struct frame_bounds *bounds,
	struct frame *frame, uint32_t *version);

/* "not a frame of meshsim" and so on. */
const char *frame_fault_text(enum frame_fault fault);

/* The same, with both versions if they are what differs. */
void frame_fault_print(enum frame_fault fault, uint32_t version, char text[FRAME_FAULT_BYTES]);

#endif
