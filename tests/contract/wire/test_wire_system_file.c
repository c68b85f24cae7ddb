/* Tests files of system descriptors (spec 4.2). A machine that is written and read again is
 * unchanged. A file that is truncated, changed, foreign or newer is rejected. A difference between
 * the machine and the file is named. */
#include "test.h"

#include <string.h>

#include "base/hash.h"
#include "check.h"
#include "test_cluster.h"
#include "wire/system_file.h"

static struct arena arena;
static struct text file;

static int begin(void **state)
{
	(void)state;
	arena_init(&arena);
	text_init(&file);
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_fini(&arena);
	text_fini(&file);
	return 0;
}

static struct cluster_info *machine_new(void)
{
	struct cluster_info *info =
		test_cluster_info_new(&(struct test_cluster){.rows = 2, .columns = 2});

	info->clock_mhz = 1000;
	return info;
}

static void write_file(const struct cluster_info *info, uint32_t hosts)
{
	text_clear(&file);
	check_status(system_file_write(info, hosts, &file, NULL), STATUS_OK);
}

/* Reads bytes; returns what is wrong with them, "" if nothing is. */
static const char *read_bytes(const char *bytes, size_t length, struct system_hosts *hosts)
{
	struct text why = {0};
	enum status status = system_file_read((const uint8_t *)bytes, length, &arena, hosts, &why);
	const char *said = arena_string(&arena, text_string(&why));

	check_equal(status, said[0] ? STATUS_INVALID : STATUS_OK);
	text_fini(&why);
	return said;
}

/* The first difference between two machines; "" if there is none. */
static const char *difference(const struct cluster_info *given, const struct cluster_info *found)
{
	struct text why = {0};
	bool differs = system_differs(given, found, &why);
	const char *said = arena_string(&arena, text_string(&why));

	check_equal(differs, said[0] != '\0');
	text_fini(&why);
	return said;
}

TEST(the_machines_of_all_hosts_come_back_as_they_are)
{
	struct cluster_info *info = machine_new();
	struct system_hosts hosts;

	for (uint32_t count = 1; count <= SYSTEM_FILE_HOSTS_MAX; count *= 2) {
		uint32_t bytes = 24; /* the header and the hash */

		write_file(info, count);
		assert_string_equal(read_bytes(file.bytes, file.length, &hosts), "");
		check_equal(hosts.count, count);
		for (uint32_t i = 0; i < count; i++) {
			assert_string_equal(difference(&hosts.host[i].info, info), "");
			bytes += hosts.host[i].bytes;
		}
		check_equal(bytes, file.length);
	}
	check_status(system_file_write(info, 0, &file, NULL), STATUS_OUT_OF_RANGE);
	check_status(system_file_write(info, SYSTEM_FILE_HOSTS_MAX + 1, &file, NULL),
		STATUS_OUT_OF_RANGE);
	test_cluster_info_free(info);
}

TEST(a_file_that_no_reader_takes_is_not_written)
{
	struct cluster_info *info =
		test_cluster_info_new(&(struct test_cluster){.rows = 96, .columns = 96});
	struct system_hosts hosts;
	struct text why = {0};
	uint32_t each, most;

	write_file(info, 1);
	each = (uint32_t)file.length - 24;
	most = (SYSTEM_FILE_BYTES_MAX - 24) / each;
	printf("%u B a host, so %u hosts at most\n", each, most);
	assert_in_range(most, 2, SYSTEM_FILE_HOSTS_MAX - 1);
	write_file(info, most);
	assert_string_equal(read_bytes(file.bytes, file.length, &hosts), "");
	text_clear(&file);
	check_status(system_file_write(info, most + 1, &file, &why), STATUS_OUT_OF_RANGE);
	check_equal(file.length, 0);
	assert_non_null(strstr(text_string(&why), "of 4194304 at most"));
	text_fini(&why);
	test_cluster_info_free(info);
}

TEST(a_file_that_is_cut_or_changed_anywhere_is_refused)
{
	struct cluster_info *info = machine_new();
	struct system_hosts hosts;

	write_file(info, 2);
	for (size_t length = 0; length < file.length; length++)
		assert_string_not_equal(read_bytes(file.bytes, length, &hosts), "");
	for (size_t at = 0; at < file.length; at++) {
		file.bytes[at] ^= 0x10;
		assert_string_not_equal(read_bytes(file.bytes, file.length, &hosts), "");
		file.bytes[at] ^= 0x10;
	}
	text_append_char(&file, '\0');
	assert_string_not_equal(read_bytes(file.bytes, file.length, &hosts), "");
	test_cluster_info_free(info);
}

/* Puts the hash of the file right. */
static void seal(void)
{
	uint64_t hash = hash_bytes(file.bytes, file.length - 8);

	for (uint32_t i = 0; i < 8; i++)
		file.bytes[file.length - 8 + i] = (char)(hash >> 8 * i);
}

TEST(a_forged_file_is_read_or_refused)
{
	struct cluster_info *info = machine_new();
	struct system_hosts hosts;
	size_t length;

	write_file(info, 2);
	length = file.length;
	for (size_t at = 8; at < length - 8; at++)
		for (int bit = 0; bit < 8; bit++) {
			file.bytes[at] ^= (char)(1 << bit);
			seal();
			if (read_bytes(file.bytes, length, &hosts)[0] == '\0')
				(void)difference(&hosts.host[1].info, info);
			file.bytes[at] ^= (char)(1 << bit);
		}
	file.bytes[21]++; /* the length of the first host */
	seal();
	assert_string_not_equal(read_bytes(file.bytes, length, &hosts), "");
	file.bytes[23] = 1;
	seal();
	assert_string_equal(
		read_bytes(file.bytes, length, &hosts), "host 0 reaches beyond its end");
	test_cluster_info_free(info);
}

TEST(a_foreign_or_newer_file_is_told_apart_from_a_broken_one)
{
	static const char foreign[] = "meshsim: 1\nname: this is a scenario\nplatform: tgg\n";
	struct cluster_info *info = machine_new();
	struct system_hosts hosts;

	assert_string_equal(
		read_bytes(foreign, sizeof foreign, &hosts), "it is no file of system descriptors");
	write_file(info, 1);
	file.bytes[8] = SYSTEM_FILE_VERSION + 1;
	assert_string_equal(read_bytes(file.bytes, file.length, &hosts),
		"it is of version 2, this meshsim reads 1");
	file.bytes[8] = SYSTEM_FILE_VERSION;
	file.bytes[12] = 2;
	assert_string_equal(read_bytes(file.bytes, file.length, &hosts),
		"it was cut or changed: its hash differs");
	assert_true(system_file_is(file.bytes, file.length));
	assert_false(system_file_is(foreign, sizeof foreign));
	assert_false(system_file_is(file.bytes, 7));
	test_cluster_info_free(info);
}

/* Checks the message for a machine that differs in a property from the described machine
 * `usual`. */
static void expect_of(struct test_cluster config, const char *sentence)
{
	struct cluster_info *usual = machine_new(), *other = test_cluster_info_new(&config);

	other->clock_mhz = usual->clock_mhz;
	assert_string_equal(difference(usual, other), sentence);
	test_cluster_info_free(usual);
	test_cluster_info_free(other);
}

TEST(what_differs_is_named)
{
	const struct test_cluster usual = {.rows = 2, .columns = 2};
	struct test_cluster other = usual;
	struct cluster_info *one = machine_new(), *two = machine_new();

	expect_of(usual, "");
	other.links = 3;
	expect_of(other, "links between chips 0 and 1: 3, described as 2");
	other = usual;
	other.dispatch_tiles = 6;
	expect_of(other, "chip 0: dispatch cores: 6, described as 8");
	other = usual;
	other.worker_rows = 2;
	expect_of(other, "chip 0: harvesting: Tensix tiles in rows 0x1e, described as 0x3e");
	other = usual;
	other.channels = 3;
	expect_of(other, "virtual channels of links: 3, described as 2");
	other = usual;
	other.pcie = TEST_PCIE_LEFT;
	expect_of(other, "chip 1: its place or its PCIe");
	other = usual;
	other.columns = 3;
	expect_of(other, "chips: 6, described as 4");
	two->clock_mhz = 900;
	assert_string_equal(difference(one, two), "clock in MHz: 900, described as 1000");
	two->clock_mhz = 1000;
	two->connection_count--;
	assert_string_equal(difference(one, two), "links between chips 2 and 3: 0, described as 2");
	assert_string_equal(difference(two, one), "links between chips 2 and 3: 2, described as 0");
	two->connection_count++;
	two->platform = "b\033[31m";
	assert_string_equal(difference(two, one), "product: test, described as b?[31m");
	test_cluster_info_free(one);
	test_cluster_info_free(two);
}

TEST_MAIN(begin, end)
