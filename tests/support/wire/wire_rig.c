/* Memory for tests of codecs. Each block has exactly the size that the codec's interface promises,
 * so that a sanitizer detects accesses past its end. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "check.h"
#include "wire_commands.h"

void wire_rig_init(struct wire_rig *rig, const struct wire_codec *codec)
{
	*rig = (struct wire_rig){.codec = codec};
}

void wire_rig_fini(struct wire_rig *rig)
{
	arena_fini(&rig->arena);
	free(rig->memory);
	free(rig->scratch.memory);
}

static void scratch_for(struct wire_rig *rig, size_t frame_bytes)
{
	rig->scratch.used = 0;
	if (rig->scratch.bytes >= wire_scratch_bytes(frame_bytes))
		return;
	free(rig->scratch.memory);
	rig->scratch.bytes = wire_scratch_bytes(frame_bytes);
	/* not set to 0, because megabytes of it are never used */
	rig->scratch.memory = allocate_more(NULL, 1, rig->scratch.bytes);
}

void wire_rig_encode(struct wire_rig *rig, const struct wire_command *command)
{
	size_t room = wire_frame_bytes(rig->codec, command);
	struct wire_bytes frame;
	struct text why = {0};
	enum status status;

	scratch_for(rig, room);
	free(rig->memory);
	rig->memory = allocate(1, room);
	rig->room = room;
	status = wire_encode(rig->codec, command, &rig->scratch, rig->memory, room, &frame, &why);
	check(status == STATUS_OK, "%s: %s: %s", rig->codec->entry.name, status_name(status),
		text_string(&why));
	rig->frame = rig->memory + (frame.at - rig->memory);
	rig->bytes = frame.count;
	check_at_most(rig->frame + rig->bytes - rig->memory, room);
	check_equal(rig->scratch.used, 0);
	text_fini(&why);
}

enum status wire_rig_decode(struct wire_rig *rig, const uint8_t *frame, size_t bytes,
	struct wire_command *command, struct text *why)
{
	uint8_t *exact = arena_alloc(&rig->arena, bytes), *block = malloc(bytes ? bytes : 1);
	enum status status;

	/* Decode twice. First decode from a block of malloc() that has exactly this size, so that
	 * sanitizers detect reads past its end. Then decode from a copy in the arena, because the
	 * result may refer to the bytes, and the block is freed. */
	check(block, "no memory");
	memcpy(exact, frame, bytes);
	memcpy(block, frame, bytes);
	scratch_for(rig, bytes);
	status = wire_decode(rig->codec, block, bytes, &rig->scratch, command, NULL);
	rig->scratch.used = 0;
	check_equal(wire_decode(rig->codec, exact, bytes, &rig->scratch, command, why), status);
	free(block);
	return status;
}

enum status wire_rig_try(struct wire_rig *rig, const uint8_t *frame, size_t bytes)
{
	struct wire_rig again;
	struct wire_command command, back;
	struct text why = {0};
	enum status status;

	arena_fini(&rig->arena);
	status = wire_rig_decode(rig, frame, bytes, &command, &why);
	check(status != STATUS_NO_SPACE, "%s", text_string(&why));
	check((status == STATUS_OK) == (text_string(&why)[0] == 0), "%s: '%s'", status_name(status),
		text_string(&why));
	if (status == STATUS_OK) {
		const char *differs;

		check_status(wire_check(&command, NULL), STATUS_OK);
		wire_rig_init(&again, rig->codec);
		wire_rig_encode(&again, &command);
		check_status(
			wire_rig_decode(&again, again.frame, again.bytes, &back, NULL), STATUS_OK);
		differs = wire_difference(&command, &back);
		check(!differs, "%s: %s differs", wire_kind_name(command.kind), differs);
		wire_rig_fini(&again);
	}
	text_fini(&why);
	return status;
}

static void skipped(void **codec)
{
	(void)codec;
	skip();
}

enum { CASES_MAX = 128 };

int wire_cases_run(const char *suite, const struct wire_case *cases, size_t count)
{
	static struct CMUnitTest tests[CASES_MAX];
	static char names[CASES_MAX][256];
	size_t used = 0;

	for (size_t at = 0; wire_codec_row(at); at++) {
		const struct wire_codec *codec = wire_codec_row(at);
		void *state;

		memcpy(&state, &codec, sizeof state);
		for (size_t i = 0; i < (codec->ops ? count : 1); i++, used++) {
			check_less(used, CASES_MAX);
			snprintf(names[used], sizeof names[used], "%s: %s%s", codec->entry.name,
				codec->ops ? cases[i].name : "absent: apt install ",
				codec->ops ? "" : codec->packages);
			tests[used] = (struct CMUnitTest){.name = names[used],
				.test_func = codec->ops ? cases[i].run : skipped,
				.initial_state = state};
		}
	}
	return _cmocka_run_group_tests(suite, tests, used, NULL, NULL);
}
