/* Runs a mesh case in a child process (see mesh_rows.h). */
#include "test.h"

#include "mesh_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child process that hangs is ended before ctest ends the test. So a message names its row. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { CHILD_SECONDS = 2000 };
#else
enum { CHILD_SECONDS = 100 };
#endif
enum { LONG_TIMES = 10 }; /* long tests try many more cases, so they may take ten times as long */

void mesh_row_run(const struct row *row, struct mesh_case *test,
	void (*body)(struct cluster *cluster), const char *format, ...)
{
	char which[200];
	va_list arguments;
	int status = 0;
	pid_t child;

	va_start(arguments, format);
	vsnprintf(which, sizeof which, format, arguments);
	va_end(arguments);
	child = row_fork(row);
	if (child == 0) {
		alarm(getenv("MESHSIM_LONG") ? LONG_TIMES * CHILD_SECONDS : CHILD_SECONDS);
		test->info = test_cluster_info_new(&test->cluster_config);
		row_set_current(row);
		row->run(test->info, body);
		fflush(NULL);
		_Exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	if (status != 0)
		fail_msg("%s, %s ended with status 0x%x", row->name, which, (unsigned)status);
}
