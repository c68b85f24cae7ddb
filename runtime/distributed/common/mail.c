/* Converts commands to messages and back (mail.h). An encoded command is called a frame. Every
 * frame is in a memory block of its own (struct extent), and begins at a multiple of WIRE_ALIGN. */
#include "distributed/common/mail.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "world/world.h"

enum { FRAME_SCRATCH = 1 << 16 }; /* frame size for which scratch memory is allocated at first */

static void scratch_for(struct wire_scratch *scratch, enum wire_kind kind, size_t frame_bytes)
{
	size_t bytes = wire_scratch_bytes_of(
		kind, frame_bytes > FRAME_SCRATCH ? frame_bytes : FRAME_SCRATCH);

	scratch->used = 0;
	if (scratch->bytes >= bytes)
		return;
	free(scratch->memory);
	scratch->memory = allocate(1, bytes);
	scratch->bytes = bytes;
}

/* Charges the cost of a codec to the calling thread. */
static void mail_charge(
	const struct wire_codec *codec, bool reads, const struct wire_command *command)
{
	struct wire_contents contents = wire_contents_of(command);

	world->work_code((uint32_t)codec->id, reads, contents.words, contents.bytes);
}

void mail_writer_init(struct mail_writer *writer, const struct wire_codec *codec)
{
	*writer = (struct mail_writer){.codec = codec};
}

void mail_writer_fini(struct mail_writer *writer)
{
	free(writer->scratch.memory);
}

enum status mail_write(struct mail_writer *writer, const struct wire_command *command,
	struct span *message, struct text *why)
{
	enum status status = wire_check(command, why);
	struct extent *extent;
	struct wire_bytes frame;
	uint32_t start, room;

	if (status != STATUS_OK)
		return status;
	room = (uint32_t)wire_frame_bytes(writer->codec, command);
	scratch_for(&writer->scratch, command->kind, room);
	extent = extent_new(room + WIRE_ALIGN);
	start = (uint32_t)(-(uintptr_t)extent->bytes % WIRE_ALIGN);
	status = wire_encode(
		writer->codec, command, &writer->scratch, extent->bytes + start, room, &frame, why);
	if (status != STATUS_OK) {
		extent_release(extent);
		return status;
	}
	mail_charge(writer->codec, false, command);
	*message = (struct span){extent, (uint32_t)(frame.at - extent->bytes), frame.count};
	return STATUS_OK;
}

enum status letter_read(struct letter *letter, const struct wire_codec *codec, struct span message,
	struct text *why)
{
	const uint8_t *frame = message.extent ? message.extent->bytes + message.offset : NULL;
	enum status status;

	letter->message = message;
	letter->command.kind = WIRE_NO_COMMAND;
	if (frame == NULL) {
		if (why != NULL)
			text_append(why, "an empty message");
		return STATUS_INVALID;
	}
	scratch_for(&letter->scratch, wire_kind_of(frame, message.length), message.length);
	status = wire_decode(codec, frame, message.length, &letter->scratch, &letter->command, why);
	if (status == STATUS_OK)
		mail_charge(codec, true, &letter->command);
	return status;
}

void letter_empty(struct letter *letter)
{
	span_release(letter->message);
	letter->message = (struct span){0};
}

void letter_fini(struct letter *letter)
{
	letter_empty(letter);
	free(letter->scratch.memory);
	letter->scratch = (struct wire_scratch){0};
}

struct wire_bytes mail_text(const struct text *text, uint32_t most)
{
	uint32_t count = text->length < most ? (uint32_t)text->length : most;

	return (struct wire_bytes){(const uint8_t *)text->bytes, count};
}
