/* label: slow  timeout: 900
 * Fuzzes the reader of result files and the code that uses it. An input is a list of changes to a
 * file: a valid result, a part, or one of the forgeries of support/results/forged.h. After the
 * changes, the file gets a valid seal, because the reader would otherwise reject it for its seal
 * alone. The first byte of the input selects the file. Each change has three bytes for its place,
 * one for its kind, and up to eight for the value. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/operations/operations.h"
#include "analysis/read/run_tables.h"
#include "base/ensure.h"
#include "base/file/file.h"
#include "base/hash.h"
#include "forged.h"
#include "planted.h"
#include "test_folder.h"
#include "toy_part.h"
#include "toy_results.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
	SEAL_BYTES = 32,
	IDENTITY = 1,
	PLAIN_FILES = 3,
	PART = 1,
	FILES_MAX = 256,
	CHANGES_MAX = 64
};

/* A file to be changed, without its seal. */
struct image {
	uint8_t *bytes;
	size_t length;
};

static void read_image(const char *path, struct image *image)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	struct stat info;

	ensure(file >= 0 && fstat(file, &info) == 0 && info.st_size > SEAL_BYTES, "no %s", path);
	image->length = (size_t)info.st_size - SEAL_BYTES;
	image->bytes = malloc(image->length);
	ensure(image->bytes && read(file, image->bytes, image->length) == (ssize_t)image->length,
		"cannot read %s", path);
	close(file);
	unlink(path);
}

/* Returns a file. Each file is created once, on first use. */
static const struct image *image_of(unsigned number)
{
	static struct image images[FILES_MAX];
	struct image *image = &images[number];
	const struct planted_run runs[] = {{.design = "a", .size = 1}, {.design = "b", .size = 1}};
	char path[512], good[512];

	if (image->bytes)
		return image;
	snprintf(path, sizeof path, "%s/image.h5", test_folder());
	snprintf(good, sizeof good, "%s/good.h5", test_folder());
	if (number == 0) {
		planted_write(path, test_folder(), runs, 2);
	} else if (number == PART) {
		toy_part_write(path, IDENTITY);
	} else if (number == 2) {
		toy_results_write(path, test_folder(), 2);
	} else {
		if (access(good, F_OK) != 0) /* created once, since HDF5 is slow */
			toy_results_write(good, test_folder(), 2);
		forged_write(good, "/runs/000000", &forgeries[number - PLAIN_FILES], path);
	}
	read_image(path, image);
	return image;
}

static uint64_t take(const uint8_t **data, size_t *size, unsigned bytes)
{
	uint64_t number = 0;

	for (; bytes > 0 && *size > 0; bytes--, (*size)--)
		number = number << 8 | *(*data)++;
	return number;
}

/* Sets, adds to or inverts a number of 1, 2, 4 or 8 bytes. */
static void change(uint8_t *bytes, size_t length, const uint8_t **data, size_t *size)
{
	size_t place = take(data, size, 3) % length;
	unsigned how = (unsigned)take(data, size, 1), width = 1u << (how & 3);
	uint64_t value = 0, given = take(data, size, how & 4 ? 1 : width);

	if (place + width > length)
		return;
	memcpy(&value, bytes + place, width);
	value = how & 8 ? given : how & 16 ? value ^ given : value + given;
	memcpy(bytes + place, &value, width);
}

/* Reads everything of a run that some command reads. */
static void read_run(struct summary *summary, uint64_t row)
{
	const char *group = summary_group(summary, row);
	struct arena arena = {0};
	struct text why = {0};
	struct operations operations;
	struct run_tables run;
	struct run_trace trace;
	char path[64];

	run_tables_read(summary, row, &arena, &run, &why);
	run_trace_read(summary, row, &arena, &trace, &why);
	if (operations_recorded(summary, group))
		operations_read(summary, group, &arena, &operations, &why);
	snprintf(path, sizeof path, "%s/scenario", group);
	result_document(summary->result, path, result_arena(summary->result));
	result_text(summary->result, group, "message");
	text_fini(&why);
	arena_fini(&arena);
}

static void read_result(const char *path)
{
	struct text why = {0};
	struct summary summary;

	if (summary_open(&summary, path, &why)) {
		for (uint64_t row = 0; row < summary.dataset.row_count && row < 4; row++)
			read_run(&summary, row);
		ensure(summary_whole(&summary, &why) || why.length > 0, "damage without words");
		summary_close(&summary);
	} else {
		ensure(why.length > 0, "refused without a word");
	}
	text_fini(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t size_given = size;
	unsigned number = (unsigned)take(&data, &size, 1) % (PLAIN_FILES + forgery_count);
	const struct image *image = image_of(number);
	uint8_t *bytes = malloc(image->length);
	char path[512];
	bool good;
	int file;

	/* The file needs a name: parts are not read through links such as those in /proc. */
	snprintf(path, sizeof path, "%s/fuzzed.h5", test_folder());
	file = file_create(path, 0600);
	ensure(bytes && file >= 0, "no room for %s", path);
	memcpy(bytes, image->bytes, image->length);
	for (int i = 0; i < CHANGES_MAX && size > 0; i++)
		change(bytes, image->length, &data, &size);
	ensure(write(file, bytes, image->length) == (ssize_t)image->length, "no room");
	ensure(seal_append(path, IDENTITY) == STATUS_OK, "no seal");
	read_result(path);
	good = toy_part_read(path, IDENTITY);
	ensure(good || number != PART || size_given > 1, "an unchanged part is not read");
	close(file);
	unlink(path);
	free(bytes);
	return 0;
}
