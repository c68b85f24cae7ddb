/* Appends seals to files and checks them (base/hash.h). */
#include "base/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ensure.h"

enum { BLOCK_BYTES = 1 << 18, WORD_BYTES = 8 };

/* The record as it is stored in the file, in the byte order of the machine. */
struct seal {
	uint64_t magic, identity, length, checksum;
};

static const uint64_t seal_magic = UINT64_C(0x0a6d697368736d01);

/* Mixes all bytes into the sum, eight in each step. Each step is invertible in the sum and in the
 * word. So if a single word is damaged, the final sum always differs. The multiplication spreads
 * bits upwards; the rotation moves high bits down. */
static uint64_t sum_words(uint64_t sum, const unsigned char *bytes, size_t length)
{
	for (size_t at = 0; at < length; at += WORD_BYTES) {
		uint64_t word = 0;
		size_t left = length - at;

		memcpy(&word, bytes + at, left < WORD_BYTES ? left : WORD_BYTES);
		sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		sum = sum << 29 | sum >> 35;
	}
	return sum;
}

/* Reads bytes into `block` until it has `wanted` bytes or the file ends. Returns the number of
 * bytes, or -1 with errno. */
static ssize_t seal_read_block(int file, unsigned char *block, size_t wanted)
{
	size_t length = 0;
	ssize_t more = 1;

	while (length < wanted && more > 0) {
		more = read(file, block + length, wanted - length);
		length += more > 0 ? (size_t)more : 0;
	}
	return more < 0 ? -1 : (ssize_t)length;
}

/* Computes the checksum of the first `length` bytes and of the other values in the seal. */
static bool sum_file(int file, uint64_t length, uint64_t identity, uint64_t *checksum)
{
	/* The block is at most one byte larger than the file. Small files are read often, and a
	 * large block would cost page faults. */
	size_t block_bytes = length < BLOCK_BYTES ? (size_t)length + 1 : BLOCK_BYTES;
	unsigned char *block = malloc(block_bytes);
	uint64_t sum = HASH_EMPTY, left = length;
	bool good = true;

	ensure_memory(block, "a block of a file");
	while (good && left > 0) {
		size_t wanted = left < block_bytes ? (size_t)left : block_bytes;

		good = seal_read_block(file, block, wanted) == (ssize_t)wanted;
		sum = sum_words(sum, block, wanted);
		left -= wanted;
	}
	free(block);
	sum = hash_more(sum, &length, sizeof length);
	*checksum = hash_mix(hash_more(sum, &identity, sizeof identity));
	return good;
}

static bool write_seal(int file, const struct seal *seal)
{
	size_t length = 0;
	ssize_t more = 1;

	while (length < sizeof *seal && more > 0) {
		more = write(file, (const char *)seal + length, sizeof *seal - length);
		length += more > 0 ? (size_t)more : 0;
	}
	return length == sizeof *seal;
}

static void close_keeping_errno(int file)
{
	int error = errno;

	close(file);
	errno = error;
}

enum status seal_append(const char *path, uint64_t identity)
{
	int file = open(path, O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
	struct seal seal = {.magic = seal_magic, .identity = identity};
	enum status status = STATUS_IO;
	struct stat info;

	if (file < 0)
		return STATUS_IO;
	if (fstat(file, &info) == 0) {
		seal.length = (uint64_t)info.st_size;
		errno = EIO; /* the error for a file that has become shorter */
		if (sum_file(file, seal.length, identity, &seal.checksum) &&
			write_seal(file, &seal))
			status = STATUS_OK;
	}
	close_keeping_errno(file);
	return status;
}

enum status seal_read_file(int file, uint64_t *identity)
{
	struct seal seal;
	struct stat info;
	uint64_t checksum;

	*identity = 0;
	if (fstat(file, &info) != 0 || lseek(file, 0, SEEK_SET) < 0)
		return errno == ESPIPE ? STATUS_NOT_FOUND : STATUS_IO;
	if (!S_ISREG(info.st_mode) || info.st_size < (off_t)sizeof seal)
		return STATUS_NOT_FOUND;
	if (pread(file, &seal, sizeof seal, info.st_size - (off_t)sizeof seal) !=
		(ssize_t)sizeof seal)
		return STATUS_IO;
	if (seal.magic != seal_magic)
		return STATUS_NOT_FOUND;
	if (seal.length != (uint64_t)info.st_size - sizeof seal)
		return STATUS_INVALID;
	if (!sum_file(file, seal.length, seal.identity, &checksum))
		return STATUS_IO;
	if (checksum != seal.checksum)
		return STATUS_INVALID;
	*identity = seal.identity;
	return STATUS_OK;
}

enum status seal_read(const char *path, uint64_t *identity)
{
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	enum status status;

	*identity = 0;
	if (file < 0)
		return STATUS_IO;
	status = seal_read_file(file, identity);
	close_keeping_errno(file);
	return status;
}
