/* Probe of codecs. Measures how long each codec of this build encodes and decodes small commands,
 * commands with arguments, and commands with data. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "bench/tools/measure/samples.h"
#include "probe.h"
#include "wire/codec.h"

enum { CODECS_MAX = 16, COMMANDS_MAX = 16, WORDS_MAX = 8192, DATA_MAX = 65536, ROWS_MAX = 1024 };

struct subject {
	const struct wire_codec *codec;
	struct wire_command command;
	uint32_t words, payload_bytes;
	struct wire_scratch scratch;
	uint8_t *memory, *received; /* the frame as written, and as received */
	size_t room;
	struct wire_bytes frame;
	struct samples encode_ns, decode_ns;
};

static uint32_t words[WORDS_MAX];
static uint8_t data[DATA_MAX];
static const struct wire_argument_set one_set[] = {{.count = 0}};

static void codecs_encode(void *argument, uint32_t calls)
{
	struct subject *subject = argument;

	for (uint32_t i = 0; i < calls; i++) {
		ensure(wire_encode(subject->codec, &subject->command, &subject->scratch,
			       subject->memory, subject->room, &subject->frame, NULL) == STATUS_OK,
			"%s does not write", subject->codec->entry.name);
		clock_keep(subject->memory);
	}
}

static void codecs_decode(void *argument, uint32_t calls)
{
	struct subject *subject = argument;
	struct wire_command command;

	for (uint32_t i = 0; i < calls; i++) {
		subject->scratch.used = 0;
		ensure(wire_decode(subject->codec, subject->received, subject->frame.count,
			       &subject->scratch, &command, NULL) == STATUS_OK,
			"%s does not read", subject->codec->entry.name);
		clock_keep(&command);
	}
	subject->scratch.used = 0;
}

static void codecs_subject_init(struct subject *subject, const struct wire_codec *codec)
{
	subject->codec = codec;
	subject->room = wire_frame_bytes(codec, &subject->command);
	subject->memory = allocate(1, subject->room);
	subject->scratch.bytes = wire_scratch_bytes(subject->room);
	subject->scratch.memory = allocate(1, subject->scratch.bytes);
	codecs_encode(subject, 1);
	subject->received = allocate(1, subject->frame.count);
	memcpy(subject->received, subject->frame.at, subject->frame.count);
}

static void codecs_subject_fini(struct subject *subject)
{
	samples_fini(&subject->encode_ns);
	samples_fini(&subject->decode_ns);
	free(subject->memory);
	free(subject->received);
	free(subject->scratch.memory);
}

/* ---- commands ---- */

static struct subject small(enum wire_kind kind)
{
	struct subject subject = {.command = {.kind = kind}};

	subject.command.head.number = 4711;
	return subject;
}

static struct subject arguments(uint32_t count)
{
	struct subject subject = {.command = {.kind = WIRE_set_runtime_args}, .words = count};
	struct wire_set_runtime_args *args = &subject.command.set_runtime_args;

	args->number = 4711;
	args->sets.at = one_set;
	args->sets.count = 1;
	args->words = (struct wire_words){words, count};
	return subject;
}

static struct subject write_of(uint32_t bytes)
{
	struct subject subject = {.command = {.kind = WIRE_write_buffer}, .payload_bytes = bytes};

	subject.command.write_buffer.number = 4711;
	subject.command.write_buffer.data = (struct wire_bytes){data, bytes};
	return subject;
}

/* The commands that every codec encodes and decodes. */
static uint32_t make_commands(struct subject *subjects)
{
	const struct subject all[] = {small(WIRE_enqueue_finish), small(WIRE_record_event),
		small(WIRE_enqueue_trace), arguments(64), arguments(512), arguments(2048),
		arguments(WORDS_MAX), write_of(1024), write_of(4096), write_of(16384),
		write_of(DATA_MAX)};
	uint32_t count = sizeof all / sizeof *all;

	/* Use addresses, since most arguments of kernels are addresses. */
	for (uint32_t i = 0; i < WORDS_MAX; i++)
		words[i] = 0x10000 + 2048 * i;
	memcpy(subjects, all, sizeof all);
	return count;
}

/* ---- figures ---- */

static void add_line(struct probing *probing, const struct subject *subjects, uint32_t count,
	bool decoding, const char *verb)
{
	static const char *const terms[] = {"message", "argument_kib", "kib"};
	static struct regression_row rows[ROWS_MAX];
	struct regression line;
	uint32_t row_count = 0;
	bool good;

	for (uint32_t i = 0; i < count; i++) {
		const struct samples *of =
			decoding ? &subjects[i].decode_ns : &subjects[i].encode_ns;

		for (uint32_t round = 0; round < of->count && row_count < ROWS_MAX; round++)
			rows[row_count++] =
				(struct regression_row){.x = {1, subjects[i].words / 256.0,
								subjects[i].payload_bytes / 1024.0},
					.y = of->at[round],
					.round = round};
	}
	good = regression_fit(rows, row_count, 3, &line);
	for (uint32_t term = 0; term < 3; term++)
		probe_term(probing,
			arena_printf(&probing->out->arena, "codecs.%s.%s_%s",
				subjects[0].codec->entry.name, verb, terms[term]),
			"ps", 1e3, good ? &line : NULL, term,
			"small commands, 64 to 8192 arguments, writes of 1 to 64 KiB, CPU time");
}

static void codecs_measure(struct probing *probing, const struct wire_codec *codec)
{
	struct subject subjects[COMMANDS_MAX];
	uint32_t count = make_commands(subjects);

	probe_say(probing, codec->entry.name);
	for (uint32_t i = 0; i < count; i++)
		codecs_subject_init(&subjects[i], codec);
	for (uint32_t i = 0; i < count; i++) {
		probe_rounds(probing->pace, codecs_encode, &subjects[i], &subjects[i].encode_ns);
		probe_rounds(probing->pace, codecs_decode, &subjects[i], &subjects[i].decode_ns);
	}
	add_line(probing, subjects, count, false, "encode");
	add_line(probing, subjects, count, true, "decode");
	for (uint32_t i = 0; i < count; i++) {
		struct measurement *out = probing->out;

		ensure(out->coding_count < FIGURES_MAX, "too many codecs");
		out->codings[out->coding_count++] = (struct coding){.codec = codec->entry.name,
			.command = wire_kind_name(subjects[i].command.kind),
			.words = subjects[i].words,
			.payload_bytes = subjects[i].payload_bytes,
			.frame_bytes = subjects[i].frame.count,
			.encode_ns = samples_quantiles(&subjects[i].encode_ns),
			.decode_ns = samples_quantiles(&subjects[i].decode_ns)};
		codecs_subject_fini(&subjects[i]);
	}
}

static void codecs_run(struct probing *probing)
{
	for (size_t at = 0; wire_codec_row(at); at++)
		if (wire_codec_row(at)->ops)
			codecs_measure(probing, wire_codec_row(at));
}

const struct probe probe_codecs = {
	"codecs", "commands between hosts written and read by each codec", codecs_run};
