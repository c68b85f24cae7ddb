/* The log: levels and colour. Standard error goes into a file meanwhile. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/log.h"

/* Runs `fn` and returns what it wrote to standard error. */
static const char *captured(void (*fn)(void))
{
	static char text[4096];
	FILE *file = tmpfile();
	int kept = dup(STDERR_FILENO);
	size_t length;

	assert_non_null(file);
	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	fn();
	fflush(stderr);
	dup2(kept, STDERR_FILENO);
	close(kept);
	rewind(file);
	length = fread(text, 1, sizeof(text) - 1, file);
	text[length] = '\0';
	fclose(file);
	return text;
}

static void log_all(void)
{
	log_error("no core %d", 3);
	log_warning("assumed");
	log_info("reading");
	log_debug("event");
}

static void only_warnings_and_errors_are_printed_by_default(void **state)
{
	(void)state;
	assert_string_equal(captured(log_all), "meshsim: error: no core 3\n"
					       "meshsim: warning: assumed\n");
	assert_false(log_enabled(LOG_LEVEL_INFO));
}

static void a_level_prints_itself_and_what_is_above(void **state)
{
	(void)state;
	log_start(LOG_LEVEL_INFO);
	assert_string_equal(captured(log_all), "meshsim: error: no core 3\n"
					       "meshsim: warning: assumed\n"
					       "meshsim: info: reading\n");
	log_start(LOG_LEVEL_WARNING);
}

static int evaluations;

static void log_what_is_off(void)
{
	log_debug("%d", ++evaluations);
}

static void what_is_off_is_not_even_computed(void **state)
{
	(void)state;
	assert_string_equal(captured(log_what_is_off), "");
	assert_int_equal(evaluations, 0);
}

static void colour_wants_a_terminal_and_no_refusal(void **state)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY), file = open("/dev/null", O_WRONLY);

	(void)state;
	unsetenv("NO_COLOR");
	assert_false(log_colour(file));
	if (terminal >= 0) {
		assert_true(log_colour(terminal));
		setenv("NO_COLOR", "1", 1);
		assert_false(log_colour(terminal));
		close(terminal);
	}
	close(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_warnings_and_errors_are_printed_by_default),
		cmocka_unit_test(a_level_prints_itself_and_what_is_above),
		cmocka_unit_test(what_is_off_is_not_even_computed),
		cmocka_unit_test(colour_wants_a_terminal_and_no_refusal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
