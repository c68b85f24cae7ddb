/* Tests reading and writing of files in folders in which other users may have placed links or
 * special files. Only regular files may be read, and writing must not follow links. */
#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/file/file.h"

static char folder[] = "/tmp/meshsim-file-XXXXXX";

static int enter(void **state)
{
	(void)state;
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state)
{
	static const char *const names[] = {
		"pipe", "socket", "file", "link", "made", "in/file", "loop"};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		unlink(names[i]);
	rmdir("in");
	return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static void put(const char *path, const char *content)
{
	struct text text = {0};

	text_append(&text, content);
	assert_true(file_write(path, 0600, &text));
	text_fini(&text);
}

static void assert_holds(const char *path, const char *content)
{
	struct text text = {0}, why = {0};

	assert_true(file_read(path, FILE_BYTES_MAX, &text, &why));
	assert_string_equal(text_string(&text), content);
	text_fini(&text);
	text_fini(&why);
}

static void assert_refuses(const char *path, const char *reason)
{
	struct text text = {0}, why = {0};

	assert_false(file_read(path, FILE_BYTES_MAX, &text, &why));
	assert_string_equal(text_string(&why), reason);
	text_fini(&text);
	text_fini(&why);
}

TEST(what_is_no_regular_file_is_named_at_once)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
	int listener = socket(AF_UNIX, SOCK_STREAM, 0);

	assert_int_equal(mkfifo("pipe", 0600), 0);
	assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
	alarm(20); /* opening a pipe without a writer must not block */
	assert_refuses("pipe", "it is a pipe");
	assert_refuses("socket", "it is a socket");
	assert_refuses(".", "it is a directory");
	assert_refuses("/dev/zero", "it is a device");
	assert_refuses("absent", "No such file or directory");
	alarm(0);
	close(listener);
}

TEST(reading_stops_soon_behind_its_bound)
{
	struct text text = {0};

	put("file", "0123456789");
	assert_true(file_read("file", 4, &text, NULL));
	assert_true(text.length > 4);
	text_fini(&text);
	/* Its size is reported as 0, but it has contents. */
	assert_true(file_read("/proc/self/maps", 100, &text, NULL));
	assert_in_range(text.length, 101, 100 + 65536);
	text_fini(&text);
}

TEST(a_link_in_the_way_is_replaced_and_not_followed)
{
	put("file", "precious");
	assert_int_equal(symlink("file", "link"), 0);
	assert_int_equal(file_open_own("link"), -1);
	assert_holds("link", "precious");
	put("link", "ours");
	assert_holds("link", "ours");
	assert_holds("file", "precious");
}

TEST(a_new_file_has_the_rights_asked_for)
{
	struct stat info;
	int file = file_create("made", 0600);

	assert_true(file >= 0);
	assert_int_equal(fstat(file, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0600);
	close(file);
}

TEST(a_file_is_below_a_folder_where_its_links_end)
{
	assert_int_equal(mkdir("in", 0700), 0);
	put("in/file", "x");
	assert_int_equal(symlink("../file", "loop"), 0);
	assert_true(file_is_below("in/file", "in"));
	assert_true(file_is_below("in/../in/file", "."));
	assert_false(file_is_below("file", "in"));
	assert_false(file_is_below("in/../file", "in"));
	assert_false(file_is_below("in/file", "/"));
	assert_false(file_is_below("absent", "."));
	unlink("loop");
	assert_int_equal(symlink("/etc/passwd", "loop"), 0);
	assert_false(file_is_below("loop", "."));
}

TEST_MAIN(enter, leave)
