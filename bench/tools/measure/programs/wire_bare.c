/* The list of codec libraries in this build. */
#include "wire_bare.h"

static const struct wire_bare *const rows[] = {
#if HAVE_FLATBUFFERS
	&wire_bare_flatbuffers,
#endif
#if HAVE_PROTOBUF
	&wire_bare_protobuf,
#endif
#if HAVE_MSGPACK
	&wire_bare_msgpack,
#endif
	NULL,
};

const struct wire_bare *wire_bare_at(size_t index)
{
	return rows[index];
}
