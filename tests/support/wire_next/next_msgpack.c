/* Frames of a newer and an older minor version (next.h), written with msgpack-c as arrays. The new
 * fields have types that no field has today. */
#include <msgpack.h>
#include <string.h>

#include "check.h"
#include "next.h"

struct sink {
	uint8_t *body;
	size_t used, room;
};

static int sink_write(void *data, const char *bytes, size_t count)
{
	struct sink *sink = data;

	check_at_most(count, sink->room - sink->used);
	memcpy(sink->body + sink->used, bytes, count);
	sink->used += count;
	return 0;
}

static void pack_new(msgpack_packer *packer)
{
	msgpack_pack_map(packer, 2);
	msgpack_pack_str(packer, 4);
	msgpack_pack_str_body(packer, "note", 4);
	msgpack_pack_double(packer, 0.5);
	msgpack_pack_int64(packer, -1);
	msgpack_pack_nil(packer);
}

static size_t newer(uint8_t *body, size_t room)
{
	struct sink sink = {body, 0, room};
	uint8_t value = NEXT_FIRST;
	msgpack_packer packer;

	msgpack_packer_init(&packer, &sink, sink_write);
	msgpack_pack_array(&packer, 9);
	msgpack_pack_uint64(&packer, NEXT_NUMBER);
	msgpack_pack_uint64(&packer, NEXT_QUEUE);
	msgpack_pack_uint64(&packer, NEXT_EVENT);
	msgpack_pack_uint64(&packer, NEXT_REACH);
	msgpack_pack_array(&packer, NEXT_RANGES);
	for (int i = 0; i < NEXT_RANGES; i++) {
		msgpack_pack_array(&packer, 5);
		for (int j = 0; j < 4; j++)
			msgpack_pack_uint64(&packer, value++);
		pack_new(&packer);
	}
	msgpack_pack_uint64(&packer, NEXT_OPERATION);
	pack_new(&packer);
	msgpack_pack_ext(&packer, 300, 5);
	msgpack_pack_ext_body(&packer, memset((char[300]){0}, 7, 300), 300);
	msgpack_pack_true(&packer);
	return sink.used;
}

static size_t older(uint8_t *body, size_t room)
{
	struct sink sink = {body, 0, room};
	msgpack_packer packer;

	msgpack_packer_init(&packer, &sink, sink_write);
	msgpack_pack_array(&packer, 2);
	msgpack_pack_uint64(&packer, NEXT_NUMBER);
	msgpack_pack_uint64(&packer, NEXT_QUEUE);
	return sink.used;
}

const struct next_writer next_msgpack = {"msgpack", newer, older};
