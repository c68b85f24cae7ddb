/* `meshsim executor`: the executor of one host of native runs, which another meshsim controls. */
#include <stdio.h>
#include <string.h>

#include "base/ensure.h"
#include "base/text.h"
#include "bench/run/enlist.h"
#include "bench/run/executors.h"
#include "bench/scenario/load.h"
#include "commands.h"
#include "world/channel.h"

struct options {
	const char *scenario, *controller, *token;
	struct option_texts sets;
	struct option_number seed, host, runs;
	uint32_t wait_s;
};

static const struct option_row option_table[] = {
	{NULL, 0, "SCENARIO", NULL, OPTION_TEXT, .offset = offsetof(struct options, scenario),
		.missing = "no scenario given: the one that the controller runs",
		.extra = "one scenario at a time"},
	{"controller", 0, "HOST:PORT", "where the controller listens (its --listen)", OPTION_TEXT,
		.offset = offsetof(struct options, controller),
		.missing = "no controller given: --controller HOST:PORT"},
	{"token", 0, "FILE", "the secret that it shares with the controller", OPTION_TEXT,
		.offset = offsetof(struct options, token),
		.missing = "no token given: --token FILE"},
	{"host", 0, "N", "be host N, from 0 on; any that is free by default", OPTION_NUMBER,
		.offset = offsetof(struct options, host), .most = CHANNEL_MEMBERS_MAX},
	{"set", 0, "KEY=VALUE", "set a key of the scenario, as the controller does", OPTION_TEXTS,
		.offset = offsetof(struct options, sets)},
	{"seed", 0, "N", "one run of each point with this seed, as the controller does",
		OPTION_NUMBER, .offset = offsetof(struct options, seed), .most = INT64_MAX},
	{"wait", 0, "S", "seconds to wait for the controller, before each run; 60 by default",
		OPTION_COUNT, .offset = offsetof(struct options, wait_s), .least = 1,
		.most = EXECUTORS_WAIT_S_MAX, .fallback = EXECUTORS_WAIT_S},
	{"runs", 0, "N", "end after N runs; by default after those of the scenario", OPTION_NUMBER,
		.offset = offsetof(struct options, runs), .least = 1, .most = UINT32_MAX},
	{0},
};

/* Rejects port 0. A controller that listens at port 0 chooses a free port and prints it. */
static bool command_executor_check(void *given, struct text *why)
{
	const struct options *options = given;
	const char *colon = strrchr(options->controller, ':');

	if (colon && strcmp(colon, ":0") == 0)
		text_printf(why,
			"--controller %s: name the port at which the controller waits, as it says",
			options->controller);
	return !why->length;
}

static int command_executor_run(const void *given)
{
	const struct options *options = given;
	const struct load_options load = {
		.sets = (const char *const *)options->sets.at,
		.set_count = options->sets.count,
		.has_seed = options->seed.given,
		.seed = options->seed.value,
		.platform_directory = platform_directory(),
		.native = true,
	};
	struct diag *diag = diag_new();
	struct executor_request request = {
		.file = scenario_open(shipped_scenario(options->scenario), &load, diag),
		.controller = options->controller,
		.token = options->token,
		.host = options->host.given ? (uint32_t)options->host.value : ENLIST_ANY_HOST,
		.wait_s = options->wait_s,
		.runs = (uint32_t)options->runs.value,
	};
	int code = EXIT_BAD_INPUT;

	diag_print(diag, stderr);
	if (request.file != NULL)
		code = executors_serve(&request);
	scenario_close(request.file);
	diag_free(diag);
	return code;
}

const struct command_work command_executor = {
	OPTION_TABLE(option_table, struct options),
	.reads_platforms = true,
	.check = command_executor_check,
	.run = command_executor_run,
};
