/* Messages between the controller of a native run and an executor that was started with `meshsim
 * executor`. They are sent over a channel of the transport `tcp`. Both ends of the channel have
 * proved that they know the same secret, the token. The first message registers the executor. Later
 * messages carry data that forked executors store in shared memory instead: marks, prints, faults,
 * log lines, and how the executor ended. The controller can also ask for the states of cores. */
#ifndef BENCH_ENLIST_H
#define BENCH_ENLIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/extent.h"
#include "firmware/core/firmware.h"
#include "world/world.h"

enum {
	ENLIST_PROTOCOL = 2, /* incremented when the layout of messages changes */
	ENLIST_NONCE_BYTES = 32,
	ENLIST_TEXT_BYTES = 1024, /* size of a text with its NUL */
	ENLIST_MESSAGE_BYTES_MAX = 1 << 16,
	ENLIST_MARK_BYTES = 18,
	ENLIST_MARKS_MAX = 2048, /* most marks in a message */
};

/* Stands in place of a host's number: the executor takes any host that has no executor yet. */
#define ENLIST_ANY_HOST UINT32_MAX

enum enlist_kind {
	ENLIST_REGISTER = 1, /* sets text (the program), number (the protocol), host, scenario */
	ENLIST_ACCEPTED,     /* host, run, identity, session, nonce */
	ENLIST_REFUSED,	     /* text: why the executor is rejected */
	ENLIST_START,	     /* text: the address of the run's channels */
	ENLIST_PING,	     /* sent_ns: the controller's clock */
	ENLIST_PONG,  /* sets sent_ns (that of the ping), now_ns (the executor's clock), cpu_ns */
	ENLIST_MARKS, /* bytes: ENLIST_MARK_BYTES for each */
	ENLIST_PRINT, /* bytes: the kernel's print; text: the processor */
	ENLIST_FAULT, /* bytes: the firmware's fault; text: the stage, a newline, the detail */
	ENLIST_LOG,   /* bytes: a log line; text: the thread, a newline, the line */
	ENLIST_LOOK,  /* requests the state of cores */
	ENLIST_SEEN,  /* bytes: a struct watched_processor. No bytes: the answer ends */
	ENLIST_END,   /* sets number (a status), text (why), bytes (a struct work_counts), cpu_ns */
	ENLIST_KIND_COUNT,
};

/* A message. Members that the comment of its kind does not list are 0. */
struct enlist {
	enum enlist_kind kind;
	uint32_t number, host, run;
	uint64_t scenario, identity, session;
	int64_t sent_ns, now_ns, cpu_ns;
	uint8_t nonce[ENLIST_NONCE_BYTES];
	char text[ENLIST_TEXT_BYTES];
	const void *bytes; /* after enlist_read(): a part of the message's bytes */
	uint32_t length;   /* number of bytes at `bytes` */
};

/* A mark, with the arguments that `struct recorder` has for it. */
struct enlist_mark {
	int64_t time_ps;
	uint32_t operation, chip;
	enum mark_point point;
};

/* Returns the message as bytes, which the caller releases. `message->length` may be at most
 * ENLIST_MESSAGE_BYTES_MAX / 2. For the kind ENLIST_MARKS the limit is ENLIST_MARKS_MAX marks
 * instead. */
struct span enlist_write(const struct enlist *message);

/* Reads a message; message->bytes then points into `bytes`. Returns false if the kind is unknown,
 * if the length does not fit the kind, or if a text contains control characters. */
bool enlist_read(const uint8_t *bytes, uint32_t length, struct enlist *message);

/* Writes and reads a mark. enlist_mark_read() returns false for a point that does not exist. */
void enlist_mark_write(const struct enlist_mark *mark, uint8_t bytes[ENLIST_MARK_BYTES]);
bool enlist_mark_read(const uint8_t bytes[ENLIST_MARK_BYTES], struct enlist_mark *mark);

/* Return a span with the print, the fault or the log line. The caller releases the span. */
struct span enlist_print(const struct firmware_print *print);
struct span enlist_fault(const struct firmware_fault *fault);
struct span enlist_log(const struct log_line *line);

/* Read the data of a message: of a print, of a fault, or of a log line. The strings of the result
 * point into the message's text. Return false if a value is invalid. */
bool enlist_is_print(struct enlist *message, struct firmware_print *print);
bool enlist_is_fault(struct enlist *message, struct firmware_fault *fault);
bool enlist_is_log(struct enlist *message, struct log_line *line);

#endif
