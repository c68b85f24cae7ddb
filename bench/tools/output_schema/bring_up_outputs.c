/* The JSON that `meshsim bring-up` prints (see output_schema.h). */
#include "shapes.h"

static const struct shape steps[] = {
	TEXT("step"),
	TEXT("actor", .choices = "launcher manager agent rank"),
	INTEGER("actors", .help = "how many did it"),
	INTEGER("begins", .help = "its first actor, in ns"),
	INTEGER("ends", .help = "its last actor, in ns"),
	INTEGER("longest", .help = "of one actor, in ns"),
};

static const struct shape said[] = {
	TEXT("message"),
	INTEGER("count"),
	INTEGER("bytes"),
};

static const struct shape runs[] = {
	TEXT("flow", .choices = "manual hierarchical assisted automatic"),
	TEXT("fault", .help = "planted; none: nothing"),
	TEXT("impossible", .nullable = true, .help = "why the fault cannot happen here"),
	BOOL("reached", .help = "the first dispatch"),
	INTEGER("time", .help = "to the first dispatch, or to the failure, in ns"),
	TEXT("bindings", .help = "hash of ranks, hosts, meshes and devices"),
	TEXT("noticed", .choices = "before_launch at_launch at_dispatch never"),
	TEXT("by", .nullable = true, .help = "message that told it; null: none"),
	TEXT("path", .list = true, .help = "that message, and those that passed it on"),
	TEXT("why"),
	INTEGER("lesser", .help = "links and connections with fewer channels than described"),
	INTEGER("links", .help = "all links and connections"),
	{.name = "steps", .list = true, SHAPE_INNER(steps)},
	{.name = "messages", .list = true, SHAPE_INNER(said)},
};

static const struct shape bring_up[] = {
	TEXT("world", .choices = "sim native"),
	INTEGER("hosts"),
	TEXT("unit", .choices = "ns"),
	{.name = "runs", .list = true, SHAPE_INNER(runs)},
};

static const struct shape document = {
	.name = "bring-up", .help = "how flows bring meshes up", SHAPE_INNER(bring_up)};

const struct shape *const bring_up_outputs[] = {&document, NULL};
