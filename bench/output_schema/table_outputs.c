/* What list, platform show and validate print as JSON; see output_schema.h. */
#include "shapes.h"

/* ---- list ---- */

static const struct shape list_members[] = {
	TEXT("key", .help = "of the scenario"),
	TEXT("name", .help = "its value"),
	TEXT("section", .help = "of the specification"),
	TEXT("resources", .help = "what it takes"),
	TEXT("description"),
};

static const struct shape list = {.name = "list",
	.help = "meshsim list --json: design choices, and what else scenarios may name",
	.list = true,
	SHAPE_INNER(list_members)};

/* ---- platform show ---- */

static const struct shape constants[] = {
	TEXT("name", .help = "path below the platform"),
	NUMBER("value"),
	TEXT("unit"),
	TEXT("kind", .choices = "published measured fitted assumed"),
	TEXT("source"),
	TEXT("what"),
};

static const struct shape platform_members[] = {
	TEXT("name"),
	TEXT("description"),
	INTEGER("mesh", .list = true, .length = 2, .help = "rows, columns"),
	INTEGER("chips", .help = "gateways included"),
	INTEGER("chips_with_pcie"),
	INTEGER("workers", .list = true, .length = 2, .help = "of a chip: columns, rows"),
	INTEGER("dispatch_tiles", .help = "of a chip"),
	INTEGER("idle_ethernet_tiles"),
	INTEGER("tensix_tiles"),
	INTEGER("connections", .help = "Ethernet links between chips"),
	{.name = "constants", .list = true, SHAPE_INNER(constants)},
};

static const struct shape platform = {.name = "platform-show",
	.help = "meshsim platform show NAME --json",
	SHAPE_INNER(platform_members)};

/* ---- validate ---- */

static const struct shape family[] = {
	INTEGER("n", .help = "rows that ran"),
	INTEGER("not_run"),
	NUMBER("mean", .help = "of relative errors"),
	NUMBER("median"),
	NUMBER("p90"),
	NUMBER("worst"),
	NUMBER("ranking", .help = "Kendall's tau-b"),
	INTEGER("with_spread", .help = "rows that say how far measurements scatter"),
	INTEGER("within_spread", .help = "of these, predicted within it"),
};

static const struct shape rows[] = {
	TEXT("family"),
	TEXT("system"),
	TEXT("params"),
	TEXT("metric"),
	TEXT("unit"),
	NUMBER("reference", .help = "measured on hardware"),
	NUMBER("predicted", .nullable = true),
	NUMBER("error", .optional = true, .help = "relative"),
	TEXT("reason", .optional = true, .help = "why it did not run"),
};

static const struct shape validate_members[] = {
	{.name = "families", .by_name = true, SHAPE_INNER(family)},
	{.name = "by",
		.list = true,
		.optional = true,
		.open = true,
		.help = "with --by: rows that have the same values of these keys",
		SHAPE_INNER(family)},
	{.name = "rows", .list = true, .optional = true, .help = "with --rows", SHAPE_INNER(rows)},
};

static const struct shape validate = {
	.name = "validate", .help = "meshsim validate --json", SHAPE_INNER(validate_members)};

const struct shape *const table_outputs[] = {&list, &platform, &validate, NULL};
