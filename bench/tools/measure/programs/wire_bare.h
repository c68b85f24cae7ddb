/* Codec libraries without meshsim's own code around them, for bench-wire. They encode and decode
 * the words of one command, ENQUEUE_SET_RUNTIME_ARGS. */
#ifndef BENCH_TOOLS_MEASURE_WIRE_BARE_H
#define BENCH_TOOLS_MEASURE_WIRE_BARE_H

#include <stddef.h>

#include "wire/command.h"

struct wire_bare {
	const char *codec;
	/* Stores the command, and prepares the library for encoding. */
	void (*init)(const struct wire_set_runtime_args *args);
	size_t (*encode)(void); /* returns the number of bytes */
	void (*decode)(void);	/* decodes the bytes that were encoded last */
};

/* The libraries of this build by index; NULL after the last. */
const struct wire_bare *wire_bare_at(size_t index);

#ifdef __cplusplus
extern "C" {
#endif
extern const struct wire_bare wire_bare_flatbuffers, wire_bare_protobuf, wire_bare_msgpack;
#ifdef __cplusplus
}
#endif

#endif
