/* The registry of codecs. Refuses nothing: a library that is absent is a row without operations. */
#include <string.h>

#include "codec_private.h"

static const struct wire_codec rows[] = {
	{"packed", "4.7", "little-endian structs of our own; used where they lie", "", WIRE_PACKED,
		&wire_packed},
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
