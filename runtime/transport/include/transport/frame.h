/* Frames are the format of messages on a byte stream. A frame is a header of FRAME_HEADER_BYTES, in
 * little endian, followed by `length` bytes of payload. A header field with an unexpected value is
 * a fault. */
#ifndef TRANSPORT_FRAME_H
#define TRANSPORT_FRAME_H

#include <stddef.h>
#include <stdint.h>

enum { FRAME_VERSION = 2, FRAME_HEADER_BYTES = 32, FRAME_FAULT_BYTES = 96 };

enum frame_kind {
	FRAME_HELLO = 1, /* first frame of a member: a nonce and its name */
	FRAME_WELCOME,	 /* the hub accepts the member */
	FRAME_REFUSED,	 /* last frame of the hub to a member that has proved itself: the reason */
	FRAME_MESSAGE,
	FRAME_CREDIT,	 /* the sender has received `credit` messages */
	FRAME_BYE,	 /* last frame where the connection does not close with its end */
	FRAME_CHALLENGE, /* the hub's answer to a greeting, see proof.h */
	FRAME_PROOF,	 /* a member's answer to that */
	FRAME_KIND_COUNT,
};

struct frame {
	enum frame_kind kind;
	uint64_t session;  /* of this connection, see proof.h; 0 until it is proved */
	uint64_t sequence; /* of this sender on this connection, starting from 0 */
	uint32_t credit;
	uint32_t length; /* bytes of payload that follow */
};

/* Result of checking a header. */
enum frame_fault {
	FRAME_GOOD,
	FRAME_STRANGER, /* not a frame of meshsim */
	FRAME_OTHER_VERSION,
	FRAME_OTHER_SESSION,
	FRAME_TOO_LONG,
	FRAME_OUT_OF_ORDER, /* replayed, or an earlier frame was lost */
	FRAME_BROKEN,	    /* an unknown kind, or a field that contradicts the kind */
};

/* The values a reader expects. */
struct frame_bounds {
	uint64_t session;
	uint64_t sequence; /* of the next frame */
	uint32_t length_max;
};

/* Writes FRAME_HEADER_BYTES to `bytes`. */
void frame_write(const struct frame *frame, uint8_t *bytes);

/* Reads and checks a header of FRAME_HEADER_BYTES. Sets *frame to the fields of the header, and
 * *version to the sender's version. If the magic or the version is wrong, *frame is all 0. If the
 * kind is unknown, its field is 0. If the magic is wrong, *version is 0. Returns FRAME_GOOD or the
 * first fault. */
enum frame_fault frame_read(const uint8_t *bytes, const struct frame_bounds *bounds,
	struct frame *frame, uint32_t *version);

/* A static text for the fault: "not a frame of meshsim" and so on. */
const char *frame_fault_text(enum frame_fault fault);

/* Writes the same text and, if the versions differ, both versions. */
void frame_fault_print(enum frame_fault fault, uint32_t version, char text[FRAME_FAULT_BYTES]);

#endif
