/* Messages between the controller of a native run and an executor that is a command of its own
 * (`meshsim executor`). They go over a channel of the transport `tcp`, on which both ends have
 * proved that they hold the token. The first one registers the executor; later ones carry what
 * forked executors leave in shared memory: marks, prints, faults, the state of cores, the end. */
#ifndef BENCH_ENLIST_H
#define BENCH_ENLIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/extent.h"
#include "firmware/core/firmware.h"
#include "world/world.h"

enum {
	ENLIST_PROTOCOL = 1, /* changes with the layout of messages */
	ENLIST_NONCE_BYTES = 32,
	ENLIST_TEXT_BYTES = 1024, /* with its NUL */
	ENLIST_MESSAGE_BYTES_MAX = 1 << 16,
	ENLIST_MARK_BYTES = 18,
	ENLIST_MARKS_MAX = 2048, /* in a message */
};

/* The host of an executor that takes any host which is still free. */
#define ENLIST_ANY_HOST UINT32_MAX

enum enlist_kind {
	ENLIST_REGISTER =
		1,	 /* to the controller: program (text), protocol (number), host, scenario */
	ENLIST_ACCEPTED, /* host, run, identity, session, nonce */
	ENLIST_REFUSED,	 /* text: the reason */
	ENLIST_START,	 /* text: the address of the run's channels */
	ENLIST_PING,	 /* sent_ns: the controller's clock */
	ENLIST_PONG,	 /* sent_ns: that of the ping; now_ns: the executor's clock; cpu_ns */
	ENLIST_MARKS,	 /* bytes: ENLIST_MARK_BYTES for each */
	ENLIST_PRINT,	 /* bytes: of a kernel; text: the processor */
	ENLIST_FAULT,	 /* bytes: of firmware; text: the stage, a newline, the detail */
	ENLIST_LOOK,	 /* asks for the state of cores */
	ENLIST_SEEN,	 /* bytes: struct watched_processor; none: that was all */
	ENLIST_END,	 /* number: status; text: why; bytes: struct work_counts; cpu_ns */
	ENLIST_KIND_COUNT,
};

/* A message. Members that the kind does not name are 0. */
struct enlist {
	enum enlist_kind kind;
	uint32_t number, host, run;
	uint64_t scenario, identity, session;
	int64_t sent_ns, now_ns, cpu_ns;
	uint8_t nonce[ENLIST_NONCE_BYTES];
	char text[ENLIST_TEXT_BYTES];
	const void *bytes; /* of a message that was read: part of it */
	uint32_t length;   /* bytes */
};

/* One mark, of `struct recorder`. */
struct enlist_mark {
	int64_t time_ps;
	uint32_t operation, chip;
	enum mark_point point;
};

/* Returns the message as bytes. `message->length` is at most ENLIST_MESSAGE_BYTES_MAX / 2, unless
 * the kind is ENLIST_MARKS, of which there are at most ENLIST_MARKS_MAX. The caller releases the
 * span. */
struct span enlist_write(const struct enlist *message);

/* Reads a message. Returns false if the bytes are none: of an unknown kind, of a length that
 * contradicts it, or with control characters in a text. message->bytes then points into `bytes`. */
bool enlist_read(const uint8_t *bytes, uint32_t length, struct enlist *message);

/* Writes and reads a mark. enlist_mark_read() returns false for a point that does not exist. */
void enlist_mark_write(const struct enlist_mark *mark, uint8_t bytes[ENLIST_MARK_BYTES]);
bool enlist_mark_read(const uint8_t bytes[ENLIST_MARK_BYTES], struct enlist_mark *mark);

/* Return a span with the print or the fault, which the caller releases. */
struct span enlist_print(const struct firmware_print *print);
struct span enlist_fault(const struct firmware_fault *fault);

/* Read them from a message of this kind, whose text their strings become part of. Return false if
 * its values cannot be ones. */
bool enlist_is_print(struct enlist *message, struct firmware_print *print);
bool enlist_is_fault(struct enlist *message, struct firmware_fault *fault);

#endif
