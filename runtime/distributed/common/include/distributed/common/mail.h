/* Commands as messages of a channel, with the memory that they refer to. One codec, one thread at a
 * time. Refuses what the codec does; does not send. */
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

/* The message of a command; the caller releases it. Errors of wire_encode(), with a sentence in
 * `why` (may be NULL). */
enum status mail_write(struct mail_writer *writer, const struct wire_command *command,
	struct span *message, struct text *why);

/* A command that was received: refers to the message and to scratch of its own. All zeros is an
 * empty one.
 */
struct letter {
	struct wire_command command;
	struct span message;
	struct wire_scratch scratch;
	uint32_t member; /* who sent it */
	bool lost;	 /* there is no message: who sent the others is lost */
	struct letter *next; /* whoever keeps it */
};

/* Decodes; takes the message, which letter_empty() releases, on errors too: those of wire_decode().
 */
enum status letter_read(struct letter *letter, const struct wire_codec *codec, struct span message,
	struct text *why);

/* Releases the message and keeps scratch for the next one. */
void letter_empty(struct letter *letter);
void letter_fini(struct letter *letter);

/* Text of a message. */
struct wire_bytes mail_text(const struct text *text, uint32_t most);

#endif
