/* The registry of codecs, made from world/codecs.def. If the library of a codec is not built in,
 * the codec's `ops` are NULL. */
#include "codec_private.h"

/* OPS(LIBRARY, operations) is the pointer to a codec's operations if HAVE_LIBRARY is 1, and NULL if
 * HAVE_LIBRARY is 0, that is, if the library is not built in. */
#define HAVE_OWN		  1
#define OPS(library, operations)  OPS_IF(HAVE_##library, operations)
#define OPS_IF(have, operations)  OPS_IF_(have, operations)
#define OPS_IF_(have, operations) OPS_IF_##have(operations)
#define OPS_IF_0(operations)	  NULL
#define OPS_IF_1(operations)	  &operations

static const struct wire_codec rows[] = {
#define CODEC(row, symbol, name_, number, library, packages_, what)                                \
	{.entry = {.name = name_, .section = "4.7", .description = what},                          \
		.packages = packages_,                                                             \
		.id = WIRE_##row,                                                                  \
		.ops = OPS(library, wire_##symbol)},
#include "world/codecs.def"
};

REGISTRY_OF_ARRAY(wire_codec, wire_codec, "runtime.distributed.codec", "codec of commands", rows)
