/* A driver for LLVMFuzzerTestOneInput that needs no fuzzing library. It runs every seed (input
 * file) of a directory, and then mutations of the seeds, which are the same on every machine. A
 * child process does the work. If an assertion, a sanitizer or a hang ends the child, the driver
 * prints the number of the mutation, so that this mutation can be repeated.
 *
 *     PROGRAM CORPUS [COUNT [FIRST]]      runs COUNT mutations, beginning with number FIRST */
#define _GNU_SOURCE
#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/stream.h"

enum { SEEDS_MAX = 256, SEED_BYTES_MAX = 1 << 16, COUNT_DEFAULT = 20000, SECONDS_MAX = 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Options for AddressSanitizer. By default, it leaves freed memory unused for a long time, to
 * detect accesses to this memory. Fuzzing would then take three times as long. So here, freed
 * memory is reused after a few inputs. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "quarantine_size_mb=16:thread_local_quarantine_size_kb=256:malloc_context_size=8";
}

struct input {
	uint8_t bytes[2 * SEED_BYTES_MAX];
	size_t size;
};

static struct input *seeds[SEEDS_MAX];
static unsigned seed_count;

static void read_seed(const char *path)
{
	FILE *file = fopen(path, "rb");
	struct input *seed;

	if (!file || seed_count == SEEDS_MAX) {
		fprintf(stderr, "cannot take seed %s\n", path);
		exit(2);
	}
	seed = calloc(1, sizeof(*seed));
	if (!seed)
		exit(2);
	seed->size = fread(seed->bytes, 1, SEED_BYTES_MAX, file);
	fclose(file);
	seeds[seed_count++] = seed;
}

static void read_seeds(const char *directory)
{
	char pattern[4096];
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/*", directory);
	if (glob(pattern, 0, NULL, &found) != 0) {
		fprintf(stderr, "no seeds in %s\n", directory);
		exit(2);
	}
	for (size_t i = 0; i < found.gl_pathc; i++)
		read_seed(found.gl_pathv[i]);
	globfree(&found);
}

/* Replaces `removed` bytes at `at` by `added` bytes of `from`. */
static void splice(
	struct input *input, size_t at, size_t removed, const uint8_t *from, size_t added)
{
	uint8_t copy[SEED_BYTES_MAX];

	if (added > sizeof(copy) || input->size - removed + added > SEED_BYTES_MAX)
		return;
	memcpy(copy, from, added);
	memmove(input->bytes + at + added, input->bytes + at + removed, input->size - at - removed);
	memcpy(input->bytes + at, copy, added);
	input->size += added - removed;
}

static void mutate(struct input *input, struct stream *stream)
{
	static const char *const words[] = {"\n", " ", "  ", ": ", "- ", "? ", "[", "]", "{", "}",
		", ", "#", "&a ", "*a", "<<: ", "!!str ", "|\n", ">\n", "\"", "'", "---\n", "...\n",
		"%", "@", "\\", "\\u0000", "\t", "\r", "0x", "1e9", "-", "~", "true", "\xc3",
		"\xe2\x80\xa8", "\xef\xbb\xbf", "<", ">", "=", "//"};
	const struct input *other = seeds[stream_below(stream, seed_count)];
	size_t at = stream_below(stream, input->size + 1), rest = input->size - at;
	size_t length = rest ? stream_below(stream, rest < 64 ? rest : 64) + 1 : 0;
	size_t from = stream_below(stream, other->size + 1);
	const char *word = words[stream_below(stream, sizeof(words) / sizeof(words[0]))];
	uint8_t byte = (uint8_t)stream_next(stream);

	switch (stream_below(stream, 7)) {
	case 0:
		splice(input, at, 0, (const uint8_t *)word, strlen(word));
		break;
	case 1:
		splice(input, at, length, (const uint8_t *)word, strlen(word));
		break;
	case 2:
		splice(input, at, length, input->bytes, 0);
		break;
	case 3:
		splice(input, at, 0, input->bytes + at, length);
		break;
	case 4:
		length = other->size - from < 64 ? other->size - from : 64;
		splice(input, at, 0, other->bytes + from, length);
		break;
	case 5:
		if (rest)
			input->bytes[at] ^= (uint8_t)(1u << (byte & 7));
		break;
	default:
		splice(input, at, 0, &byte, 1);
	}
}

/* Runs mutation `number`, or seed -`number` - 1. */
static void run(long number)
{
	struct stream stream;
	struct input input;
	uint8_t *exact;
	char role[64];
	uint64_t count;

	snprintf(role, sizeof(role), "mutation/%ld", number);
	stream_init(&stream, 1, role);
	if (number < 0)
		input = *seeds[-number - 1];
	else
		input = *seeds[stream_below(&stream, seed_count)];
	count = number < 0 ? 0 : 1 + stream_below(&stream, 6);
	while (count--)
		mutate(&input, &stream);
	/* a block of exactly this size, so that sanitizers detect reads beyond its end */
	exact = malloc(input.size ? input.size : 1);
	if (!exact)
		exit(2);
	memcpy(exact, input.bytes, input.size);
	LLVMFuzzerTestOneInput(exact, input.size);
	free(exact);
}

static void run_all(long first, long count, volatile long *current)
{
	for (*current = -(long)seed_count; *current < 0; ++*current) {
		alarm(SECONDS_MAX);
		run(*current);
	}
	for (*current = first; *current < first + count; ++*current) {
		alarm(SECONDS_MAX);
		run(*current);
	}
}

int main(int argc, char **argv)
{
	long count = argc > 2 ? atol(argv[2]) : COUNT_DEFAULT, first = argc > 3 ? atol(argv[3]) : 0;
	volatile long *current = mmap(
		NULL, sizeof(*current), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status = 0;
	pid_t child;

	if (argc < 2 || current == MAP_FAILED)
		return 2;
	read_seeds(argv[1]);
	fflush(NULL);
	child = fork();
	if (child == 0) {
		run_all(first, count, current);
		exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return 2;
	if (status != 0) {
		fprintf(stderr, "ended with %s %d at input %ld; replay: %s %s 1 %ld\n",
			WIFSIGNALED(status) ? "signal" : "status",
			WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), *current,
			argv[0], argv[1], *current);
		return 1;
	}
	printf("%u seeds, %ld mutations\n", seed_count, count);
	return 0;
}
