/* Notes: the messages of bring-up, with a header that readers check. */
#include <string.h>

#include "flow_private.h"

void put_number(struct text *out, uint64_t number, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		text_append_char(out, (char)(number >> 8 * i & 0xff));
}

uint64_t take_number(struct bytes_in *in, unsigned bytes)
{
	uint64_t number = 0;

	if ((size_t)(in->end - in->at) < bytes) {
		in->bad = true;
		in->at = in->end;
		return 0;
	}
	for (unsigned i = 0; i < bytes; i++)
		number |= (uint64_t)*in->at++ << 8 * i;
	return number;
}

struct span note_write(const struct note *note)
{
	struct extent *extent = extent_new(FLOW_NOTE_HEADER + note->length);
	struct text head = {0};

	put_number(&head, FLOW_NOTE_MAGIC, 4);
	put_number(&head, note->kind, 4);
	put_number(&head, note->rank, 4);
	put_number(&head, note->length, 4);
	put_number(&head, note->number, 8);
	memcpy(extent->bytes, head.bytes, FLOW_NOTE_HEADER);
	if (note->length)
		memcpy(extent->bytes + FLOW_NOTE_HEADER, note->payload, note->length);
	text_fini(&head);
	return span_of(extent);
}

bool note_read(struct span span, struct note *note)
{
	struct bytes_in in;
	uint64_t kind;

	*note = (struct note){.span = span};
	if (!span.extent || span.extent->elided || span.length < FLOW_NOTE_HEADER)
		return false;
	in.at = span.extent->bytes + span.offset;
	in.end = in.at + span.length;
	in.bad = take_number(&in, 4) != FLOW_NOTE_MAGIC;
	kind = take_number(&in, 4);
	note->rank = (uint32_t)take_number(&in, 4);
	note->length = (uint32_t)take_number(&in, 4);
	note->number = take_number(&in, 8);
	note->payload = in.at;
	if (in.bad || kind >= FLOW_MESSAGE_COUNT || note->length != (size_t)(in.end - in.at))
		return false;
	note->kind = (enum flow_message)kind;
	return true;
}

void note_done(struct note *note)
{
	span_release(note->span);
	*note = (struct note){0};
}
