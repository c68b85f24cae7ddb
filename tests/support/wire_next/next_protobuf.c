/* Messages of another minor version, written with protobuf-c. */
#include "check.h"
#include "next.h"
#include "next.pb-c.h"

static size_t newer(uint8_t *body, size_t room)
{
	Next__Range ranges[NEXT_RANGES];
	Next__Range *pointers[NEXT_RANGES];
	uint8_t note[] = "note";
	uint32_t words[] = {1, 2, 3}, value = NEXT_FIRST;
	Next__Newer message;

	next__newer__init(&message);
	message.number = NEXT_NUMBER;
	message.queue = NEXT_QUEUE;
	message.event = NEXT_EVENT;
	message.reach = NEXT_REACH;
	for (int i = 0; i < NEXT_RANGES; i++) {
		next__range__init(&ranges[i]);
		ranges[i].row = value++;
		ranges[i].column = value++;
		ranges[i].rows = value++;
		ranges[i].columns = value++;
		ranges[i].mesh = UINT32_MAX;
		pointers[i] = &ranges[i];
	}
	message.n_ranges = message.n_others = NEXT_RANGES;
	message.ranges = message.others = pointers;
	message.operation = NEXT_OPERATION;
	message.deadline_ns = UINT64_MAX;
	message.note.data = note;
	message.note.len = sizeof note;
	message.n_words = 3;
	message.words = words;
	check_at_most(next__newer__get_packed_size(&message), room);
	return next__newer__pack(&message, body);
}

static size_t older(uint8_t *body, size_t room)
{
	Next__Older message;

	next__older__init(&message);
	message.number = NEXT_NUMBER;
	message.queue = NEXT_QUEUE;
	check_at_most(next__older__get_packed_size(&message), room);
	return next__older__pack(&message, body);
}

const struct next_writer next_protobuf = {"protobuf", newer, older};
