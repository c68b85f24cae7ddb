/* protobuf-c alone, with its own allocation: packs a prepared message, unpacks and frees it. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "commands.pb-c.h"
#include "wire_bare.h"

static Wire__SetRuntimeArgs message;
static uint8_t *packed;
static size_t packed_bytes;

static void wire_bare_protobuf_init(const struct wire_set_runtime_args *args)
{
	uint32_t count = args->sets.count;
	Wire__ArgumentSet *sets = allocate(count, sizeof *sets);

	wire__set_runtime_args__init(&message);
	message.number = args->number;
	message.workload = args->workload;
	message.n_sets = count;
	message.sets = allocate(count, sizeof *message.sets);
	for (uint32_t i = 0; i < count; i++) {
		wire__argument_set__init(&sets[i]);
		sets[i].program = args->sets.at[i].program;
		sets[i].kernel = args->sets.at[i].kernel;
		sets[i].core = args->sets.at[i].core;
		sets[i].first = args->sets.at[i].first;
		sets[i].count = args->sets.at[i].count;
		message.sets[i] = &sets[i];
	}
	message.n_words = args->words.count;
	message.words = allocate(args->words.count, sizeof *message.words);
	memcpy(message.words, args->words.at, args->words.count * sizeof *message.words);
	packed = allocate(1, wire__set_runtime_args__get_packed_size(&message));
}

static size_t encode(void)
{
	packed_bytes = wire__set_runtime_args__pack(&message, packed);
	return packed_bytes;
}

static void wire_bare_protobuf_decode(void)
{
	Wire__SetRuntimeArgs *read = wire__set_runtime_args__unpack(NULL, packed_bytes, packed);

	ensure(read && read->n_words == message.n_words, "not what was packed");
	wire__set_runtime_args__free_unpacked(read, NULL);
}

const struct wire_bare wire_bare_protobuf = {
	"protobuf", wire_bare_protobuf_init, encode, wire_bare_protobuf_decode};
