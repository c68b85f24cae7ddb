/* label: full  timeout: 400
 * Tests the contract of wire/codec.h, on every codec. After encoding and decoding, a command has
 * the same values, and its sizes are within the promised limits. Frames of other programs are
 * rejected. A damaged frame is rejected, or it gives a valid command. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "check.h"
#include "wire_commands.h"

enum { RANDOM_COMMANDS = 300, RANDOM_MOST = 40, AT_BYTES = 8 };

static void come_back(struct wire_rig *rig, const struct wire_command *command)
{
	struct wire_command back;
	struct text why = {0};
	const char *differs;
	enum status status;

	wire_rig_encode(rig, command);
	status = wire_rig_decode(rig, rig->frame, rig->bytes, &back, &why);
	check(status == STATUS_OK, "%s: %s", status_name(status), text_string(&why));
	differs = wire_difference(command, &back);
	check(!differs, "%s: %s differs", wire_kind_name(command->kind), differs);
	text_fini(&why);
}

static void every_command_comes_back_as_it_went(void **codec)
{
	for (enum wire_kind kind = 1; kind < WIRE_KIND_COUNT; kind++) {
		struct wire_rig rig;
		struct wire_command command;
		struct stream stream;

		wire_rig_init(&rig, *codec);
		command = wire_command_make(kind, WIRE_EMPTY, 0, NULL, &rig.arena);
		come_back(&rig, &command);
		command = wire_command_make(kind, WIRE_LARGEST, 0, NULL, &rig.arena);
		come_back(&rig, &command);
		stream_init(&stream, 7, wire_kind_name(kind));
		for (uint32_t i = 0; i < RANDOM_COMMANDS; i++) {
			command = wire_command_make(
				kind, WIRE_RANDOM, RANDOM_MOST, &stream, &rig.arena);
			come_back(&rig, &command);
		}
		wire_rig_fini(&rig);
	}
}

static void the_same_command_gives_the_same_bytes(void **codec)
{
	struct wire_rig one, other;
	struct wire_bytes frame;
	struct stream stream;

	stream_init(&stream, 7, "same");
	wire_rig_init(&one, *codec);
	wire_rig_init(&other, *codec);
	for (enum wire_kind kind = 1; kind < WIRE_KIND_COUNT; kind++) {
		struct wire_command command =
			wire_command_make(kind, WIRE_RANDOM, RANDOM_MOST, &stream, &one.arena);

		wire_rig_encode(&one, &command);
		/* again, with other initial contents of the memory */
		wire_rig_encode(&other, &command);
		memset(other.memory, 0xa5, other.room);
		memset(other.scratch.memory, 0x5a, other.scratch.bytes);
		check_status(wire_encode(*codec, &command, &other.scratch, other.memory, one.room,
				     &frame, NULL),
			STATUS_OK);
		check_equal(frame.count, one.bytes);
		check(memcmp(one.frame, frame.at, one.bytes) == 0, "%s: other bytes",
			wire_kind_name(kind));
	}
	wire_rig_fini(&one);
	wire_rig_fini(&other);
}

static void a_frame_may_lie_anywhere(void **codec)
{
	struct wire_rig rig;
	struct stream stream;

	stream_init(&stream, 7, "anywhere");
	wire_rig_init(&rig, *codec);
	for (enum wire_kind kind = 1; kind < WIRE_KIND_COUNT; kind++) {
		struct wire_command command =
			wire_command_make(kind, WIRE_RANDOM, RANDOM_MOST, &stream, &rig.arena);
		struct wire_command back;

		wire_rig_encode(&rig, &command);
		for (size_t shift = 1; shift < WIRE_ALIGN; shift++) {
			uint8_t *moved = allocate(1, rig.bytes + shift);

			memcpy(moved + shift, rig.frame, rig.bytes);
			rig.scratch.used = 0;
			check_status(wire_decode(*codec, moved + shift, rig.bytes, &rig.scratch,
					     &back, NULL),
				STATUS_OK);
			check(!wire_difference(&command, &back), "%s differs",
				wire_difference(&command, &back));
			free(moved);
		}
	}
	wire_rig_fini(&rig);
}

/* Encodes a small random command of a kind. */
static void encode_small(struct wire_rig *rig, enum wire_kind kind, struct stream *stream)
{
	struct wire_command command = wire_command_make(kind, WIRE_RANDOM, 5, stream, &rig->arena);

	wire_rig_encode(rig, &command);
}

static void put_length(uint8_t *frame, size_t body_bytes)
{
	for (int i = 0; i < 4; i++)
		frame[AT_BYTES + i] = (uint8_t)(body_bytes >> 8 * i);
}

static void a_frame_that_ends_early_is_refused(void **codec)
{
	struct wire_command command;
	struct wire_rig rig, trial;
	struct stream stream;

	stream_init(&stream, 7, "short");
	wire_rig_init(&rig, *codec);
	wire_rig_init(&trial, *codec);
	for (enum wire_kind kind = 1; kind < WIRE_KIND_COUNT; kind++) {
		encode_small(&rig, kind, &stream);
		for (size_t bytes = 0; bytes < rig.bytes; bytes++) {
			check_status(wire_rig_decode(&trial, rig.frame, bytes, &command, NULL),
				STATUS_INVALID);
			if (bytes < WIRE_HEADER_BYTES)
				continue;
			/* Now the header says the shorter length, too. Some codecs detect that
			 * bytes are missing, and reject the frame; others cannot. Both results are
			 * allowed. */
			put_length(rig.frame, bytes - WIRE_HEADER_BYTES);
			wire_rig_try(&trial, rig.frame, bytes);
			put_length(rig.frame, rig.bytes - WIRE_HEADER_BYTES);
		}
	}
	wire_rig_fini(&rig);
	wire_rig_fini(&trial);
}

static void no_flipped_bit_does_harm(void **codec)
{
	struct wire_rig rig, trial;
	struct stream stream;

	stream_init(&stream, 7, "flipped");
	wire_rig_init(&rig, *codec);
	wire_rig_init(&trial, *codec);
	for (enum wire_kind kind = 1; kind < WIRE_KIND_COUNT; kind++) {
		uint32_t refused = 0;

		encode_small(&rig, kind, &stream);
		for (size_t at = 0; at < rig.bytes; at++) {
			uint8_t byte = rig.frame[at];

			for (int flip = 0; flip < 10; flip++) {
				rig.frame[at] = (uint8_t)(flip < 8    ? byte ^ 1 << flip
							  : flip == 8 ? 0xff
								      : 0);
				refused += wire_rig_try(&trial, rig.frame, rig.bytes) != STATUS_OK;
			}
			rig.frame[at] = byte;
		}
		check_less(8 * 4, refused);
	}
	wire_rig_fini(&rig);
	wire_rig_fini(&trial);
}

/* ---- refusals, with their sentences ---- */

static void expect_refusal(struct wire_rig *rig, enum status expected, const char *sentence)
{
	struct wire_command command;
	struct text why = {0};

	check_status(wire_rig_decode(rig, rig->frame, rig->bytes, &command, &why), expected);
	check(strcmp(text_string(&why), sentence) == 0, "'%s', expected '%s'", text_string(&why),
		sentence);
	text_fini(&why);
}

static void another_major_version_is_refused_with_both_named(void **codec)
{
	struct wire_rig rig;
	struct stream stream;

	stream_init(&stream, 7, "version");
	wire_rig_init(&rig, *codec);
	encode_small(&rig, WIRE_enqueue_finish, &stream);
	rig.frame[4] = WIRE_MAJOR + 1;
	rig.frame[6] = 3;
	expect_refusal(&rig, STATUS_UNSUPPORTED, "command of version 2.3, this program reads 1.x");
	assert_null(wire_codec_of(rig.frame, rig.bytes));
	rig.frame[4] = WIRE_MAJOR;
	assert_ptr_equal(wire_codec_of(rig.frame, rig.bytes), *codec);
	assert_int_equal(wire_rig_try(&rig, rig.frame, rig.bytes), STATUS_OK);
	wire_rig_fini(&rig);
}

static void frames_of_others_are_refused(void **codec)
{
	struct wire_rig rig;
	struct stream stream;
	struct text sentence = {0};
	const struct wire_codec *other = wire_codec_row(wire_codec_row(0) == *codec ? 1 : 0);

	stream_init(&stream, 7, "others");
	wire_rig_init(&rig, *codec);
	encode_small(&rig, WIRE_record_event, &stream);
	rig.frame[5] = 99;
	text_printf(&sentence, "command written by an unknown codec, read as %s",
		rig.codec->entry.name);
	expect_refusal(&rig, STATUS_UNSUPPORTED, text_string(&sentence));
	if (other) {
		rig.frame[5] = (uint8_t)other->id;
		text_clear(&sentence);
		text_printf(&sentence, "command written by %s, read as %s", other->entry.name,
			rig.codec->entry.name);
		expect_refusal(&rig, STATUS_UNSUPPORTED, text_string(&sentence));
	}
	rig.frame[5] = (uint8_t)rig.codec->id;
	rig.frame[12] = 77;
	expect_refusal(&rig, STATUS_UNSUPPORTED,
		"command 77 of version 1.11, this program of version 1.11 has 38");
	rig.frame[0] = 'x';
	expect_refusal(&rig, STATUS_INVALID, "not a command of meshsim");
	text_fini(&sentence);
	wire_rig_fini(&rig);
}

/* Encodes the command twice, with two values of one field. With every codec, the byte in which the
 * two frames differ contains this value. */
static void what_is_past_its_limit_is_refused(void **codec)
{
	struct wire_command command = {.kind = WIRE_enqueue_finish,
		.enqueue_finish = {.number = 5, .queue = 1, .reach = 1}};
	struct wire_rig rig, other;
	struct wire_bytes frame;
	struct text why = {0};
	size_t at = 0;

	wire_rig_init(&rig, *codec);
	wire_rig_init(&other, *codec);
	wire_rig_encode(&rig, &command);
	command.enqueue_finish.reach = 2;
	wire_rig_encode(&other, &command);
	while (at < rig.bytes && rig.frame[at] == other.frame[at])
		at++;
	rig.frame[at] = 9;
	expect_refusal(&rig, STATUS_OUT_OF_RANGE, "ENQUEUE_FINISH: reach is 9, at most 2");
	command.enqueue_finish.reach = 3;
	check_status(
		wire_encode(*codec, &command, &rig.scratch, rig.memory, rig.room, &frame, &why),
		STATUS_OUT_OF_RANGE);
	assert_string_equal(text_string(&why), "ENQUEUE_FINISH: reach is 3, at most 2");
	text_fini(&why);
	wire_rig_fini(&rig);
	wire_rig_fini(&other);
}

static void an_index_of_nothing_is_refused(void **codec)
{
	struct wire_program program = {.rows = 8, .columns = 8};
	struct wire_cores cores = {0};
	struct wire_kernel kernels[2] = {{.bytes = 64}, {.bytes = 64, .program = 1}};
	struct wire_command command = {.kind = WIRE_enqueue_program,
		.enqueue_program = {
			.programs = {&program, 1}, .cores = {&cores, 1}, .kernels = {kernels, 2}}};
	struct wire_argument_set set = {.first = 3, .count = 3};
	const uint32_t words[5] = {1, 2, 3, 4, 5};
	struct wire_rig rig;
	struct wire_bytes frame;
	struct text why = {0};

	wire_rig_init(&rig, *codec);
	rig.memory = allocate(1, 4096);
	check_status(wire_encode(*codec, &command, &rig.scratch, rig.memory, 4096, &frame, &why),
		STATUS_OUT_OF_RANGE);
	assert_string_equal(text_string(&why), "ENQUEUE_PROGRAM: kernels[1].program is 1 of 1");
	text_clear(&why);
	kernels[1] = (struct wire_kernel){.bytes = 64, .acts = 1};
	command.enqueue_program.texts = (struct wire_bytes){(const uint8_t *)words, sizeof words};
	check_status(wire_encode(*codec, &command, &rig.scratch, rig.memory, 4096, &frame, &why),
		STATUS_OUT_OF_RANGE);
	assert_string_equal(
		text_string(&why), "ENQUEUE_PROGRAM: kernels[1].end in texts is 64, at most 20");
	text_clear(&why);
	command = (struct wire_command){.kind = WIRE_set_runtime_args,
		.set_runtime_args = {.sets = {&set, 1}, .words = {words, 5}}};
	check_status(wire_encode(*codec, &command, &rig.scratch, rig.memory, 4096, &frame, &why),
		STATUS_OUT_OF_RANGE);
	assert_string_equal(text_string(&why),
		"ENQUEUE_SET_RUNTIME_ARGS: sets[0].first + count is 6, at most 5");
	text_fini(&why);
	wire_rig_fini(&rig);
}

static void too_little_memory_is_a_status(void **codec)
{
	struct wire_rig rig;
	struct wire_command command, back;
	struct wire_scratch none = {0};
	struct stream stream;
	struct wire_bytes frame;

	stream_init(&stream, 7, "room");
	wire_rig_init(&rig, *codec);
	for (enum wire_kind kind = 1; kind < WIRE_KIND_COUNT; kind++) {
		command = wire_command_make(kind, WIRE_RANDOM, 9, &stream, &rig.arena);
		wire_rig_encode(&rig, &command);
		check_status(wire_encode(*codec, &command, &rig.scratch, rig.memory,
				     wire_frame_bytes(*codec, &command) - 1, &frame, NULL),
			STATUS_NO_SPACE);
		for (size_t given = 0; given < 2048; given += 61) {
			enum status status;

			none = (struct wire_scratch){malloc(given + 1), given, 0};
			status = wire_decode(*codec, rig.frame, rig.bytes, &none, &back, NULL);
			check(status == STATUS_OK || status == STATUS_NO_SPACE, "%s",
				status_name(status));
			if (status == STATUS_OK)
				check(!wire_difference(&command, &back), "%s differs",
					wire_difference(&command, &back));
			free(none.memory);
		}
	}
	wire_rig_fini(&rig);
}

int main(void)
{
	static const struct wire_case cases[] = {
		WIRE_CASE(every_command_comes_back_as_it_went),
		WIRE_CASE(the_same_command_gives_the_same_bytes),
		WIRE_CASE(a_frame_may_lie_anywhere),
		WIRE_CASE(a_frame_that_ends_early_is_refused),
		WIRE_CASE(no_flipped_bit_does_harm),
		WIRE_CASE(another_major_version_is_refused_with_both_named),
		WIRE_CASE(frames_of_others_are_refused),
		WIRE_CASE(what_is_past_its_limit_is_refused),
		WIRE_CASE(an_index_of_nothing_is_refused),
		WIRE_CASE(too_little_memory_is_a_status),
	};

	return wire_cases_run("wire", cases, sizeof cases / sizeof cases[0]);
}
