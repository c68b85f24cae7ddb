/* label: full
 * Tests letters. A letter is the memory for a decoded message, and can be used again for other
 * messages. A used letter must be able to read a message of any size, and an emptied letter must
 * hold no reference to its message. */

#include "test.h"

#include "check.h"
#include "distributed/common/mail.h"
#include "wire_commands.h"
#include "world/native/native.h"
#include "world/world.h"

enum { LETTERS = 2000, SOME = 1000 };

/* The encoder and the decoder of a host. */
struct ends {
	struct mail_writer writer;
	struct letter letter;
};

static void pass(struct ends *ends, struct wire_command command)
{
	const struct wire_codec *codec = ends->writer.codec;
	struct span message;
	const char *differs;

	check_status(mail_write(&ends->writer, &command, &message, NULL), STATUS_OK);
	span_hold(message); /* kept for as long as the letter is used */
	check_status(letter_read(&ends->letter, codec, message, NULL), STATUS_OK);
	differs = wire_difference(&ends->letter.command, &command);
	check(differs == NULL, "%s: %s differs", codec->entry.name, differs);
	letter_empty(&ends->letter);
	check_equal(message.extent->references, 1);
	span_release(message);
}

static void a_letter_that_is_used_again_reads_as_a_new_one(void **codec)
{
	struct ends ends = {.letter = {.lost = false}};
	struct stream stream;
	struct arena arena;

	arena_init(&arena);
	stream_init(&stream, 1, "letters");
	mail_writer_init(&ends.writer, *codec);
	for (uint32_t i = 0; i < LETTERS; i++) {
		enum wire_kind kind = 1 + stream_below(&stream, WIRE_KIND_COUNT - 1);

		pass(&ends, wire_command_make(kind, WIRE_RANDOM, SOME, &stream, &arena));
	}
	/* Larger than the initial scratch memory. */
	pass(&ends, wire_command_make(WIRE_write_buffer, WIRE_LARGEST, 0, NULL, &arena));
	letter_fini(&ends.letter);
	mail_writer_fini(&ends.writer);
	arena_fini(&arena);
}

int main(void)
{
	static const struct wire_case cases[] = {
		WIRE_CASE(a_letter_that_is_used_again_reads_as_a_new_one),
	};

	world = &native_world;
	native_world_start(NULL);
	return wire_cases_run("mail", cases, sizeof cases / sizeof cases[0]);
}
