/* Commands for tests of codecs, made and compared field by field from commands.def. */
#include "wire_commands.h"

#include <stdbool.h>
#include <string.h>

struct filler {
	enum wire_fill fill;
	uint32_t most;
	struct stream *stream;
	struct arena *arena;
};

/* Draws small and large numbers, and both ends of the range. All magnitudes are equally likely. */
static uint64_t fill_number(struct filler *filler, uint64_t max)
{
	uint64_t number;

	if (filler->fill == WIRE_EMPTY)
		return 0;
	if (filler->fill == WIRE_LARGEST || stream_below(filler->stream, 8) == 0)
		return max;
	number = stream_next(filler->stream) >> stream_below(filler->stream, 64);
	return number <= max ? number : max == UINT64_MAX ? number : number % (max + 1);
}

static uint32_t fill_count(struct filler *filler, uint32_t max)
{
	if (filler->fill == WIRE_EMPTY)
		return 0;
	if (filler->fill == WIRE_LARGEST)
		return max;
	return (uint32_t)stream_below(
		filler->stream, (max < filler->most ? max : filler->most) + 1);
}

static struct wire_bytes fill_bytes(struct filler *filler, uint32_t max)
{
	uint32_t count = fill_count(filler, max);
	uint8_t *bytes = count ? arena_alloc(filler->arena, count) : NULL;

	for (uint32_t i = 0; i < count; i++)
		bytes[i] = filler->fill == WIRE_LARGEST ? (uint8_t)(i * 7)
							: (uint8_t)stream_next(filler->stream);
	return (struct wire_bytes){bytes, count};
}

static struct wire_words fill_words(struct filler *filler, uint32_t max)
{
	uint32_t count = fill_count(filler, max);
	uint32_t *words = count ? arena_array(filler->arena, count, sizeof *words) : NULL;

	for (uint32_t i = 0; i < count; i++)
		words[i] = (uint32_t)fill_number(filler, UINT32_MAX);
	return (struct wire_words){words, count};
}

#define RECORD(name, Name)                                                                         \
	static void fill_##name(struct filler *filler, struct wire_##name *out)                    \
	{
#define COMMAND(name, Name, help) RECORD(name, Name)
#define NUMBER(bits, name, max)	  out->name = (uint##bits##_t)fill_number(filler, max);
#define BYTES(name, max)	  out->name = fill_bytes(filler, max);
#define WORDS(name, max)	  out->name = fill_words(filler, max);
#define LIST(record, name, max)                                                                    \
	{                                                                                          \
		uint32_t count = fill_count(filler, max);                                          \
		struct wire_##record *records =                                                    \
			count ? arena_array(filler->arena, count, sizeof *records) : NULL;         \
                                                                                                   \
		for (uint32_t i = 0; i < count; i++)                                               \
			fill_##record(filler, &records[i]);                                        \
		out->name.at = records;                                                            \
		out->name.count = count;                                                           \
	}
#define END(name) }
#include "wire/commands.def"

/* Makes kernels run instructions, as long as there are texts for them. */
static void fix_texts(struct wire_enqueue_program *in, struct arena *arena)
{
	struct wire_kernel *fixed = arena_array(arena, in->kernels.count + 1, sizeof *fixed);
	uint32_t left = in->texts.count;

	for (uint32_t i = 0; i < in->kernels.count; i++) {
		fixed[i] = in->kernels.at[i];
		fixed[i].acts &= fixed[i].bytes <= left;
		left -= fixed[i].acts ? fixed[i].bytes : 0;
	}
	in->kernels.at = fixed;
}

/* Makes records refer to existing programs, cores and words. */
static void fix_program(struct wire_enqueue_program *in, struct arena *arena)
{
	if (in->programs.count == 0 || in->cores.count == 0) {
		in->kernels.count = in->circular_buffers.count = in->semaphores.count = 0;
		return;
	}
#define FIX(record, list)                                                                          \
	{                                                                                          \
		struct wire_##record *fixed =                                                      \
			arena_array(arena, in->list.count + 1, sizeof *fixed);                     \
                                                                                                   \
		for (uint32_t i = 0; i < in->list.count; i++) {                                    \
			fixed[i] = in->list.at[i];                                                 \
			fixed[i].program = (uint16_t)(fixed[i].program % in->programs.count);      \
			fixed[i].cores = (uint16_t)(fixed[i].cores % in->cores.count);             \
		}                                                                                  \
		in->list.at = fixed;                                                               \
	}
	FIX(kernel, kernels)
	FIX(circular_buffer, circular_buffers)
	FIX(semaphore, semaphores)
#undef FIX
	fix_texts(in, arena);
}

static void fix_args(struct wire_set_runtime_args *in, struct arena *arena)
{
	struct wire_argument_set *fixed = arena_array(arena, in->sets.count + 1, sizeof *fixed);

	for (uint32_t i = 0; i < in->sets.count; i++) {
		fixed[i] = in->sets.at[i];
		fixed[i].first %= in->words.count + 1;
		fixed[i].count %= in->words.count - fixed[i].first + 1;
	}
	in->sets.at = fixed;
}

struct wire_command wire_command_make(enum wire_kind kind, enum wire_fill fill, uint32_t most,
	struct stream *stream, struct arena *arena)
{
	struct filler filler = {fill, most, stream, arena};
	struct wire_command command = {.kind = kind};

	if (fill == WIRE_LARGEST)
		command.mesh = UINT16_MAX;
	else if (fill == WIRE_RANDOM)
		command.mesh = (uint16_t)(stream_next(stream) & UINT16_MAX);
	switch (kind) {
#define COMMAND(name, Name, help)                                                                  \
	case WIRE_##name:                                                                          \
		fill_##name(&filler, &command.name);                                               \
		break;
#include "wire/commands.def"
	case WIRE_NO_COMMAND:
	case WIRE_KIND_COUNT:
		break;
	}
	if (kind == WIRE_enqueue_program)
		fix_program(&command.enqueue_program, arena);
	if (kind == WIRE_set_runtime_args)
		fix_args(&command.set_runtime_args, arena);
	return command;
}

/* ---- comparing ---- */

static const char *bytes_differ(
	const char *field, const void *one, const void *other, uint32_t count, uint32_t others)
{
	return count != others || (count > 0 && memcmp(one, other, count) != 0) ? field : NULL;
}

#define RECORD(name, Name)                                                                         \
	static const char *name##_differs(                                                         \
		const struct wire_##name *one, const struct wire_##name *other)                    \
	{                                                                                          \
		const char *differs = NULL;
#define COMMAND(name, Name, help) RECORD(name, Name)
#define NUMBER(bits, name, max)                                                                    \
	if (!differs && one->name != other->name)                                                  \
		differs = #name;
#define BYTES(name, max)                                                                           \
	if (!differs)                                                                              \
		differs = bytes_differ(                                                            \
			#name, one->name.at, other->name.at, one->name.count, other->name.count);
#define WORDS(name, max)                                                                           \
	if (!differs)                                                                              \
		differs = bytes_differ(#name, one->name.at, other->name.at, 4 * one->name.count,   \
			4 * other->name.count);
#define LIST(record, name, max)                                                                    \
	if (!differs && one->name.count != other->name.count)                                      \
		differs = #name;                                                                   \
	for (uint32_t i = 0; !differs && i < one->name.count; i++)                                 \
		differs = record##_differs(&one->name.at[i], &other->name.at[i]);
#define END(name)                                                                                  \
	return differs;                                                                            \
	}
#include "wire/commands.def"

const char *wire_difference(const struct wire_command *one, const struct wire_command *other)
{
	if (one->kind != other->kind)
		return "kind";
	if (one->mesh != other->mesh)
		return "mesh";
	switch (one->kind) {
#define COMMAND(name, Name, help)                                                                  \
	case WIRE_##name:                                                                          \
		return name##_differs(&one->name, &other->name);
#include "wire/commands.def"
	case WIRE_NO_COMMAND:
	case WIRE_KIND_COUNT:
		break;
	}
	return "kind";
}
