/* Tests that no chip is given twice and no job lost over many jobs, reports and restarts of the
 * fabric manager, drawn from seeds, and that a store belongs to one process and one program. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/stream.h"
#include "manager_site.h"
#include "seeds.h"
#include "test_folder.h"

enum { JOBS = 12, STEPS = 200 };

struct known {
	bool placed, big;
	uint64_t chips[2 * CHIPS];
	uint32_t count;
};

/* Reads the chips of a placement, and checks that they are those told before. */
static void learn(struct known *known, const struct tree *reply)
{
	const struct tree_node *chips = tree_find(tree_root(reply), "chips");

	assert_non_null(chips);
	for (uint32_t i = 0; i < chips->count; i++) {
		uint64_t id = strtoull(chips->items[i]->text, NULL, 10);

		if (known->placed)
			assert_int_equal(known->chips[i], id);
		known->chips[i] = id;
	}
	known->count = chips->count;
	known->placed = true;
}

static void check_chips(const struct known *known)
{
	for (uint32_t a = 0; a < JOBS; a++)
		for (uint32_t b = 0; known[a].placed && b < a; b++)
			for (uint32_t i = 0; known[b].placed && i < known[a].count; i++)
				for (uint32_t k = 0; k < known[b].count; k++)
					if (known[a].chips[i] == known[b].chips[k])
						fail_msg("chip %llu is in jobs %u and %u",
							(unsigned long long)known[a].chips[i], b,
							a);
}

/* Asks for a placement, and checks it: if the job is known, the same; otherwise on good chips of
 * hosts that are not silent. */
static void step_place(
	struct site *site, struct known *known, uint32_t job, const int64_t heard_ns[HOSTS])
{
	char name[8];
	struct manager_request request;
	struct tree *reply;
	bool is_new = !known->placed;

	snprintf(name, sizeof name, "j%u", job);
	known->big = known->placed ? known->big : job % 3 == 0;
	request = site_place_of(name, known->big ? site_line_of_eight : site_line_of_four);
	reply = site_ask(site, USER, &request);
	if (strcmp(site_text(reply, "status"), "ok") == 0)
		learn(known, reply);
	else
		assert_false(known->placed);
	for (uint32_t i = 0; is_new && known->placed && i < known->count; i++) {
		uint32_t host = (uint32_t)(known->chips[i] - 1000) / 10;

		assert_false(site->bad[host][(known->chips[i] - 1000) % 10]);
		assert_true(site->now_ns - heard_ns[host] <= STALE_NS);
	}
	tree_free(reply);
}

/* Returns a folder in memory if there is one: each step waits until the file is on the disk. */
static const char *fast_folder(void)
{
	return access("/dev/shm", W_OK) == 0 ? "/dev/shm" : test_folder();
}

static void one_site(uint32_t seed)
{
	struct stream draw;
	struct site site = {0};
	struct known known[JOBS] = {0};
	int64_t heard_ns[HOSTS];
	char path[256];

	stream_init(&draw, seed, "manager");
	snprintf(path, sizeof path, "%s/meshsim-manager-%d-%u.db", fast_folder(), (int)getpid(),
		seed);
	site_open(&site, path);
	site_report_all(&site);
	for (uint32_t h = 0; h < HOSTS; h++)
		heard_ns[h] = 0;
	for (uint32_t step = 0; step < STEPS; step++) {
		uint32_t what = (uint32_t)stream_below(&draw, 10);
		uint32_t job = (uint32_t)stream_below(&draw, JOBS);
		uint32_t host = (uint32_t)stream_below(&draw, HOSTS);
		char name[8];

		site.now_ns += (int64_t)stream_below(&draw, STALE_NS / 4);
		snprintf(name, sizeof name, "j%u", job);
		if (what < 4) {
			step_place(&site, &known[job], job, heard_ns);
		} else if (what < 6) {
			site_release(&site, USER, name, known[job].placed ? "ok" : "unknown");
			known[job].placed = false;
		} else if (what < 9) {
			site.bad[host][stream_below(&draw, CHIPS)] = stream_below(&draw, 4) == 0;
			site_report(&site, host, "ok", NULL);
			heard_ns[host] = site.now_ns;
		} else {
			/* the manager is killed and starts again: its hosts are silent at first */
			site_close(&site);
			site_open(&site, path);
			for (uint32_t h = 0; h < HOSTS; h++)
				heard_ns[h] = -1000 * (int64_t)STALE_NS;
		}
		check_chips(known);
	}
	for (uint32_t job = 0; job < JOBS; job++)
		if (known[job].placed)
			step_place(&site, &known[job], job, heard_ns);
	site_close(&site);
	unlink(path);
}

TEST(no_chip_is_given_twice_and_no_job_is_lost_when_the_manager_is_killed)
{
	const uint32_t count = seeds_count(20);

	for (uint32_t i = 0; i < count; i++)
		one_site(seeds_first(1) + i);
}

TEST(a_manager_that_starts_again_has_the_last_report_that_said_something_new)
{
	struct site site = {0};
	const struct manager_request status = {.kind = MANAGER_STATUS};
	struct tree *reply;
	char path[256];

	snprintf(path, sizeof path, "%s/last.db", test_folder());
	site_open(&site, path);
	site_report_all(&site);
	site.bad[0][1] = true;
	site_report(&site, 0, "ok", NULL);
	site_report(&site, 0, "ok", NULL);
	site_close(&site);
	site_open(&site, path);
	reply = site_ask(&site, ADMIN, &status);
	assert_string_equal(site_text(reply, "hosts.0.bad_chips"), "1");
	assert_string_equal(site_text(reply, "hosts.0.age_ms"), "null");
	assert_string_equal(site_text(reply, "chips"), "0");
	tree_free(reply);
	site_close(&site);
	unlink(path);
}

TEST(a_store_is_for_one_process_and_one_program)
{
	struct store *store = NULL, *second = NULL;
	char path[256];
	struct text why = {0};
	FILE *file;

	snprintf(path, sizeof path, "%s/other.db", test_folder());
	file = fopen(path, "w");
	assert_non_null(file);
	fputs("this is no database, but it is long enough to look at", file);
	fclose(file);
	assert_int_equal(store_open(path, &store, &why), STATUS_INVALID);
	assert_string_equal(text_string(&why), "it is no store of meshsim");
	unlink(path);
	text_clear(&why);
	assert_int_equal(store_open(path, &store, &why), STATUS_OK);
	assert_int_equal(store_open(path, &second, &why), STATUS_EXISTS);
	assert_string_equal(text_string(&why), "another process has it open");
	store_close(store);
	unlink(path);
	text_fini(&why);
}

TEST_MAIN(NULL, NULL)
