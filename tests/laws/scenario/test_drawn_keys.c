/* label: full  timeout: 900
 * Draws scenarios, keys and values at random. If a key is set to another value, either a result
 * must change, or meshsim must report that the key has no effect, but not both.
 * MESHSIM_KEY_SEEDS=500 draws 500 cases, and MESHSIM_KEY_FIRST sets the first seed. */
#include "test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "drawn_key.h"
#include "key_run.h"
#include "shell.h"

enum { SEEDS = 24, FIRST = 1, SET_BYTES = DRAWN_PATH_BYTES + DRAWN_VALUE_BYTES + 1 };

struct trial {
	uint64_t seed;
	struct drawn_key key;
	const char *scenario;
	struct key_end base;
	bool said; /* a warning says that the scenario's own value has no effect */
};

static uint32_t number_of(const char *name, uint32_t otherwise)
{
	const char *value = getenv(name);

	return value ? (uint32_t)strtoul(value, NULL, 10) : otherwise;
}

/* True if the last run warned that the option `--set PATH` has no effect. */
static bool was_said(const char *path)
{
	char head[DRAWN_PATH_BYTES + 16];
	struct text text = {0};
	const char *line, *end, *found;
	bool said = false;

	snprintf(head, sizeof head, "--set %s:", path);
	assert_true(file_read(test_path("keys.err"), FILE_BYTES_MAX, &text, NULL));
	for (line = text_string(&text); *line && !said; line = *end ? end + 1 : end) {
		end = line + strcspn(line, "\n");
		found = strstr(line, " has no effect ");
		said = strncmp(line, head, strlen(head)) == 0 && found && found < end;
	}
	text_fini(&text);
	return said;
}

enum answer { ACTS, IDLE, SAME, REFUSED, WRONG };

static const char *const answers[] = {
	"acts", "is said to be idle", "no other values", "is refused", "WRONG"};

static bool is_default(const struct trial *trial, const char *value)
{
	const char *fallback = trial->key.field.fallback;

	return fallback && strcmp(value, fallback) == 0;
}

static struct key_end run_with(const struct trial *trial, const char *value, char set[SET_BYTES])
{
	snprintf(set, SET_BYTES, "%s=%.63s", trial->key.path, value);
	return key_run(trial->scenario, set);
}

static enum answer attempt(const struct trial *trial, const char *value)
{
	char set[SET_BYTES];
	struct key_end end = run_with(trial, value, set);
	bool said, moved;

	if (end.code == 2 || end.code == 1)
		return REFUSED;
	if (end.code != 0 && end.code != 4) {
		print_error("seed %" PRIu64 ": --set %s ends with exit code %d\n", trial->seed, set,
			end.code);
		return WRONG;
	}
	moved = end.code != trial->base.code || end.print != trial->base.print;
	/* warnings never name a default; in that case the base run has the warning */
	said = is_default(trial, value) ? trial->said : was_said(trial->key.path);
	if (moved && said) {
		print_error("seed %" PRIu64 ": --set %s is said to have no effect and moves "
			    "figures: exit code %d and hash %016" PRIx64 ", not %d and %016" PRIx64
			    "\n",
			trial->seed, set, end.code, end.print, trial->base.code, trial->base.print);
		return WRONG;
	}
	return moved ? ACTS : said ? IDLE : SAME;
}

/* Returns true for keys that may have no effect in a scenario without a warning. Most of them have
 * an effect only if threads or commands must wait, which is not known before the run. model.cores
 * only selects how the simulation computes: both of its values must give the same results
 * (tests/laws/chip). */
static bool may_act_in_no_run(const char *path)
{
	static const char *const keys[] = {"model.cores", "model.scheduler",
		"runtime.forward.channels", "runtime.sizes.issue_queue_bytes",
		"runtime.sizes.completion_queue_bytes", "runtime.host.caller_wait",
		"runtime.command_buffers", "runtime.host.spin_ns", NULL};

	for (int i = 0; keys[i]; i++)
		if (strcmp(path, keys[i]) == 0)
			return true;
	return false;
}

/* A key acts if one of its values changes a figure, or is rejected in this scenario. */
static enum answer judge(struct stream *stream, struct trial *trial)
{
	char values[DRAWN_VALUES_MAX][DRAWN_VALUE_BYTES], set[SET_BYTES];
	uint32_t count = drawn_values(stream, &trial->key, values);
	bool refused = false, same = false;

	if (*trial->key.own && !is_default(trial, trial->key.own)) {
		(void)run_with(trial, trial->key.own, set);
		trial->said = was_said(trial->key.path);
	}
	for (uint32_t i = 0; i < count; i++) {
		enum answer answer = attempt(trial, values[i]);

		if (answer == ACTS || answer == IDLE || answer == WRONG)
			return answer;
		refused |= answer == REFUSED;
		same |= answer == SAME;
	}
	if (same && !refused && !may_act_in_no_run(trial->key.path)) {
		print_error("seed %" PRIu64 ": no value of %s moves a figure, and none is said to "
			    "have no effect\n",
			trial->seed, trial->key.path);
		return WRONG;
	}
	return refused ? REFUSED : SAME;
}

static enum answer draw(uint64_t seed)
{
	struct trial trial = {.seed = seed};
	struct text text = {0};
	struct stream stream;
	enum answer answer = REFUSED;

	drawn_scenario(seed, &text);
	trial.scenario = text_string(&text);
	trial.base = key_run(trial.scenario, NULL);
	stream_init(&stream, seed, "test/key");
	if (trial.base.code == 0 || trial.base.code == 4) {
		drawn_key(&stream, trial.scenario, &trial.key);
		answer = judge(&stream, &trial);
	}
	print_message("seed %" PRIu64 ": %s: %s\n", seed, trial.key.path, answers[answer]);
	if (answer == WRONG)
		print_error("of this scenario:\n%s", trial.scenario);
	text_fini(&text);
	return answer;
}

TEST(a_drawn_key_moves_a_figure_or_is_said_to_have_no_effect)
{
	uint32_t count = number_of("MESHSIM_KEY_SEEDS", SEEDS);
	uint32_t first = number_of("MESHSIM_KEY_FIRST", FIRST);
	uint32_t counts[WRONG + 1] = {0};

	for (uint32_t i = 0; i < count; i++)
		counts[draw(first + i)]++;
	print_message("%u draws: %u act, %u are said to be idle, %u refused, %u wrong\n", count,
		counts[ACTS], counts[IDLE], counts[REFUSED], counts[WRONG]);
	assert_true(counts[ACTS] > count / 5);
	assert_true(count < 20 || counts[IDLE] > 0);
	assert_int_equal(counts[WRONG], 0);
}

TEST_MAIN(shell_folder_make, shell_folder_remove)
