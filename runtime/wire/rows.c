/* The table of codecs. If the library of a codec is not built in, its `ops` is NULL. */
#include <string.h>

#include "codec_private.h"

#if HAVE_FLATBUFFERS
#define FLATBUFFERS &wire_flatbuffers
#else
#define FLATBUFFERS NULL
#endif
#if HAVE_PROTOBUF
#define PROTOBUF &wire_protobuf
#else
#define PROTOBUF NULL
#endif
#if HAVE_MSGPACK
#define MSGPACK &wire_msgpack
#else
#define MSGPACK NULL
#endif

static const struct wire_codec rows[] = {
	{"packed", "4.7", "little-endian structs of our own; used where they lie", "", WIRE_PACKED,
		&wire_packed},
	{"flatbuffers", "4.7", "FlatBuffers: tables, verified and read where they lie",
		"libflatbuffers-dev flatbuffers-compiler g++", WIRE_FLATBUFFERS, FLATBUFFERS},
	{"protobuf", "4.7", "Protocol Buffers by protobuf-c: varints, copied",
		"libprotobuf-c-dev protobuf-c-compiler", WIRE_PROTOBUF, PROTOBUF},
	{"msgpack", "4.7", "MessagePack by msgpack-c: arrays without a schema", "libmsgpack-dev",
		WIRE_MSGPACK, MSGPACK},
};

const struct wire_codec *wire_codec_at(size_t index)
{
	return index < sizeof rows / sizeof rows[0] ? &rows[index] : NULL;
}

const struct wire_codec *wire_codec_find(const char *name)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}
