/* The cost constants of a run's effective platform, and their groups (constant.def). A constant is
 * a cost if its unit is time, cycles or bandwidth; sizes, counts and ratios are not costs. */
#ifndef ANALYSIS_COMPARE_CONSTANTS_H
#define ANALYSIS_COMPARE_CONSTANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

enum constant_group {
#define X(NAME, name, patterns) CONSTANTS_##NAME,
#include "analysis/compare/constant.def"
#undef X
	CONSTANT_GROUPS
};

struct constant {
	const char *path; /* below the platform: "host.wake_hot" */
	double value;
	const char *unit, *kind; /* "us", "assumed" */
	enum constant_group group;
	double effect; /* relative change of a margin that it causes */
};

struct constants {
	struct constant *at;
	uint32_t count;
};

const char *constant_group_name(enum constant_group group);

/* Reads the costs of an effective platform. Constants without a group are left out. Empty if the
 * text is no YAML. */
struct constants constants_read(const char *platform, struct arena *arena);

/* The constant at a path, or NULL. */
const struct constant *constant_at(const struct constants *constants, const char *path);

/* True if the constant was not measured on the hardware that it describes: it is assumed, fitted,
 * or was measured on a loopback or, for codecs, on one machine only. */
bool constant_is_guess(const struct constant *constant);

#endif
