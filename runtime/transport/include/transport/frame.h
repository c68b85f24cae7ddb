/* Frames are the format of messages on a byte stream. A frame is a header of FRAME_HEADER_BYTES
 * bytes, in little endian, followed by `length` bytes of payload. A header field with an unexpected
 * value is a fault. */
#ifndef TRANSPORT_FRAME_H
#define TRANSPORT_FRAME_H

#include <stddef.h>
#include <stdint.h>

enum { FRAME_VERSION = 2, FRAME_HEADER_BYTES = 32, FRAME_FAULT_BYTES = 96 };

enum frame_kind {
	FRAME_HELLO = 1, /* first frame of a member: contains a nonce and the member's name */
	FRAME_WELCOME,	 /* the hub accepts the member */
	/* last frame that the hub sends to a member that it rejects: contains the reason. A member
	 * gets it only if it has proved that it has the key */
	FRAME_REFUSED,
	FRAME_MESSAGE,
	FRAME_CREDIT, /* the sender has received `credit` messages */
	/* last frame, for libraries that do not report when the other end closes the connection */
	FRAME_BYE,
	FRAME_CHALLENGE, /* the hub's answer to a greeting; see proof.h */
	FRAME_PROOF,	 /* a member's answer to a challenge */
	FRAME_KIND_COUNT,
};

struct frame {
	enum frame_kind kind;
	uint64_t session;  /* session number of the connection (proof.h); 0 until both ends have
			    * proved the key */
	uint64_t sequence; /* number of the frame among the frames of this sender on this
			    * connection, from 0 */
	uint32_t credit;
	uint32_t length; /* number of payload bytes that follow the header */
};

/* The result of checking a header. */
enum frame_fault {
	FRAME_GOOD,
	FRAME_STRANGER, /* the bytes are not a frame of meshsim */
	FRAME_OTHER_VERSION,
	FRAME_OTHER_SESSION,
	FRAME_TOO_LONG,
	FRAME_OUT_OF_ORDER, /* the frame was replayed, or an earlier frame was lost */
	FRAME_BROKEN,	    /* the kind is unknown, or a field contradicts the kind */
};

/* The values that a reader expects. */
struct frame_bounds {
	uint64_t session;
	uint64_t sequence; /* sequence number of the next frame */
	uint32_t length_max;
};

/* Writes FRAME_HEADER_BYTES bytes to `bytes`. */
void frame_write(const struct frame *frame, uint8_t *bytes);

/* Reads and checks a header of FRAME_HEADER_BYTES bytes. Sets *frame to the fields of the header,
 * and *version to the sender's version. If the magic or the version is wrong, sets all fields of
 * *frame to 0. If the magic is wrong, also sets *version to 0. If only the kind is unknown, sets
 * frame->kind to 0. Returns FRAME_GOOD or the first fault. */
enum frame_fault frame_read(const uint8_t *bytes, const struct frame_bounds *bounds,
	struct frame *frame, uint32_t *version);

/* Returns a static text for the fault, for example "not a frame of meshsim". */
const char *frame_fault_text(enum frame_fault fault);

/* Writes the text for the fault and, if the versions differ, both versions. */
void frame_fault_print(enum frame_fault fault, uint32_t version, char text[FRAME_FAULT_BYTES]);

#endif
