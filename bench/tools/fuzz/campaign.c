/* The campaign of `meshsim fuzz` (see fuzz.h). Runs a trial for each seed, and counts how the
 * trials end. Writes a shrunk scenario to a file for each failure. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/file/file.h"
#include "base/output.h"
#include "drawing.h"
#include "bench/tools/fuzz/fuzz.h"
#include "bench/run/runner.h"
#include "trial.h"

struct failure {
	struct failure *next;
	uint64_t seed;
	struct trial_end end;
	char signature[TRIAL_SIGNATURE_BYTES]; /* "" if another failure with it was reported */
};

/* A rule is the message of a rejection, with numbers and names replaced. */
enum { RULES_MAX = 64, RULE_BYTES = 72 };

struct rule {
	char text[RULE_BYTES];
	uint32_t count;
};

struct campaign {
	const struct fuzz_request *request;
	struct fuzz_base base;
	struct trial_options options;
	struct progress progress;
	uint32_t ends[TRIAL_FAILED + 1];
	struct failure *failures;	  /* sorted by seed */
	struct rule rules[RULES_MAX + 1]; /* the last element counts rules that have no element */
	uint32_t rule_count;
};

static void campaign_give_text(void *context, uint32_t number, struct text *out)
{
	const struct campaign *campaign = context;

	fuzz_base_draw(&campaign->base, campaign->request->first + number, out);
}

/* Writes the first line of an error message to `out`, with numbers and quoted names replaced by N.
 * For example, "4 kernel groups of 'p'" becomes "N kernel groups of N". */
static void general(const char *said, char *out)
{
	size_t length = 0;

	while (*said && *said != '\n' && length < RULE_BYTES - 1) {
		size_t skipped = strspn(said, "0123456789");

		if (skipped == 0 && *said == '\'')
			skipped = strcspn(said + 1, "'\n") + 2;
		out[length++] = skipped ? 'N' : *said;
		said += skipped ? skipped : 1;
	}
	out[length] = '\0';
}

static void count_rule(struct campaign *campaign, const char *said)
{
	struct rule *rule = campaign->rules;
	char text[RULE_BYTES];

	general(said, text);
	while (rule < campaign->rules + campaign->rule_count && strcmp(rule->text, text) != 0)
		rule++;
	if (rule == campaign->rules + campaign->rule_count) {
		bool room = campaign->rule_count < RULES_MAX;

		campaign->rule_count += room;
		memcpy(rule->text, room ? text : "others", room ? sizeof text : sizeof "others");
	}
	rule->count++;
}

static bool campaign_hear(void *context, uint32_t number, const struct trial_end *end)
{
	struct campaign *campaign = context;
	struct failure *failure, **link = &campaign->failures;

	campaign->ends[end->kind]++;
	progress_step(&campaign->progress);
	if (end->kind == TRIAL_REFUSED)
		count_rule(campaign, text_string(&end->what));
	if (end->kind != TRIAL_FAILED)
		return true;
	failure = allocate(1, sizeof *failure);
	failure->seed = campaign->request->first + number;
	failure->end.kind = end->kind;
	failure->end.code = end->code;
	text_append(&failure->end.what, text_string(&end->what));
	trial_signature(end, failure->signature, sizeof failure->signature);
	while (*link && (*link)->seed < failure->seed)
		link = &(*link)->next;
	failure->next = *link;
	*link = failure;
	return true;
}

static uint32_t count_lines(const struct text *text)
{
	uint32_t lines = 0;

	for (size_t i = 0; i < text->length; i++)
		lines += text->bytes[i] == '\n';
	return lines;
}

static bool write_failure(const char *path, const struct failure *failure, const struct text *text)
{
	const char *said = text_string(&failure->end.what);
	struct text whole = {0};
	bool good;

	text_printf(&whole, "# seed %" PRIu64 " of meshsim fuzz ends with %d: %.*s\n%s",
		failure->seed, failure->end.code, (int)strcspn(said, "\n"), said,
		text_string(text));
	good = file_write(path, 0666, &whole);
	if (!good)
		fprintf(stderr, "meshsim: cannot write %s: %s\n", path, strerror(errno));
	text_fini(&whole);
	return good;
}

/* Prints some of the seeds that ended like `failure`, and marks all of them as reported. */
static void tell_alike(struct failure *failure)
{
	enum { NAMED_MAX = 8 };
	uint32_t count = 0;

	for (struct failure *other = failure->next; other; other = other->next) {
		if (strcmp(other->signature, failure->signature) != 0)
			continue;
		other->signature[0] = '\0';
		if (count++ < NAMED_MAX)
			printf("%s%" PRIu64, count == 1 ? "  so do seeds " : ", ", other->seed);
	}
	if (count > NAMED_MAX)
		printf(" and %" PRIu32 " more", count - NAMED_MAX);
	printf("%s", count ? "\n" : "");
}

/* Shrinks a failure, writes its file, and reports it. */
static bool tell_failure(struct campaign *campaign, const struct failure *failure)
{
	const struct fuzz_request *request = campaign->request;
	const char *said = text_string(&failure->end.what);
	struct text text = {0}, path = {0};
	uint32_t trials = 0;
	bool good;

	fuzz_base_draw(&campaign->base, failure->seed, &text);
	if (!request->keep)
		trials = shrink(&campaign->options, &failure->end, campaign->base.names, &text);
	text_printf(&path, "%s/fuzz-%" PRIu64 ".yaml", request->folder, failure->seed);
	good = write_failure(text_string(&path), failure, &text);
	printf("seed %" PRIu64 " ends with %d: %.*s\n", failure->seed, failure->end.code,
		(int)strcspn(said, "\n"), said);
	if (good)
		printf("  %s: %" PRIu32 " lines, shrunk in %" PRIu32 " trials\n",
			text_string(&path), count_lines(&text) + 1, trials);
	fflush(stdout);
	text_fini(&path);
	text_fini(&text);
	return good;
}

static enum exit_code print_all(const struct campaign *campaign)
{
	for (uint32_t i = 0; i < campaign->request->seeds; i++) {
		struct text text = {0};

		fuzz_base_draw(&campaign->base, campaign->request->first + i, &text);
		printf("%s%s", i ? "---\n" : "", text_string(&text));
		text_fini(&text);
	}
	return EXIT_GOOD;
}

static void failures_free(struct failure *failure)
{
	while (failure) {
		struct failure *next = failure->next;

		text_fini(&failure->end.what);
		free(failure);
		failure = next;
	}
}

static int by_count(const void *a, const void *b)
{
	const struct rule *left = a, *right = b;

	if (left->count != right->count)
		return left->count < right->count ? 1 : -1;
	return strcmp(left->text, right->text);
}

static void print_ends(struct campaign *campaign)
{
	const struct fuzz_request *request = campaign->request;

	printf("%" PRIu32 " seeds from %" PRIu64 ": %" PRIu32 " ran, %" PRIu32
	       " refused by a rule, %" PRIu32 " ran into a hazard of their choices, %" PRIu32
	       " failed\n",
		request->seeds, request->first, campaign->ends[TRIAL_RAN],
		campaign->ends[TRIAL_REFUSED], campaign->ends[TRIAL_HAZARD],
		campaign->ends[TRIAL_FAILED]);
	qsort(campaign->rules, RULES_MAX + 1, sizeof campaign->rules[0], by_count);
	for (uint32_t i = 0; i <= RULES_MAX && campaign->rules[i].count > 0; i++)
		printf("%8" PRIu32 "  %s\n", campaign->rules[i].count, campaign->rules[i].text);
}

static enum exit_code campaign_run_all(struct campaign *campaign)
{
	const struct fuzz_request *request = campaign->request;
	bool good = true, started;

	progress_start(&campaign->progress, "fuzz", request->seeds, 0);
	started = trials_run(
		&campaign->options, request->seeds, campaign_give_text, campaign_hear, campaign);
	progress_hide(&campaign->progress);
	if (!started)
		fprintf(stderr, "meshsim: cannot start a child: %s\n", strerror(errno));
	for (struct failure *f = campaign->failures; f; f = f->next) {
		if (f->signature[0] == '\0')
			continue;
		good &= tell_failure(campaign, f);
		tell_alike(f);
	}
	print_ends(campaign);
	failures_free(campaign->failures);
	if (!good || !started)
		return EXIT_UNWRITTEN;
	return campaign->ends[TRIAL_FAILED] ? EXIT_REFUSED : EXIT_GOOD;
}

enum exit_code fuzz_run(const struct fuzz_request *request)
{
	struct campaign campaign = {.request = request};
	struct scratch *scratch = NULL;
	enum exit_code code = EXIT_BAD_INPUT;

	if (!fuzz_base_init(&campaign.base, request->scenario, request->directory,
		    request->world != FUZZ_SIM, request->hosts))
		goto out;
	if (request->print) {
		code = print_all(&campaign);
		goto out;
	}
	code = EXIT_UNWRITTEN;
	scratch = scratch_open("fuzz");
	if (!scratch)
		goto out;
	campaign.options = (struct trial_options){.folder = scratch_path(scratch),
		.directory = request->directory,
		.world = request->world,
		.jobs = request->jobs};
	code = campaign_run_all(&campaign);
out:
	scratch_close(scratch);
	fuzz_base_fini(&campaign.base);
	return code;
}
