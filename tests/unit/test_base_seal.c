/* Seals of files: any change of a sealed file is detected. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "test_folder.h"

enum { BYTES = 203, IDENTITY = 77, SEAL_BYTES = 32 };

static char path[128];

static int make_file(void **state)
{
	(void)state;
	snprintf(path, sizeof path, "%.96s/seal-XXXXXX", test_folder());
	return close(mkstemp(path));
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

static void write_bytes(const unsigned char *bytes, size_t length)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	fclose(file);
}

/* Makes a sealed file of `length` bytes; gets its contents. */
static size_t seal(unsigned char *bytes, size_t length)
{
	FILE *file;

	for (size_t i = 0; i < length; i++)
		bytes[i] = (unsigned char)(i * 31);
	write_bytes(bytes, length);
	assert_int_equal(seal_append(path, IDENTITY), STATUS_OK);
	file = fopen(path, "r");
	assert_int_equal(fread(bytes, 1, length + SEAL_BYTES + 1, file), length + SEAL_BYTES);
	fclose(file);
	return length + SEAL_BYTES;
}

TEST(what_was_sealed_is_known_again)
{
	static unsigned char bytes[BYTES + SEAL_BYTES + 1];
	uint64_t identity;

	for (size_t length = 0; length <= 17; length++) {
		seal(bytes, length);
		assert_int_equal(seal_read(path, &identity), STATUS_OK);
		assert_int_equal(identity, IDENTITY);
	}
	write_bytes(bytes, 17);
	assert_int_equal(seal_read(path, &identity), STATUS_NOT_FOUND);
	assert_int_equal(seal_read("/nonexistent/file", &identity), STATUS_IO);
	assert_int_equal(seal_append("/nonexistent/file", 1), STATUS_IO);
	assert_int_equal(seal_read("/dev/null", &identity), STATUS_NOT_FOUND);
}

TEST(every_flipped_bit_shows)
{
	static unsigned char bytes[BYTES + SEAL_BYTES + 1];
	size_t length = seal(bytes, BYTES);
	uint64_t identity;

	for (size_t bit = 0; bit < 8 * length; bit++) {
		bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
		write_bytes(bytes, length);
		assert_int_not_equal(seal_read(path, &identity), STATUS_OK);
		bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
	}
}

/* A seal contains sums of words. Two changes of a file must not cancel each other in these sums. So
 * the test changes the same high bit in two words, and in another case exchanges two words. */
TEST(damage_in_two_places_shows)
{
	static unsigned char bytes[BYTES + SEAL_BYTES + 1], changed[BYTES + SEAL_BYTES + 1];
	size_t length = seal(bytes, BYTES);
	uint64_t identity;

	for (size_t first = 0; first + 16 <= 128; first += 8)
		for (size_t second = first + 8; second + 8 <= 128; second += 8) {
			memcpy(changed, bytes, length);
			changed[first + 7] ^= 0x80;
			changed[second + 7] ^= 0x80;
			write_bytes(changed, length);
			assert_int_equal(seal_read(path, &identity), STATUS_INVALID);
			memcpy(changed, bytes, length);
			memcpy(changed + first, bytes + second, 8);
			memcpy(changed + second, bytes + first, 8);
			write_bytes(changed, length);
			if (memcmp(changed, bytes, length) != 0)
				assert_int_equal(seal_read(path, &identity), STATUS_INVALID);
		}
}

TEST(shorter_and_longer_files_show)
{
	static unsigned char bytes[BYTES + SEAL_BYTES + 1];
	size_t length = seal(bytes, BYTES);
	uint64_t identity;

	for (size_t cut = 1; cut <= 100; cut++) {
		write_bytes(bytes, length - cut);
		assert_int_not_equal(seal_read(path, &identity), STATUS_OK);
	}
	write_bytes(bytes, length + 1);
	assert_int_not_equal(seal_read(path, &identity), STATUS_OK);
	write_bytes(bytes + 8, length - 8); /* cut at the front */
	assert_int_equal(seal_read(path, &identity), STATUS_INVALID);
}

TEST_MAIN(make_file, remove_file)
