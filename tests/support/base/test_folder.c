/* See test_folder.h. */
#include "test_folder.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/ensure.h"
#include "bench/run/runner.h"

static struct scratch *folder;
static pid_t maker;

/* Only the process that made the folder removes it; its child processes do not. */
static void remove_own(void)
{
	if (getpid() == maker)
		scratch_close(folder);
}

const char *test_folder(void)
{
	if (folder == NULL) {
		folder = scratch_open_for_socket("test", "hosts-2147483647-4294967295");
		ensure(folder, "no folder for a test");
		maker = getpid();
		atexit(remove_own);
	}
	return scratch_path(folder);
}
