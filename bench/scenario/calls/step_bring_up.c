/* The step `bring_up`: brings meshes of the platform's hosts up by a flow (bring_up/flow.h). */
#include "bench/scenario/hosts.h"
#include "bring_up/flow.h"
#include "steps/check.h"

#define X(name, word, ...) #word,
static const char *const flow_names[] = {
#include "bring_up/flows.def"
	NULL};
#undef X

#define X(name, word, ...) #word,
static const char *const fault_names[] = {
#include "bring_up/faults.def"
	NULL};
#undef X

static const char *const mesh_names[] = {"one", "each", NULL};

static const struct schema_field bring_up_fields[] = {
	SCHEMA_ENUM(struct bring_up_step, flow, "flow", flow_names, .fallback = "manual",
		.help = "who maps the meshes, and when: the user's files, control planes with "
			"them, "
			"a manager that writes them, or a manager with agents and no files"),
	SCHEMA_ENUM(struct bring_up_step, meshes, "meshes", mesh_names, .fallback = "one",
		.help = "one mesh over all hosts, or a mesh for each host, joined as hosts are"),
	SCHEMA_ENUM(struct bring_up_step, fault, "fault", fault_names, .fallback = "none",
		.help = "planted in the machine or in the user's files; the step ends when the "
			"launcher knows of it"),
	SCHEMA_BOOL(struct bring_up_step, warm, "warm", .fallback = "false",
		.help = "the agents of the automatic flow have reported before the step begins"),
};
const struct schema bring_up_schema = SCHEMA("bring_up", struct bring_up_step, bring_up_fields,
	.help = "brings meshes on all hosts of the platform up to their first dispatch, beside the "
		"scenario's own mesh");

void check_bring_up(struct check *check, const struct tree_node *keys, struct step *step)
{
	(void)keys;
	if (!platform_hosts(check->run->platform))
		diag_error(check->diag, step->where,
			"bring_up needs a platform with hosts:, which talk over a network");
	else if (check->run->native)
		diag_error(check->diag, step->where,
			"bring_up is simulated in runs: natively, use `meshsim bring-up --world "
			"native`");
}
