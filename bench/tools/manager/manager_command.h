/* The options of `meshsim manager`, and what its files share. Only for files of this folder. */
#ifndef BENCH_TOOLS_MANAGER_COMMAND_H
#define BENCH_TOOLS_MANAGER_COMMAND_H

#include "base/tree.h"
#include "bench/tools/options/option.h"
#include "manager/service.h"

struct manager_command {
	const char *verb, *job;
	const char *address, *state, *groupings, *mgd, *psd, *host, *output, *socket;
	struct option_number stale_s, budget, period_ms, task, owner;
	bool remote, relaxed, any_host, split_boards, once, json;
};

/* Returns how to reach the manager, or where it is to listen. */
struct manager_service_settings manager_command_settings(const struct manager_command *command);

/* Asks the manager. Returns the reply, which the caller frees with tree_free(), or NULL after a
 * message on standard error. */
struct tree *manager_command_ask(
	const struct manager_command *command, const struct manager_request *request);

/* Returns the text at a dotted path of a reply, or "". */
const char *manager_reply_text(const struct tree *reply, const char *path);

/* Run a verb. Return an exit code. */
int manager_command_serve(const struct manager_command *command);
int manager_command_agent(const struct manager_command *command);
int manager_command_place(const struct manager_command *command);
int manager_command_release(const struct manager_command *command);
int manager_command_job(const struct manager_command *command);
int manager_command_env(const struct manager_command *command);
int manager_command_status(const struct manager_command *command);
int manager_command_advise(const struct manager_command *command);

/* Becomes true when the process was asked to end (SIGINT, SIGTERM). */
bool manager_command_ends(void);

/* Makes manager_command_ends() true for these signals. */
void manager_command_hear_signals(void);

#endif
