/* The list of writers in this build. */
#include "next.h"

#include <string.h>

static const struct next_writer *const writers[] = {
	&next_packed,
#if HAVE_FLATBUFFERS
	&next_flatbuffers,
#endif
#if HAVE_PROTOBUF
	&next_protobuf,
#endif
#if HAVE_MSGPACK
	&next_msgpack,
#endif
};

const struct next_writer *next_writer_of(const char *codec)
{
	for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++)
		if (strcmp(writers[i]->codec, codec) == 0)
			return writers[i];
	return NULL;
}
