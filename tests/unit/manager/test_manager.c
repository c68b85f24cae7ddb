/* Tests what the fabric manager promises: no chip in two jobs, no job on chips that are bad, silent
 * or not connected at both ends, the same answer to the same question. Requests are answered
 * without a network. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "json_tree.h"
#include "manager_site.h"

TEST(a_job_gets_bindings_for_chips_that_are_joined)
{
	struct site site = {0};
	const struct manager_request request = site_place_of("a", site_line_of_four);
	struct tree *reply;

	site_open(&site, NULL);
	site_report_all(&site);
	reply = site_ask(&site, USER, &request);
	json_expect(reply, "status", "ok");
	json_expect(reply, "hosts.0", "host0");
	json_expect(reply, "devices.0", "0,1,2,3");
	json_expect(reply, "owner", "1000");
	assert_non_null(strstr(site_text(reply, "bindings"), "rank_bindings:"));
	assert_non_null(strstr(site_text(reply, "rankfile"), "rank 0=host0"));
	assert_int_equal(tree_find(tree_root(reply), "chips")->count, 4);
	tree_free(reply);
	site_close(&site);
}

TEST(jobs_side_by_side_share_no_chip_until_there_is_no_room)
{
	struct site site = {0};
	const struct manager_request again = site_place_of("j2", site_line_of_four);
	struct tree *first, *second;
	char name[8];

	site_open(&site, NULL);
	site_report_all(&site);
	for (uint32_t i = 0; i < HOSTS; i++) {
		snprintf(name, sizeof name, "j%u", i);
		site_place(&site, name, site_line_of_four, "ok");
	}
	site_place(&site, "more", site_line_of_four, "no-room");
	first = site_ask(&site, USER, &again);
	second = site_ask(&site, USER, &again);
	assert_string_equal(site_text(first, "chips.0"), site_text(second, "chips.0"));
	tree_free(first);
	tree_free(second);
	site_expect(&site, OTHER, &again, "refused", "another job of this name");
	{
		struct manager_request for_other = site_place_of("theirs", site_line_of_four);

		for_other.owner = OTHER;
		site_expect(&site, USER, &for_other, "refused", "only administrators");
		site_expect(&site, ADMIN, &for_other, "no-room", NULL);
	}
	site_release(&site, OTHER, "j1", "refused");
	site_release(&site, USER, "j1", "ok");
	site_release(&site, USER, "j1", "unknown");
	site_place(&site, "more", site_line_of_four, "ok");
	site_close(&site);
}

TEST(chips_that_are_bad_silent_or_seen_from_one_end_only_get_no_jobs)
{
	struct site site = {0};

	site_open(&site, NULL);
	site_place(&site, "early", site_line_of_four, "no-room");
	for (uint32_t h = 0; h < HOSTS; h++) {
		site.cut[h] = true;
		site.bad[h][2] = h > 0;
	}
	site_report_all(&site);
	site_place(&site, "a", site_line_of_four, "ok");
	site_place(&site, "b", site_line_of_four, "no-room");
	site_release(&site, USER, "a", "ok");
	site_place(&site, "long", site_line_of_eight, "no-room");
	for (uint32_t h = 0; h < HOSTS; h++)
		site.bad[h][2] = false;
	site_report_all(&site);
	site_place(&site, "long", site_line_of_eight, "no-room");
	site.cut[1] = false;
	site_report_all(&site);
	site_place(&site, "long", site_line_of_eight, "ok");
	site_place(&site, "c", site_line_of_four, "ok");
	site.now_ns += STALE_NS + 1;
	site_place(&site, "d", site_line_of_four, "no-room");
	site_report(&site, 3, "ok", NULL);
	site_place(&site, "d", site_line_of_four, "ok");
	site_close(&site);
}

TEST(a_job_is_told_which_of_its_links_chips_and_hosts_went_bad)
{
	struct site site = {0};
	const struct manager_request look = {.kind = MANAGER_JOB, .job = "long"};
	struct tree *reply;

	site_open(&site, NULL);
	site_report_all(&site);
	site_place(&site, "long", site_line_of_eight, "ok");
	reply = site_ask(&site, USER, &look);
	assert_int_equal(tree_find(tree_root(reply), "notices")->count, 0);
	tree_free(reply);
	site.cut[0] = site.cut[1] = site.cut[2] = true;
	site.bad[0][1] = site.bad[1][1] = site.bad[2][1] = site.bad[3][1] = true;
	site_report_all(&site);
	reply = site_ask(&site, USER, &look);
	assert_int_equal(tree_find(tree_root(reply), "notices")->count, 3);
	assert_non_null(strstr(site_text(reply, "notices.0"), "is bad"));
	assert_non_null(strstr(site_text(reply, "notices.2"), "is down"));
	tree_free(reply);
	site_expect(&site, OTHER, &look, "refused", NULL);
	site.now_ns += STALE_NS + 1;
	reply = site_ask(&site, USER, &look);
	assert_non_null(strstr(site_text(reply, "notices.0"), "is on a silent host"));
	tree_free(reply);
	site_close(&site);
}

TEST(agents_that_lie_double_or_repeat_are_refused)
{
	struct site site = {0};
	struct manager_chip chips[CHIPS];
	struct manager_channel channels[2 * CHIPS + 2];
	char names[2][16];
	struct manager_request lie;

	site_open(&site, NULL);
	site_report_all(&site);
	lie = site_report_of(&site, 1, chips, channels, names);
	site_expect(&site, USER, &lie, "refused", "only administrators report");
	chips[0].id = site_chip(2, 0);
	channels[0].chip = channels[7].chip = channels[8].chip = site_chip(2, 0);
	channels[9].chip = site_chip(2, 0);
	site_expect(&site, ADMIN, &lie, "refused", "chip 1020 is reported by host host2");
	lie = site_report_of(&site, 1, chips, channels, names);
	channels[0].chip = site_chip(2, 0);
	site_expect(&site, ADMIN, &lie, "refused", "which it does not have");
	lie = site_report_of(&site, 1, chips, channels, names);
	chips[1].id = chips[0].id;
	site_expect(&site, ADMIN, &lie, "refused", "twice");
	site.session[1] = 5;
	site_report(&site, 1, "refused", "another agent reports for host host1");
	site.session[1] = 0;
	site.sequence[1] = 0;
	site_report(&site, 1, "refused", "is not newer than report 1");
	site.sequence[1] = 1;
	site_report(&site, 1, "ok", NULL);
	site.now_ns += STALE_NS + 1;
	site.session[1] = 5;
	site.sequence[1] = 0;
	site_report(&site, 1, "ok", NULL);
	site_close(&site);
}

TEST(what_is_no_request_is_invalid)
{
	static const char *const requests[] = {
		"",
		"{",
		"[1, 2]",
		"{\"version\": 1}",
		"{\"version\": 1, \"kind\": \"steal\"}",
		"{\"version\": 2, \"kind\": \"status\"}",
		"{\"version\": 1, \"kind\": \"place\", \"job\": \"a\"}",
		"{\"version\": 1, \"kind\": \"place\", \"job\": \"../a\", \"mgd\": \"x\"}",
		"{\"version\": 1, \"kind\": \"report\", \"host\": \"h\", \"chips\": [{}]}",
		"{\"version\": 1, \"kind\": \"status\", \"color\": 3}",
		"\xff\xfe",
	};
	struct site site = {0};
	const struct manager_sender sender = {ADMIN};
	const struct manager_request descriptor = site_place_of("a", "mesh_descriptors { what }");

	site_open(&site, NULL);
	for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
		struct text reply = {0};
		struct tree *tree;

		manager_answer(site.manager, &sender, 0, requests[i], strlen(requests[i]), &reply);
		tree = json_tree(strdup(text_string(&reply)));
		assert_string_equal(site_text(tree, "status"), "invalid");
		assert_string_not_equal(site_text(tree, "why"), "");
		tree_free(tree);
		text_fini(&reply);
	}
	site_expect(&site, USER, &descriptor, "invalid", "error");
	site_close(&site);
}

TEST(advice_names_the_job_that_has_to_move)
{
	struct site site = {0};
	struct manager_request wish = site_place_of("long", site_line_of_eight);
	struct tree *reply;

	site_open(&site, NULL);
	site_report_all(&site);
	for (uint32_t i = 0; i < HOSTS; i++) {
		char name[8];

		snprintf(name, sizeof name, "j%u", i);
		site_place(&site, name, site_line_of_four, "ok");
	}
	site_release(&site, USER, "j1", "ok");
	site_release(&site, USER, "j3", "ok");
	wish.kind = MANAGER_ADVISE;
	reply = site_ask(&site, USER, &wish);
	json_expect(reply, "fits", "false");
	json_expect(reply, "fits_empty", "true");
	json_expect(reply, "move.0", "j0");
	json_expect(reply, "move.1", "j2");
	tree_free(reply);
	site_release(&site, USER, "j2", "ok");
	reply = site_ask(&site, USER, &wish);
	json_expect(reply, "fits", "true");
	tree_free(reply);
	site_close(&site);
}

TEST_MAIN(NULL, NULL)
