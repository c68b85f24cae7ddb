/* Writes a picture as Perfetto's protobuf (perfetto/trace/trace.proto). The encoder is in this
 * file, so no library is needed. The format counts in ns, so the starts and ends of slices are
 * rounded down. */
#include <string.h>

#include "picture.h"

/* Numbers of the fields that are used. */
enum {
	TRACE_PACKET = 1,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_EVENT = 11,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_TRACK = 60,
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8,
	TRACK_CHILD_ORDER = 11,
	TRACK_RANK = 12,
	PROCESS_PID = 1,
	PROCESS_NAME = 6,
	COUNTER_UNIT = 3,
	EVENT_ANNOTATION = 4,
	EVENT_TYPE = 9,
	EVENT_TRACK = 11,
	EVENT_CATEGORY = 22,
	EVENT_NAME = 23,
	EVENT_VALUE = 30,
	EVENT_FLOW = 47,
	EVENT_FLOW_END = 48,
	ANNOTATION_INTEGER = 4,
	ANNOTATION_TEXT = 6,
	ANNOTATION_NAME = 10
};

enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2 };
enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_COUNTER = 4 };
enum { SEQUENCE = 1, STATE_CLEARED = 1, ORDER_EXPLICIT = 3, UNIT_COUNT = 2, PS_PER_NS = 1000 };

struct writer {
	struct text *out;
	struct text packet, inner, inmost; /* messages being built; reused */
};

static void put_varint(struct text *out, uint64_t value)
{
	unsigned char bytes[10];
	size_t length = 0;

	for (; value >= 0x80; value >>= 7)
		bytes[length++] = (unsigned char)(value | 0x80);
	bytes[length++] = (unsigned char)value;
	text_append_bytes(out, bytes, length);
}

static void put_number(struct text *out, int field, uint64_t value)
{
	put_varint(out, (uint64_t)field << 3 | WIRE_VARINT);
	put_varint(out, value);
}

static void put_fixed64(struct text *out, int field, uint64_t value)
{
	unsigned char bytes[8];

	put_varint(out, (uint64_t)field << 3 | WIRE_FIXED64);
	for (int i = 0; i < 8; i++)
		bytes[i] = (unsigned char)(value >> 8 * i);
	text_append_bytes(out, bytes, sizeof(bytes));
}

static void put_bytes(struct text *out, int field, const char *bytes, size_t length)
{
	put_varint(out, (uint64_t)field << 3 | WIRE_BYTES);
	put_varint(out, length);
	text_append_bytes(out, bytes, length);
}

static void put_string(struct text *out, int field, const char *string)
{
	put_bytes(out, field, string, strlen(string));
}

static void put_message(struct text *out, int field, const struct text *message)
{
	put_bytes(out, field, text_string(message), message->length);
}

static void end_packet(struct writer *writer)
{
	put_number(&writer->packet, PACKET_SEQUENCE, SEQUENCE);
	put_message(writer->out, TRACE_PACKET, &writer->packet);
	text_clear(&writer->packet);
	text_clear(&writer->inner);
}

static uint64_t process_uuid(uint32_t process)
{
	return process + UINT64_C(1);
}

static uint64_t lane_uuid(const struct picture_plan *plan, uint32_t lane)
{
	return plan->process_count + lane + UINT64_C(1);
}

static void put_process(struct writer *writer, uint32_t process, const char *name)
{
	put_number(&writer->inmost, PROCESS_PID, process + 1);
	put_string(&writer->inmost, PROCESS_NAME, name);
	put_number(&writer->inner, TRACK_UUID, process_uuid(process));
	put_message(&writer->inner, TRACK_PROCESS, &writer->inmost);
	put_number(&writer->inner, TRACK_CHILD_ORDER, ORDER_EXPLICIT);
	put_message(&writer->packet, PACKET_TRACK, &writer->inner);
	if (process == 0)
		put_number(&writer->packet, PACKET_SEQUENCE_FLAGS, STATE_CLEARED);
	text_clear(&writer->inmost);
	end_packet(writer);
}

static void put_lane(struct writer *writer, const struct picture_plan *plan, uint32_t index)
{
	const struct picture_lane *lane = &plan->lanes[index];

	put_number(&writer->inner, TRACK_UUID, lane_uuid(plan, index));
	put_string(&writer->inner, TRACK_NAME, lane->name);
	put_number(&writer->inner, TRACK_PARENT, process_uuid(lane->process));
	if (lane->is_counter) {
		put_number(&writer->inmost, COUNTER_UNIT, UNIT_COUNT);
		put_message(&writer->inner, TRACK_COUNTER, &writer->inmost);
		text_clear(&writer->inmost);
	}
	put_number(&writer->inner, TRACK_RANK, index);
	put_message(&writer->packet, PACKET_TRACK, &writer->inner);
	end_packet(writer);
}

static void put_begin(struct writer *writer, const struct picture_slice *slice)
{
	put_string(&writer->inner, EVENT_CATEGORY, "meshsim");
	put_string(&writer->inner, EVENT_NAME, slice->name);
	if (slice->flow != FLOW_NONE)
		put_fixed64(&writer->inner, slice->flow == FLOW_END ? EVENT_FLOW_END : EVENT_FLOW,
			slice->flow_id);
	for (uint32_t i = 0; i < slice->argument_count; i++) {
		const struct picture_argument *argument = &slice->arguments[i];
		put_string(&writer->inmost, ANNOTATION_NAME, argument->key);
		if (argument->text)
			put_string(&writer->inmost, ANNOTATION_TEXT, argument->text);
		else
			put_number(&writer->inmost, ANNOTATION_INTEGER, (uint64_t)argument->number);
		put_message(&writer->inner, EVENT_ANNOTATION, &writer->inmost);
		text_clear(&writer->inmost);
	}
}

static void put_event(
	struct writer *writer, const struct picture_plan *plan, const struct picture_event *event)
{
	static const uint64_t types[] = {TYPE_BEGIN, TYPE_END, TYPE_COUNTER};

	put_number(&writer->packet, PACKET_TIMESTAMP, (uint64_t)event->time / PS_PER_NS);
	put_number(&writer->inner, EVENT_TYPE, types[event->kind]);
	put_number(&writer->inner, EVENT_TRACK, lane_uuid(plan, event->lane));
	if (event->kind == EVENT_BEGIN)
		put_begin(writer, event->slice);
	else if (event->kind == EVENT_COUNT)
		put_number(&writer->inner, EVENT_VALUE, (uint64_t)event->value);
	put_message(&writer->packet, PACKET_EVENT, &writer->inner);
	end_packet(writer);
}

/* Checks that the `count` bytes at *at are equal to `bytes`, and that a length (a varint) follows.
 * If so, moves *at past the bytes and the length, and returns true. If not, or if the file ends too
 * early, returns false. */
static bool skip_head(const char **at, const char *end, const char *bytes, size_t count)
{
	if ((size_t)(end - *at) <= count || memcmp(*at, bytes, count) != 0)
		return false;
	*at += count;
	while (*at < end && (**at & 0x80))
		(*at)++;
	return *at < end && (*at)++;
}

/* Checks the first packet: it describes process 1 with uuid 1, as put_process() writes it. */
bool picture_is_perfetto(const char *head, size_t length)
{
	const char *at = head, *end = head + length;

	return skip_head(&at, end, "\x0a", 1) && skip_head(&at, end, "\xe2\x03", 2) &&
	       skip_head(&at, end, "\x08\x01\x1a", 3) && skip_head(&at, end, "\x08\x01\x32", 3);
}

void picture_write_perfetto(struct picture *picture, struct text *out)
{
	struct picture_plan plan = picture_plan(picture);
	struct writer writer = {.out = out};

	for (uint32_t i = 0; i < plan.process_count; i++)
		put_process(&writer, i, plan.processes[i]);
	for (uint32_t i = 0; i < plan.lane_count; i++)
		put_lane(&writer, &plan, i);
	for (uint64_t i = 0; i < plan.event_count; i++)
		put_event(&writer, &plan, &plan.events[i]);
	text_fini(&writer.packet);
	text_fini(&writer.inner);
	text_fini(&writer.inmost);
}
