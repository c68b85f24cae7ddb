/* The four flows, and the words of their lists. The parts of a flow are in its own file. */
#include "rows_private.h"

static const struct flow_row rows[FLOW_COUNT] = {
#define X(name, word, section_of, about)                                                           \
	[FLOW_##name] = {#word, section_of, about, flow_parts_##word},
#include "bring_up/flows.def"
#undef X
};

#define X(name, word, ...) #word,
static const char *const step_names[FLOW_STEP_COUNT] = {
#include "bring_up/steps.def"
};

static const char *const message_names[FLOW_MESSAGE_COUNT] = {
#include "bring_up/messages.def"
};
#undef X

#define X(name, word, may, ...) may,
static const bool optional[FLOW_MESSAGE_COUNT] = {
#include "bring_up/messages.def"
};
#undef X

static const char *const actor_names[ACTOR_COUNT] = {"launcher", "manager", "agent", "rank"};
static const char *const moment_names[MOMENT_COUNT] = {
	"before launch", "at launch", "at dispatch", "never"};

const struct flow_row *flow_row(enum flow_kind kind)
{
	return &rows[kind];
}

const char *flow_step_name(enum flow_step step)
{
	return step_names[step];
}

const char *flow_message_name(enum flow_message message)
{
	return message_names[message];
}

const char *flow_actor_name(enum flow_actor actor)
{
	return actor_names[actor];
}

const char *flow_moment_name(enum flow_moment moment)
{
	return moment_names[moment];
}

bool flow_message_optional(enum flow_message message)
{
	return optional[message];
}

bool flow_has_step(enum flow_kind kind, enum flow_step step)
{
	for (const struct flow_part *part = rows[kind].parts; part->step != FLOW_STEP_COUNT; part++)
		if (part->step == step)
			return true;
	return false;
}

bool flow_has_actor(enum flow_kind kind, enum flow_actor actor)
{
	for (const struct flow_part *part = rows[kind].parts; part->step != FLOW_STEP_COUNT; part++)
		if (part->actor == actor)
			return true;
	return false;
}
