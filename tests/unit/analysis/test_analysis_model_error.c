/* Tests how `compare` judges a difference that an error of the model could explain. One of two
 * designs takes 3 us longer, and a table has the errors of the model's router and host
 * constants. */
#define _GNU_SOURCE
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* Two designs with the constants that they pay for, and the expected output of `compare`. Design
 * `b` takes 3 us longer. */
struct margin {
	struct planted_charge a[2], b[2];
	const char *errors, *says, *also; /* `also`: further expected text, or NULL */
};

static uint32_t charge_count(const struct planted_charge *charges)
{
	return charges[1].constant ? 2 : 1;
}

static void must_say(const char *said, const char *words)
{
	if (!strstr(said, words))
		print_error("no '%s' in:\n%s\n", words, said);
	assert_non_null(strstr(said, words));
}

static void expect(const struct margin *margin)
{
	const struct planted_run runs[] = {
		{.design = "a",
			.size = 1,
			.copy = 100 * US,
			.dispatch = US,
			.charges = margin->a,
			.charge_count = charge_count(margin->a),
			.model_errors = margin->errors},
		{.design = "b",
			.size = 1,
			.copy = 103 * US,
			.dispatch = US,
			.charges = margin->b,
			.charge_count = charge_count(margin->b)},
	};
	struct compare_options options = {.metric = "latency"};
	char path[400], said[4096];
	FILE *out = fmemopen(said, sizeof said, "w");

	snprintf(path, sizeof(path), "%s/planted.h5", shell_folder);
	planted_write(path, shell_folder, runs, 2);
	assert_int_equal(analysis_compare(path, &options, NULL, out), 0);
	fclose(out);
	unlink(path);
	must_say(said, margin->says);
	if (margin->also)
		must_say(said, margin->also);
}

TEST(a_margin_within_the_models_error_is_undecided)
{
	/* the routers' part differs by 40 us of 108: 15 % of that exceed 3 us */
	expect(&(struct margin){.a = {{"chip.router_send", 20 * US}, {"host.wake_hot", 60 * US}},
		.b = {{"chip.router_send", 60 * US}, {"host.wake_hot", 23 * US}},
		.errors = table,
		.says = "undecided: within the model's error of 5.",
		.also = "routers"});
}

TEST(a_margin_beyond_the_models_error_wins)
{
	expect(&(struct margin){.a = {{"chip.router_send", 57 * US}},
		.b = {{"chip.router_send", 60 * US}},
		.errors = table,
		.says = "a wins; b takes 2.8 % longer"});
}

TEST(what_is_charged_alike_on_both_sides_cancels)
{
	/* 2.8 % is below the routers' 15 %, but both designs have the same error */
	expect(&(struct margin){.a = {{"chip.router_send", 80 * US}, {"host.wake_hot", 1 * US}},
		.b = {{"chip.router_send", 80 * US}, {"host.wake_hot", 4 * US}},
		.errors = table,
		.says = "a wins; b takes 2.8 % longer"});
}

TEST(constants_of_one_family_do_not_cancel_each_other)
{
	expect(&(struct margin){
		.a = {{"chip.router_send", 60 * US}, {"chip.router_receive", 20 * US}},
		.b = {{"chip.router_send", 20 * US}, {"chip.router_receive", 63 * US}},
		.errors = table,
		.says = "undecided: within the model's error of 11 %"});
}

TEST(without_a_table_margins_stand_as_they_are)
{
	expect(&(struct margin){.a = {{"chip.router_send", 20 * US}},
		.b = {{"chip.router_send", 60 * US}},
		.says = "a wins; b takes 2.8 % longer"});
}

TEST_MAIN(shell_folder_make, shell_folder_remove_empty)
