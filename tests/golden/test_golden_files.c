/* Result files of golden scenarios: the same bytes but for /host whatever -j, after a kill and a
 * resume. label: full  timeout: 600 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "strip_host.h"

static char directory[64];

static const char *in(const char *name)
{
	static char paths[8][160];
	static int next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof paths[0], "%s/%s", directory, name);
	return path;
}

static int make_directory(void **state)
{
	(void)state;
	strcpy(directory, "/tmp/meshsim-golden-XXXXXX");
	return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof command, "rm -r %s", directory);
	return system(command);
}

static void shell(const char *command)
{
	int status = system(command);

	if (status != 0)
		fail_msg("'%s' ended with %d", command, WEXITSTATUS(status));
}

static void run(const char *scenario, const char *options, const char *out)
{
	char command[1024];

	snprintf(command, sizeof command,
		MESHSIM_BINARY " run " MESHSIM_SOURCE_DIR "/%s %s -o %s >/dev/null", scenario,
		options, out);
	shell(command);
}

static void assert_same(const char *a, const char *b)
{
	assert_true(strip_host(a, in("a.stripped")));
	assert_true(strip_host(b, in("b.stripped")));
	assert_true(same_bytes(in("a.stripped"), in("b.stripped")));
}

static void twice(const char *scenario)
{
	run(scenario, "-j 1", in("a.h5"));
	run(scenario, "-j 2", in("b.h5"));
	assert_same(in("a.h5"), in("b.h5"));
	run(scenario, "-j 7", in("b.h5"));
	assert_same(in("a.h5"), in("b.h5"));
}

static void quickstart_gives_the_same_bytes(void **state)
{
	(void)state;
	twice("scenarios/quickstart.yaml");
}

static void the_broadcast_grid_gives_the_same_bytes(void **state)
{
	(void)state;
	twice("scenarios/tgg-broadcast-grid.yaml");
}

static void the_host_threads_give_the_same_bytes(void **state)
{
	(void)state;
	twice("scenarios/tgg-host-threads.yaml");
}

static void another_seed_gives_other_bytes(void **state)
{
	(void)state;
	run("scenarios/quickstart.yaml", "--seed 1", in("a.h5"));
	run("scenarios/quickstart.yaml", "--seed 2", in("b.h5"));
	assert_true(strip_host(in("a.h5"), in("a.stripped")));
	assert_true(strip_host(in("b.h5"), in("b.stripped")));
	assert_false(same_bytes(in("a.stripped"), in("b.stripped")));
}

/* Runs the sweep in a process group of its own and kills it once `parts` parts are there. */
static void kill_after(int parts, const char *out)
{
	char command[512];
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		setpgid(0, 0);
		freopen("/dev/null", "w", stdout);
		execl(MESHSIM_BINARY, "meshsim", "run",
			MESHSIM_SOURCE_DIR "/tests/golden/many.yaml", "-j", "2", "-o", out, NULL);
		_exit(127);
	}
	snprintf(command, sizeof command,
		"test \"$(ls %s.partial 2>/dev/null | grep -c '^[0-9]*\\.h5$')\" -ge %d", out,
		parts);
	for (int i = 0; i < 2000 && system(command) != 0; i++)
		usleep(5000);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static void a_killed_sweep_leaves_the_old_file_and_resumes_to_the_same_bytes(void **state)
{
	char out[160], partial[192];

	(void)state;
	snprintf(out, sizeof out, "%s", in("k.h5"));
	snprintf(partial, sizeof partial, "%s.partial", out);
	run("tests/golden/many.yaml", "-j 2", in("whole.h5"));
	run("scenarios/quickstart.yaml", "", out);
	run("scenarios/quickstart.yaml", "", in("old.h5"));
	kill_after(3, out);
	assert_int_equal(access(partial, F_OK), 0);
	assert_same(out, in("old.h5"));
	run("tests/golden/many.yaml", "--resume -j 2", out);
	assert_int_not_equal(access(partial, F_OK), 0);
	assert_same(out, in("whole.h5"));
	run("tests/golden/many.yaml", "--resume", out); /* complete: nothing to do */
	assert_same(out, in("whole.h5"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quickstart_gives_the_same_bytes),
		cmocka_unit_test(the_broadcast_grid_gives_the_same_bytes),
		cmocka_unit_test(the_host_threads_give_the_same_bytes),
		cmocka_unit_test(another_seed_gives_other_bytes),
		cmocka_unit_test(a_killed_sweep_leaves_the_old_file_and_resumes_to_the_same_bytes),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
