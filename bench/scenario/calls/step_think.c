/* Schema and check of `think` steps, in which the application's thread makes no call. */
#include "steps/check.h"
#include "scenario_private.h"

static const struct schema_field think_fields[] = {
	SCHEMA_INT(struct think_step, for_ns, "for_ns", .max = (int64_t)1 << 50, .fallback = "0",
		.unit = "ns", .help = "time from now on"),
	SCHEMA_INT(struct think_step, until_ns, "until_ns", .max = (int64_t)1 << 50,
		.fallback = "0", .unit = "ns",
		.help = "time since the iteration of the repeat around the step began, or the "
			"workload, if there is none. Takes no time if it is over: a host that is "
			"late catches up"),
};
const struct schema think_schema = SCHEMA("think", struct think_step, think_fields,
	.help = "the application computes, and calls nothing, for some time or until a time");

void check_think(struct check *check, const struct tree_node *keys, struct step *step)
{
	struct think_step *think = &step->think;

	(void)keys;
	if ((think->for_ns > 0) == (think->until_ns > 0))
		diag_error(check->diag, step->where, "think: either for_ns or until_ns, above 0");
}
