/* label: slow  timeout: 600
 * Tests that a scenario gives the same result file in every run with the same seed. The files must
 * have equal bytes, except for /host. This is tested with -j 1, 2 and 7, and with a run that was
 * killed and resumed. */
#include "test.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "strip_host.h"
#include "shell.h"

static void run(const char *scenario, const char *options, const char *out)
{
	int code = shell("\"$MESHSIM_BINARY\" run \"$MESHSIM_SOURCE_DIR/%s\" %s -o '%s' >/dev/null",
		scenario, options, out);

	if (code != 0)
		fail_msg("a run of %s with '%s' ended with %d", scenario, options, code);
}

static void assert_same(const char *a, const char *b)
{
	assert_true(strip_host(a, test_path("a.stripped")));
	assert_true(strip_host(b, test_path("b.stripped")));
	assert_true(same_bytes(test_path("a.stripped"), test_path("b.stripped")));
}

static void twice(const char *scenario)
{
	run(scenario, "-j 1", test_path("a.h5"));
	run(scenario, "-j 2", test_path("b.h5"));
	assert_same(test_path("a.h5"), test_path("b.h5"));
	run(scenario, "-j 7", test_path("b.h5"));
	assert_same(test_path("a.h5"), test_path("b.h5"));
}

TEST(quickstart_gives_the_same_bytes)
{
	twice("scenarios/quickstart.yaml");
}

TEST(the_broadcast_grid_gives_the_same_bytes)
{
	twice("scenarios/tgg-broadcast-grid.yaml");
}

TEST(the_host_threads_give_the_same_bytes)
{
	twice("scenarios/tgg-host-threads.yaml");
}

TEST(another_seed_gives_other_bytes)
{
	run("scenarios/quickstart.yaml", "--seed 1", test_path("a.h5"));
	run("scenarios/quickstart.yaml", "--seed 2", test_path("b.h5"));
	assert_true(strip_host(test_path("a.h5"), test_path("a.stripped")));
	assert_true(strip_host(test_path("b.h5"), test_path("b.stripped")));
	assert_false(same_bytes(test_path("a.stripped"), test_path("b.stripped")));
}

/* Runs the sweep in its own process group and kills it once `parts` parts exist. */
static void kill_after(int parts, const char *out)
{
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		setpgid(0, 0);
		if (!freopen("/dev/null", "w", stdout))
			_exit(127);
		execl(MESHSIM_BINARY, "meshsim", "run",
			MESHSIM_SOURCE_DIR "/tests/golden/many.yaml", "-j", "2", "-o", out, NULL);
		_exit(127);
	}
	for (int i = 0; i < 2000 && shell("test \"$(ls '%s.partial' 2>/dev/null | "
					  "grep -c '^[0-9]*\\.h5$')\" -ge %d",
					    out, parts) != 0;
		i++)
		usleep(5000);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

TEST(a_killed_sweep_leaves_the_old_file_and_resumes_to_the_same_bytes)
{
	char out[sizeof shell_folder + 32], partial[sizeof shell_folder + 64];

	snprintf(out, sizeof out, "%s", test_path("k.h5"));
	snprintf(partial, sizeof partial, "%s.partial", out);
	run("tests/golden/many.yaml", "-j 2", test_path("whole.h5"));
	run("scenarios/quickstart.yaml", "", out);
	run("scenarios/quickstart.yaml", "", test_path("old.h5"));
	kill_after(3, out);
	assert_int_equal(access(partial, F_OK), 0);
	assert_same(out, test_path("old.h5"));
	run("tests/golden/many.yaml", "--resume -j 2", out);
	assert_int_not_equal(access(partial, F_OK), 0);
	assert_same(out, test_path("whole.h5"));
	run("tests/golden/many.yaml", "--resume", out); /* complete: nothing to do */
	assert_same(out, test_path("whole.h5"));
}

TEST_MAIN(shell_folder_make, shell_folder_remove)
