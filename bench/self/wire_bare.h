/* Libraries of codecs without anything of ours: what they take to write and read the words of one
 * ENQUEUE_SET_RUNTIME_ARGS. For bench-wire. */
#ifndef BENCH_SELF_WIRE_BARE_H
#define BENCH_SELF_WIRE_BARE_H

#include <stddef.h>

#include "wire/command.h"

struct wire_bare {
	const char *codec;
	/* Keeps the command, and what the library wants made of it before. */
	void (*init)(const struct wire_set_runtime_args *args);
	size_t (*encode)(void); /* its bytes */
	void (*decode)(void);	/* of what was encoded last */
};

/* Those of this build, by index; NULL behind the last. */
const struct wire_bare *wire_bare_at(size_t index);

#ifdef __cplusplus
extern "C" {
#endif
extern const struct wire_bare wire_bare_flatbuffers, wire_bare_protobuf, wire_bare_msgpack;
#ifdef __cplusplus
}
#endif

#endif
