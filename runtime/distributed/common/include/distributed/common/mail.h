/* Converts commands to messages of a channel (struct mail_writer) and back (struct letter). A
 * writer uses one codec. A letter owns the memory to which its command refers. Only one thread at a
 * time may use a writer or a letter. */
#ifndef DISTRIBUTED_COMMON_MAIL_H
#define DISTRIBUTED_COMMON_MAIL_H

#include "base/extent.h"
#include "wire/codec.h"

/* Encodes commands. */
struct mail_writer {
	const struct wire_codec *codec;
	struct wire_scratch scratch;
};

void mail_writer_init(struct mail_writer *writer, const struct wire_codec *codec);
void mail_writer_fini(struct mail_writer *writer);

/* Encodes a command, and sets *message to the result, which the caller must release. Returns OK or
 * an error of wire_encode(), with a sentence in `why` (may be NULL). */
enum status mail_write(struct mail_writer *writer, const struct wire_command *command,
	struct span *message, struct text *why);

/* A received command, with the message and the scratch memory to which the command refers. A struct
 * whose bytes are all 0 is an empty letter. */
struct letter {
	struct wire_command command;
	struct span message;
	struct wire_scratch scratch;
	uint32_t member;     /* set by the controller: index of the host that sent the message */
	bool lost;	     /* true: this letter has no message; the connection to the host is
			      * lost, and all its earlier messages were received */
	struct letter *next; /* next letter, in lists of the letter's owner */
};

/* Decodes a message into letter->command. The letter takes ownership of the message, even on
 * errors; letter_empty() releases the message. Returns OK or an error of wire_decode(), with a
 * sentence in `why` (may be NULL). */
enum status letter_read(struct letter *letter, const struct wire_codec *codec, struct span message,
	struct text *why);

/* Releases the message, and keeps the scratch memory for the next message. */
void letter_empty(struct letter *letter);
void letter_fini(struct letter *letter);

/* Returns a text for a message, cut to `most` bytes. */
struct wire_bytes mail_text(const struct text *text, uint32_t most);

#endif
