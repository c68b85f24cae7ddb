/* Margins beside the error of the model: planted designs of which one takes 3 us longer, with a
 * table that says how wrong the routers are. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "analysis/compare.h"
#include "planted.h"
#include "shell.h"

static const char table[] = "meshsim_errors: 1\n"
			    "families:\n"
			    "  routers: {held_out: {median: 0.05, p90: 0.15}}\n"
			    "  hosts: {held_out: {median: 0.01, p90: 0.02}}\n"
			    "constants:\n"
			    "  chip.router_send: routers\n"
			    "  chip.router_receive: routers\n"
			    "  host.wake_hot: hosts\n";

#define US 1000000

/* What `compare` says of two designs that the constants are charged for so; `b` is 3 us longer. */
static void ask(const struct planted_charge *a, const struct planted_charge *b, uint32_t count,
	const char *errors, char *said, size_t size)
{
	const struct planted_run runs[] = {
		{.design = "a",
			.size = 1,
			.copy = 100 * US,
			.dispatch = US,
			.charges = a,
			.charge_count = count,
			.model_errors = errors},
		{.design = "b",
			.size = 1,
			.copy = 103 * US,
			.dispatch = US,
			.charges = b,
			.charge_count = count},
	};
	struct compare_options options = {.metric = "latency"};
	char path[400];
	FILE *out = fmemopen(said, size, "w");

	snprintf(path, sizeof(path), "%s/planted.h5", shell_folder);
	planted_write(path, shell_folder, runs, 2);
	assert_int_equal(analysis_compare(path, &options, NULL, out), 0);
	fclose(out);
	unlink(path);
}

static void expect(const char *said, const char *words)
{
	if (!strstr(said, words))
		print_error("no '%s' in:\n%s\n", words, said);
	assert_non_null(strstr(said, words));
}

static void a_margin_within_the_models_error_is_undecided(void **state)
{
	/* 40 us of 108 differ in what the routers do: 15 % of that are more than 3 us */
	const struct planted_charge a[] = {
		{"chip.router_send", 20 * US}, {"host.wake_hot", 60 * US}};
	const struct planted_charge b[] = {
		{"chip.router_send", 60 * US}, {"host.wake_hot", 23 * US}};
	char said[4096];

	(void)state;
	ask(a, b, 2, table, said, sizeof(said));
	expect(said, "undecided: within the model's error of 5.");
	expect(said, "routers");
}

static void a_margin_beyond_the_models_error_wins(void **state)
{
	const struct planted_charge a[] = {{"chip.router_send", 57 * US}};
	const struct planted_charge b[] = {{"chip.router_send", 60 * US}};
	char said[4096];

	(void)state;
	ask(a, b, 1, table, said, sizeof(said));
	expect(said, "a wins; b takes 2.8 % longer");
}

static void what_is_charged_alike_on_both_sides_cancels(void **state)
{
	/* 2.8 % is less than the routers' 15 %, but both designs have their error */
	const struct planted_charge a[] = {
		{"chip.router_send", 80 * US}, {"host.wake_hot", 1 * US}};
	const struct planted_charge b[] = {
		{"chip.router_send", 80 * US}, {"host.wake_hot", 4 * US}};
	char said[4096];

	(void)state;
	ask(a, b, 2, table, said, sizeof(said));
	expect(said, "a wins; b takes 2.8 % longer");
}

static void constants_of_one_family_do_not_cancel_each_other(void **state)
{
	const struct planted_charge a[] = {
		{"chip.router_send", 60 * US}, {"chip.router_receive", 20 * US}};
	const struct planted_charge b[] = {
		{"chip.router_send", 20 * US}, {"chip.router_receive", 63 * US}};
	char said[4096];

	(void)state;
	ask(a, b, 2, table, said, sizeof(said));
	expect(said, "undecided: within the model's error of 11 %");
}

static void without_a_table_margins_stand_as_they_are(void **state)
{
	const struct planted_charge a[] = {{"chip.router_send", 20 * US}};
	const struct planted_charge b[] = {{"chip.router_send", 60 * US}};
	char said[4096];

	(void)state;
	ask(a, b, 1, NULL, said, sizeof(said));
	expect(said, "a wins; b takes 2.8 % longer");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_margin_within_the_models_error_is_undecided),
		cmocka_unit_test(a_margin_beyond_the_models_error_wins),
		cmocka_unit_test(what_is_charged_alike_on_both_sides_cancels),
		cmocka_unit_test(constants_of_one_family_do_not_cancel_each_other),
		cmocka_unit_test(without_a_table_margins_stand_as_they_are),
	};

	return cmocka_run_group_tests(tests, shell_folder_make, shell_folder_remove_empty);
}
