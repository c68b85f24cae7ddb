/* label: slow  timeout: 900  long: 900  needs: simgrid
 * Damages parts of results and result files at random, from a seed: 33 of each, or a hundred of
 * each in the long test. MESHSIM_DAMAGED sets another number. meshsim must either reject a damaged
 * file or give the right results. It must never give wrong results with exit code 0. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/stream.h"
#include "base/text.h"
#include "shell.h"
#include "strip_host.h"

enum { SEED = 17, RUNS = 6, SEAL_BYTES = 32 };

static uint32_t damaged_count;

static struct stream stream;

/* Kinds of damage by a disk, a copy or an editor. */
enum damage { FLIP_BIT, OVERWRITE, ZERO, CUT, EXTEND, LOSE_SEAL, LOSE_SEAL_AND_FLIP, DAMAGES };

static const char *const damage_names[DAMAGES] = {"a flipped bit", "overwritten bytes",
	"a block of zeros", "cut off", "longer", "without its seal",
	"without its seal, a flipped bit"};

/* ---- files ---- */

static void write_all(const char *path, const struct text *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text_string(text), 1, text->length, file), text->length);
	fclose(file);
}

static void flip_bit(struct text *text)
{
	if (text->length > 0)
		text->bytes[stream_below(&stream, text->length)] ^=
			(char)(1 << stream_below(&stream, 8));
}

static void fill(struct text *text, size_t most, bool zero)
{
	size_t length = 1 + stream_below(&stream, most), at;

	if (text->length == 0)
		return;
	at = stream_below(&stream, text->length);
	for (size_t i = at; i < at + length && i < text->length; i++)
		text->bytes[i] = zero ? 0 : (char)stream_below(&stream, 256);
}

static enum damage damage_file(const char *path)
{
	enum damage damage = (enum damage)stream_below(&stream, DAMAGES);
	struct text text = {0};

	assert_true(file_read(path, FILE_BYTES_MAX, &text, NULL));
	switch (damage) {
	case FLIP_BIT:
		flip_bit(&text);
		break;
	case OVERWRITE:
		fill(&text, 64, false);
		break;
	case ZERO:
		fill(&text, 4096, true);
		break;
	case CUT:
		text.length = stream_below(&stream, text.length + 1);
		break;
	case EXTEND:
		text_append_bytes(&text, "0123456789abcdef", 1 + stream_below(&stream, 16));
		break;
	case LOSE_SEAL:
	case LOSE_SEAL_AND_FLIP:
	case DAMAGES:
		text.length -= text.length < SEAL_BYTES ? text.length : SEAL_BYTES;
		if (damage == LOSE_SEAL_AND_FLIP)
			flip_bit(&text);
		break;
	}
	write_all(path, &text);
	text_fini(&text);
	return damage;
}

/* ---- commands ---- */

static const char scenario[] =
	"meshsim: 1\nname: sweep\nplatform: n150\nworkload:\n"
	"  - repeat: 4\n    do: [{enqueue_workload: {cores: 4}}, finish]\n"
	"sweep:\n  workload.0.repeat: [4, 8, 200]\n  runtime.completion: [table, per-device]\n";

/* Makes a result file and its baseline. Also makes the parts (one file for each run) of two more
 * sweeps; the second sweep has another seed. A sweep normally deletes its parts after it has merged
 * them. Here, a limit for the size of files makes both sweeps fail before they have merged the
 * parts. */
static int make_files(void **state)
{
	const char *count = getenv("MESHSIM_DAMAGED");
	struct text text = {0};
	struct stat info;

	(void)state;
	damaged_count = count			 ? (uint32_t)strtoul(count, NULL, 10)
			: getenv("MESHSIM_LONG") ? 100
						 : 33;
	if (shell_folder_enter(NULL) != 0)
		return -1;
	stream_init(&stream, SEED, "damage");
	text_append(&text, scenario);
	write_all("sweep.yaml", &text);
	text_fini(&text);
	if (shell("\"$MESHSIM_BINARY\" run sweep.yaml -o good.h5 >/dev/null") != 0 ||
		stat("good.h5", &info) != 0)
		return -1;
	shell("(trap '' XFSZ; ulimit -f %ld; \"$MESHSIM_BINARY\" run sweep.yaml -o kept.h5; "
	      "\"$MESHSIM_BINARY\" run sweep.yaml --seed 9 -o other.h5) >/dev/null 2>&1",
		(long)info.st_size / 512 * 4 / 5);
	if (shell("[ $(ls kept.h5.partial/*.h5 other.h5.partial/*.h5 | wc -l) = %d ]", 2 * RUNS))
		return -1;
	return strip_host("good.h5", "good.bare") &&
			       shell("\"$MESHSIM_BINARY\" check good.h5 --baseline b.yaml --update "
				     ">/dev/null") == 0
		       ? 0
		       : -1;
}

/* ---- parts ---- */

/* Damages one of the files of x.h5.partial, or replaces it by a file of another scenario, or
 * exchanges two of them. */
static void damage_parts(struct text *what)
{
	char path[64];
	unsigned run = (unsigned)stream_below(&stream, RUNS);
	unsigned other = (unsigned)stream_below(&stream, RUNS);

	switch (stream_below(&stream, 10)) {
	case 0:
		text_printf(what, "parts %u and %u exchanged", run, other);
		shell("cp kept.h5.partial/%06u.h5 x.h5.partial/%06u.h5", other, run);
		shell("cp kept.h5.partial/%06u.h5 x.h5.partial/%06u.h5", run, other);
		return;
	case 1:
		text_printf(what, "part %u of another seed", run);
		shell("cp other.h5.partial/%06u.h5 x.h5.partial/%06u.h5", run, run);
		return;
	case 2:
		snprintf(path, sizeof path, "x.h5.partial/%06u.host", run);
		break;
	case 3:
		snprintf(path, sizeof path, "x.h5.partial/state");
		break;
	default:
		snprintf(path, sizeof path, "x.h5.partial/%06u.h5", run);
		break;
	}
	text_printf(what, "%s: ", path);
	text_append(what, damage_names[damage_file(path)]);
}

TEST(damaged_parts_are_refused_or_run_again)
{
	uint32_t right = 0, refused = 0;

	for (uint32_t i = 0; i < damaged_count; i++) {
		struct text what = {0};
		int code;

		shell("rm -rf x.h5* && cp -r kept.h5.partial x.h5.partial");
		for (uint64_t count = 1 + stream_below(&stream, 2); count > 0; count--) {
			text_append(&what, what.length ? "; " : "");
			damage_parts(&what);
		}
		code = shell(
			"\"$MESHSIM_BINARY\" run sweep.yaml -o x.h5 --resume >/dev/null 2>err");
		if (code == 0 && strip_host("x.h5", "x.bare") && same_bytes("x.bare", "good.bare"))
			right++;
		else if (code == 2 && access("x.h5", F_OK) != 0)
			refused++;
		else
			fail_msg("%u, %s: exit code %d", i, text_string(&what), code);
		text_fini(&what);
	}
	print_message("parts: %u right, %u refused\n", right, refused);
	assert_true(right > damaged_count / 2); /* a damaged part must not discard the others */
}

/* ---- result files ---- */

/* %s is the file. The last one also writes to x.out. */
static const char *const questions[] = {
	"\"$MESHSIM_BINARY\" show %s --json >x.out 2>err",
	"\"$MESHSIM_BINARY\" check %s --baseline b.yaml >x.out 2>err",
	"\"$MESHSIM_BINARY\" compare %s --json >x.out 2>err",
	"\"$MESHSIM_BINARY\" explain %s 0 5 --json >x.out 2>err",
	"\"$MESHSIM_BINARY\" report %s --no-errors --model -o - >x.out 2>err",
	"\"$MESHSIM_BINARY\" timeline %s 3 -o - >x.out 2>err",
	"\"$MESHSIM_BINARY\" run sweep.yaml --resume -o %s >x.out 2>err",
};

enum { QUESTIONS = sizeof questions / sizeof *questions };

static void ask(unsigned question, const char *what, uint32_t *right, uint32_t *refused)
{
	int code = shell(questions[question], "x.h5");
	char answer[32];

	snprintf(answer, sizeof answer, "answer-%u", question);
	if (code == 0 && same_bytes("x.out", answer))
		++*right;
	else if (code == 2)
		++*refused;
	else
		fail_msg("%s, %s: exit code %d", what, questions[question], code);
}

TEST(damaged_result_files_are_refused_or_right)
{
	uint32_t right = 0, refused = 0;

	shell("cp good.h5 x.h5");
	for (unsigned question = 0; question < QUESTIONS; question++) {
		assert_int_equal(shell(questions[question], "x.h5"), 0);
		shell("mv x.out answer-%u", question);
	}
	for (uint32_t i = 0; i < damaged_count; i++) {
		enum damage damage;

		shell("rm -rf x.h5* && cp good.h5 x.h5");
		damage = damage_file("x.h5");
		ask(0, damage_names[damage], &right, &refused);
		ask(1 + i % (QUESTIONS - 1), damage_names[damage], &right, &refused);
	}
	print_message("result files: %u answers right, %u refused\n", right, refused);
	assert_int_equal(right + refused, 2 * damaged_count);
}

TEST_MAIN(make_files, shell_folder_remove)
