/* `meshsim manager`: the fabric manager of a cluster, its agents, and the requests that schedulers
 * and launchers send to it. */
#include <string.h>

#include "base/nearest.h"
#include "base/output.h"
#include "manager_command.h"
#include "world/native/native.h"
#include "world/world.h"

struct verb {
	const char *name;
	int (*run)(const struct manager_command *command);
	bool job, mgd, psd; /* what it needs */
};

static const struct verb verbs[] = {
	{"serve", manager_command_serve, .job = false},
	{"agent", manager_command_agent, .psd = true},
	{"place", manager_command_place, .job = true, .mgd = true},
	{"release", manager_command_release, .job = true},
	{"job", manager_command_job, .job = true},
	{"env", manager_command_env, .job = true},
	{"status", manager_command_status, .job = false},
	{"advise", manager_command_advise, .job = true, .mgd = true},
};
enum { VERBS = sizeof verbs / sizeof verbs[0] };

static const struct option_row option_table[] = {
	{NULL, 0, "serve|agent|place|release|job|env|status|advise", NULL, OPTION_TEXT,
		.offset = offsetof(struct manager_command, verb), .missing = "say what to do"},
	{NULL, 0, "[JOB]", NULL, OPTION_TEXT, .offset = offsetof(struct manager_command, job),
		.extra = "one job at a time"},
	{"address", 'a', "HOST:PORT", "where the manager listens; 127.0.0.1:7411 by default",
		OPTION_TEXT, .offset = offsetof(struct manager_command, address)},
	{"remote", 0, NULL, "other machines may take part", OPTION_FLAG,
		.offset = offsetof(struct manager_command, remote)},
	{"munge-socket", 0, "PATH", "socket of munge's daemon, if it is not where munge has it",
		OPTION_TEXT, .offset = offsetof(struct manager_command, socket)},
	{"state", 0, "FILE", "serve: keeps jobs and hosts in this file; none survives without",
		OPTION_TEXT, .offset = offsetof(struct manager_command, state)},
	{"groupings", 0, "FILE", "serve: physical groupings, the chips that may be a mesh together",
		OPTION_TEXT, .offset = offsetof(struct manager_command, groupings)},
	{"stale", 0, "SECONDS",
		"serve: a host that is silent for longer gets no new jobs; 5 by default",
		OPTION_NUMBER, .offset = offsetof(struct manager_command, stale_s), .least = 1,
		.most = 86400},
	{"budget", 0, "N",
		"serve: chips to try for a job before it is refused; 1000000 by default, which "
		"takes seconds",
		OPTION_NUMBER, .offset = offsetof(struct manager_command, budget), .least = 1,
		.most = UINT64_C(1) << 40},
	{"psd", 0, "FILE", "agent: the physical system descriptor that its host is part of",
		OPTION_TEXT, .offset = offsetof(struct manager_command, psd)},
	{"host", 0, "NAME", "agent, env: the host; the machine's own name by default", OPTION_TEXT,
		.offset = offsetof(struct manager_command, host)},
	{"period", 0, "MS", "agent: time between reports; 1000 by default", OPTION_NUMBER,
		.offset = offsetof(struct manager_command, period_ms), .least = 10,
		.most = 3600000},
	{"once", 0, NULL, "agent: report once, and end", OPTION_FLAG,
		.offset = offsetof(struct manager_command, once)},
	{"mgd", 0, "FILE", "place, advise: mesh graph descriptor, the meshes that are wanted",
		OPTION_TEXT, .offset = offsetof(struct manager_command, mgd)},
	{"relaxed", 0, NULL, "place, advise: one channel a link is enough", OPTION_FLAG,
		.offset = offsetof(struct manager_command, relaxed)},
	{"any-host", 0, NULL, "place, advise: a rank may have chips of several hosts", OPTION_FLAG,
		.offset = offsetof(struct manager_command, any_host)},
	{"split-boards", 0, NULL, "place, advise: two ranks may have chips of one board",
		OPTION_FLAG, .offset = offsetof(struct manager_command, split_boards)},
	{"owner", 0, "UID", "place: the job's owner, whom administrators may name", OPTION_NUMBER,
		.offset = offsetof(struct manager_command, owner), .most = UINT32_MAX},
	{"output", 'o', "DIR",
		"place, job: write rank_bindings.yaml, rankfile.txt and "
		"mesh_graph_descriptor.textproto",
		OPTION_TEXT, .offset = offsetof(struct manager_command, output)},
	{"task", 0, "N",
		"env: number of the task among those of the job on this host; 0 by default",
		OPTION_NUMBER, .offset = offsetof(struct manager_command, task), .most = 1023},
	OPTION_JSON(struct manager_command, json),
	{0},
};

static const struct verb *find_verb(const char *name)
{
	for (int i = 0; i < VERBS; i++)
		if (strcmp(name, verbs[i].name) == 0)
			return &verbs[i];
	return NULL;
}

static bool command_manager_check(void *given, struct text *why)
{
	const struct manager_command *command = given;
	const struct verb *verb = find_verb(command->verb);
	struct nearest nearest;

	if (!verb) {
		nearest_start(&nearest, command->verb);
		for (int i = 0; i < VERBS; i++)
			nearest_offer(&nearest, verbs[i].name);
		text_printf(why, "'%s' is nothing that a manager does%s%s%s", command->verb,
			nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
			nearest.best ? "'?" : "");
	} else if (verb->job && !command->job) {
		text_printf(why, "%s needs the name of a job", verb->name);
	} else if (!verb->job && command->job) {
		text_printf(why, "%s is about no job", verb->name);
	} else if (verb->mgd && !command->mgd) {
		text_printf(why, "%s needs --mgd FILE", verb->name);
	} else if (verb->psd && !command->psd) {
		text_printf(why, "%s needs --psd FILE", verb->name);
	}
	return why->length == 0;
}

static int command_manager_run(const void *given)
{
	const struct manager_command *command = given;

	world = &native_world;
	native_world_start(NULL);
	return find_verb(command->verb)->run(command);
}

const struct command_work command_manager = {
	OPTION_TABLE(option_table, struct manager_command),
	.check = command_manager_check,
	.run = command_manager_run,
};
