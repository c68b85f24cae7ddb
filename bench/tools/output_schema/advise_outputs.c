/* Describes the JSON that `advise` prints (see output_schema.h). */
#include "shapes.h"

static const struct shape verdict_members[] = {
	TEXT("outcome", .choices = "gains loses equal undecided"),
	NUMBER("time", .help = "mean time of an iteration"),
	NUMBER("gain", .help = "share by which there are more iterations in a second"),
	NUMBER("low", .nullable = true, .help = "95 %; null: no interval"),
	NUMBER("high", .nullable = true),
	NUMBER("chance", .nullable = true,
		.help = "that it is better, of draws of all costs; null: unknown"),
	TEXT("mechanism", .help = "stage that makes the difference, or nothing"),
	TEXT("rests_on", .help = "guessed constants that move the margin"),
	TEXT("doubt", .help = "that the model's error is larger than the margin, or nothing"),
};

static const struct shape step_members[] = {
	TEXT("step", .help = "its name, or its program"),
	INTEGER("launches"),
	NUMBER("kernel", .help = "mean time of the kernels of a launch"),
	NUMBER("idle", .help = "mean time before them without a kernel"),
	TEXT("cause", .choices = "host dispatch wait transfer"),
};

static const struct shape idle_members[] = {
	NUMBER("host", .help = "share of the time in which devices are idle for this cause"),
	NUMBER("dispatch"),
	NUMBER("wait", .help = "the host waits until it knows of a completion"),
	NUMBER("transfer"),
	INTEGER("launches"),
	INTEGER("bound", .help = "launches that run shorter than the idle time before them"),
	{.name = "steps", .list = true, .help = "the most idle first", SHAPE_INNER(step_members)},
};

static const struct shape change_members[] = {
	TEXT("change", .help = "its name"),
	TEXT("key", .nullable = true, .help = "of the scenario; null: the workload is rewritten"),
	TEXT("set", .nullable = true, .help = "the key's new value"),
	TEXT("needs", .help = "what the application must allow, or nothing"),
	TEXT("refused", .nullable = true, .help = "why it did not run; null: it ran"),
	{.name = "verdict",
		.nullable = true,
		.help = "against today's design",
		SHAPE_INNER(verdict_members)},
};

static const struct shape pair_members[] = {
	TEXT("change", .help = "names of both changes"),
	{.name = "verdict", .help = "against today's design", SHAPE_INNER(verdict_members)},
	TEXT("single", .help = "the best single change"),
	{.name = "against_single", SHAPE_INNER(verdict_members)},
};

static const struct shape advise_members[] = {
	TEXT("scenario"),
	TEXT("platform"),
	NUMBER("time", .help = "mean time of an iteration today"),
	INTEGER("tokens", .nullable = true, .help = "of an iteration, if --tokens says so"),
	NUMBER("remains", .help = "time of an iteration without host, dispatch and waits"),
	{.name = "idle", SHAPE_INNER(idle_members)},
	{.name = "changes",
		.list = true,
		.help = "the most gain first",
		SHAPE_INNER(change_members)},
	{.name = "pair",
		.nullable = true,
		.help = "the best pair of changes",
		SHAPE_INNER(pair_members)},
	TEXT("notes", .list = true, .help = "what is assumed, or left out"),
};

static const struct shape advise = {.name = "advise",
	.help = "meshsim advise --json; times in ps",
	SHAPE_INNER(advise_members)};

const struct shape *const advise_outputs[] = {&advise, NULL};
