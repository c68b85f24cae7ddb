/* `meshsim bring-up`: how long each flow takes from a descriptor to the first dispatch, and which
 * faults it notices. */
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "bench/run/runner.h"
#include "bench/scenario/hosts.h"
#include "bench/tools/options/option.h"
#include "bring_up.h"
#include "transport/rows.h"

struct options {
	const char *path, *flow, *fault, *transport, *mgd, *psd;
	struct option_texts sets, without;
	struct option_number hosts;
	uint32_t world, meshes, jobs;
	bool faults, steps, warm, asked, json;
};

static const struct option_row option_table[] = {
	{NULL, 0, "SCENARIO", "scenario whose platform is brought up", OPTION_TEXT,
		.offset = offsetof(struct options, path), .missing = "no scenario is given",
		.extra = "one scenario at a time"},
	{"flow", 0, "FLOW", "only this flow: manual, hierarchical, assisted or automatic",
		OPTION_TEXT, .offset = offsetof(struct options, flow)},
	{"fault", 0, "FAULT", "plant this fault, such as missing_cable", OPTION_TEXT,
		.offset = offsetof(struct options, fault)},
	{"faults", 0, NULL, "the table of all faults by flow", OPTION_FLAG,
		.offset = offsetof(struct options, faults)},
	{"without", 0, "MESSAGE", "leave out a message that carries a check; may be repeated",
		OPTION_TEXTS, .offset = offsetof(struct options, without)},
	{"steps", 0, NULL, "print the steps of each flow", OPTION_FLAG,
		.offset = offsetof(struct options, steps)},
	{"warm", 0, NULL, "agents have reported before the job begins; times count from then",
		OPTION_FLAG, .offset = offsetof(struct options, warm)},
	{"meshes", 0, "one|each", "one mesh over all hosts, or a mesh for each host", OPTION_CHOICE,
		.offset = offsetof(struct options, meshes)},
	{"mgd", 0, "FILE", "mesh graph descriptor, in place of --meshes", OPTION_TEXT,
		.offset = offsetof(struct options, mgd)},
	{"psd", 0, "FILE",
		"physical system descriptor: chips and hosts, in place of the platform's; costs "
		"stay the platform's",
		OPTION_TEXT, .offset = offsetof(struct options, psd)},
	{"asked", 0, NULL, "the machine is what --mgd asks for, a host for each rank", OPTION_FLAG,
		.offset = offsetof(struct options, asked)},
	{"hosts", 0, "N", "hosts of the machine, in place of the platform's", OPTION_NUMBER,
		.offset = offsetof(struct options, hosts), .least = 1, .most = 1024},
	{"world", 0, "sim|native", "simulated, or with threads and sockets of this machine",
		OPTION_CHOICE, .offset = offsetof(struct options, world)},
	{"transport", 0, "NAME", "transport between hosts; tcp by default", OPTION_TEXT,
		.offset = offsetof(struct options, transport)},
	{"set", 0, "KEY=VALUE", "set a key of the scenario", OPTION_TEXTS,
		.offset = offsetof(struct options, sets)},
	OPTION_JSON(struct options, json),
	OPTION_JOBS(struct options, jobs),
	{0},
};

static int find_flow(const char *name)
{
	for (unsigned i = 0; i < FLOW_COUNT; i++)
		if (strcmp(flow_row((enum flow_kind)i)->name, name) == 0)
			return (int)i;
	return -1;
}

static int find_fault(const char *name)
{
	for (unsigned i = 0; i < BRING_UP_FAULT_COUNT; i++)
		if (strcmp(bring_up_fault_name((enum bring_up_fault)i), name) == 0)
			return (int)i;
	return -1;
}

static int find_message(const char *name)
{
	for (unsigned i = 0; i < FLOW_MESSAGE_COUNT; i++)
		if (strcmp(flow_message_name((enum flow_message)i), name) == 0)
			return flow_message_optional((enum flow_message)i) ? (int)i : -1;
	return -1;
}

/* Appends "no WHAT 'NAME'" and, if one of the names is near, "did you mean". */
static void say_unknown(struct text *why, const char *what, const char *name,
	const char *(*name_of)(unsigned number), unsigned count)
{
	struct nearest nearest;

	nearest_start(&nearest, name);
	for (unsigned i = 0; i < count; i++)
		nearest_offer(&nearest, name_of(i));
	text_printf(why, "no %s '%s'", what, name);
	if (nearest.best)
		text_printf(why, ", did you mean '%s'?", nearest.best);
}

static const char *flow_number(unsigned number)
{
	return flow_row((enum flow_kind)number)->name;
}

static const char *fault_number(unsigned number)
{
	return bring_up_fault_name((enum bring_up_fault)number);
}

static const char *transport_number(unsigned number)
{
	return transport_name(number);
}

static void check_transport_name(const struct options *options, struct text *why)
{
	const struct transport_row *row = transport_find(options->transport);
	unsigned count = 0;

	while (transport_name(count))
		count++;
	if (!row)
		say_unknown(why, "transport", options->transport, transport_number, count);
	else if (options->world == 1 && !row->ops)
		text_printf(why, "transport '%s' is not in this build", options->transport);
}

static bool check_usage(void *given, struct text *why)
{
	const struct options *options = given;

	if (options->flow && find_flow(options->flow) < 0)
		say_unknown(why, "flow", options->flow, flow_number, FLOW_COUNT);
	else if (options->fault && find_fault(options->fault) < 0)
		say_unknown(why, "fault", options->fault, fault_number, BRING_UP_FAULT_COUNT);
	else if (options->fault && options->faults)
		text_append(why, "--faults are all; give it or --fault");
	else if (options->asked && (!options->mgd || options->psd))
		text_append(why, "--asked takes the machine of --mgd, without --psd");
	else if (options->hosts.given && (options->asked || options->psd))
		text_append(why, "--hosts is of the platform's machine, not of --psd or --asked");
	else if (options->transport)
		check_transport_name(options, why);
	for (uint32_t i = 0; i < options->without.count && why->length == 0; i++)
		if (find_message(options->without.at[i]) < 0)
			text_printf(why, "no message '%s' that can be left out",
				options->without.at[i]);
	return why->length == 0;
}

/* Adds a run of a flow with a fault, or the reason why it cannot happen. */
static void add_trial(const struct options *options, const struct bring_up_world *settings,
	struct bring_up_trial *trial, enum flow_kind flow, enum bring_up_fault fault)
{
	struct diag *diag = diag_new();
	struct bring_up_case made;

	*trial = (struct bring_up_trial){.flow = flow, .fault = fault};
	for (uint32_t i = 0; i < options->without.count; i++)
		trial->without[find_message(options->without.at[i])] = true;
	if (fault != BRING_UP_FAULT_NONE && bring_up_case_make(&made, &settings->source, diag)) {
		trial->impossible = bring_up_plant(&made, flow, fault);
		bring_up_case_free(&made);
	}
	diag_free(diag);
}

static uint32_t choose_trials(const struct options *options, const struct bring_up_world *settings,
	struct bring_up_trial *trials)
{
	uint32_t count = 0;
	unsigned first = options->faults ? 1 : 0, last = options->faults ? BRING_UP_FAULT_COUNT : 1;

	if (options->fault) {
		first = (unsigned)find_fault(options->fault);
		last = first + 1;
	}
	for (unsigned fault = first; fault < last; fault++)
		for (unsigned flow = 0; flow < FLOW_COUNT; flow++)
			if (!options->flow || find_flow(options->flow) == (int)flow)
				add_trial(options, settings, &trials[count++], (enum flow_kind)flow,
					(enum bring_up_fault)fault);
	return count;
}

/* Returns false if the machine cannot have such meshes, with an error in `diag`. Sets the number of
 * hosts. */
static bool can_make(struct bring_up_world *settings, struct diag *diag)
{
	struct bring_up_case made;
	bool good = bring_up_case_make(&made, &settings->source, diag);

	if (good)
		settings->source.hosts = made.described->host_count;
	bring_up_case_free(&made);
	return good;
}

static int run_all(const struct options *options, const struct run_plan *plan, struct diag *diag)
{
	struct bring_up_world settings = {.plan = plan,
		.source = {.platform = plan->platform,
			.hosts = options->hosts.given ? (uint32_t)options->hosts.value : 0,
			.meshes = options->meshes ? BRING_UP_MESH_EACH_HOST : BRING_UP_ONE_MESH,
			.mgd = options->mgd,
			.psd = options->psd,
			.asked = options->asked},
		.native = options->world == 1,
		.warm = options->warm,
		.transport = options->transport ? options->transport : "tcp",
		.jobs = options->jobs};
	static struct bring_up_trial trials[FLOW_COUNT * BRING_UP_FAULT_COUNT];
	uint32_t count;
	bool faults = options->faults || options->fault;

	if (!platform_hosts(plan->platform)) {
		diag_error(diag, tree_where(tree_root(plan->tree), "platform"),
			"bring-up needs a platform with hosts:, which talk over a network");
		return EXIT_BAD_INPUT;
	}
	if (!can_make(&settings, diag))
		return EXIT_BAD_INPUT;
	count = choose_trials(options, &settings, trials);
	if (!bring_up_run(&settings, trials, count))
		return EXIT_REFUSED;
	if (options->json)
		bring_up_print_json(&settings, trials, count, stdout);
	else if (faults)
		bring_up_print_faults(trials, count, stdout);
	else
		bring_up_print_flows(trials, count, stdout);
	for (uint32_t i = 0; options->steps && !options->json && i < count; i++)
		bring_up_print_steps(&trials[i], stdout);
	for (uint32_t i = 0; i < count; i++)
		if (!trials[i].impossible &&
			(!trials[i].ended || (!faults && !trials[i].result.reached)))
			return EXIT_REFUSED;
	return EXIT_GOOD;
}

static int command_bring_up_run(const void *given)
{
	const struct options *options = given;
	struct load_options load = {.sets = (const char *const *)options->sets.at,
		.set_count = options->sets.count,
		.platform_directory = platform_directory()};
	struct diag *diag = diag_new();
	struct scenario_file *file = scenario_open(shipped_scenario(options->path), &load, diag);
	struct run_plan plan;
	int code = EXIT_BAD_INPUT;

	if (file && run_plan_open(file, 0, diag, &plan)) {
		code = run_all(options, &plan, diag);
		run_plan_close(&plan);
	}
	diag_print(diag, stderr);
	scenario_close(file);
	diag_free(diag);
	return code;
}

const struct command_work command_bring_up = {
	OPTION_TABLE(option_table, struct options),
	.check = check_usage,
	.run = command_bring_up_run,
};
