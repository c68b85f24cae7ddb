/* msgpack-c alone, with its own buffer and zone. */
#include <msgpack.h>

#include "base/ensure.h"
#include "wire_bare.h"

static const struct wire_set_runtime_args *args;
static msgpack_sbuffer buffer;

static void init(const struct wire_set_runtime_args *given)
{
	args = given;
	msgpack_sbuffer_init(&buffer);
}

static size_t wire_bare_msgpack_encode(void)
{
	msgpack_packer packer;

	msgpack_sbuffer_clear(&buffer);
	msgpack_packer_init(&packer, &buffer, msgpack_sbuffer_write);
	msgpack_pack_array(&packer, 5);
	msgpack_pack_uint64(&packer, args->number);
	msgpack_pack_uint32(&packer, args->queue);
	msgpack_pack_uint64(&packer, args->workload);
	msgpack_pack_array(&packer, args->sets.count);
	for (uint32_t i = 0; i < args->sets.count; i++) {
		msgpack_pack_array(&packer, 5);
		msgpack_pack_uint16(&packer, args->sets.at[i].program);
		msgpack_pack_uint16(&packer, args->sets.at[i].kernel);
		msgpack_pack_uint32(&packer, args->sets.at[i].core);
		msgpack_pack_uint32(&packer, args->sets.at[i].first);
		msgpack_pack_uint32(&packer, args->sets.at[i].count);
	}
	msgpack_pack_array(&packer, args->words.count);
	for (uint32_t i = 0; i < args->words.count; i++)
		msgpack_pack_uint32(&packer, args->words.at[i]);
	return buffer.size;
}

static void wire_bare_msgpack_decode(void)
{
	msgpack_unpacked unpacked;
	size_t read = 0;

	msgpack_unpacked_init(&unpacked);
	ensure(msgpack_unpack_next(&unpacked, buffer.data, buffer.size, &read) ==
			MSGPACK_UNPACK_SUCCESS,
		"not what was packed");
	msgpack_unpacked_destroy(&unpacked);
}

const struct wire_bare wire_bare_msgpack = {
	"msgpack", init, wire_bare_msgpack_encode, wire_bare_msgpack_decode};
