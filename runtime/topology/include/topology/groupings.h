/* Physical groupings: sets of chips that an administrator allows to be used as a mesh. Three
 * formats of files are accepted: YAML with the ids of ASICs; protobuf's text format with counts,
 * such as a mesh of two trays (v1); protobuf's text format with patterns of ASICs (v2). */
#ifndef TOPOLOGY_GROUPINGS_H
#define TOPOLOGY_GROUPINGS_H

#include "topology/place.h"

enum groupings_kind { GROUPINGS_YAML, GROUPINGS_COUNTS, GROUPINGS_PATTERNS };

enum {
	GROUPING_ANY_LOCATION = 256,
	GROUPING_ANY_TRAY = 0x10000,
	GROUPING_ITEMS_MAX = 4096, /* maximum number of items of one grouping */
	GROUPING_SETS_MAX = 20000, /* maximum number of sets of chips made from a file */
};

/* An item of a grouping: either the ASIC at a location of a tray, or `count` groups of the type
 * `group`. */
struct grouping_item {
	const char *group; /* type of the groups; NULL: the item is an ASIC */
	uint32_t count, location, tray;
	int64_t id; /* v2: id of the item in connections */
	struct location where;
};

struct grouping_edge {
	uint32_t a, b; /* indices of two items of the grouping */
};

struct grouping {
	const char *name; /* v1: several groupings may have the same name; v2: used only in
			   * messages */
	const char *type; /* name that references use; v1: the name; v2: a preset or custom type */
	const struct grouping_item *items;
	uint32_t item_count;
	const struct grouping_edge *edges; /* v2: pairs of items that must be joined */
	uint32_t edge_count;
	struct location where;
};

enum grouping_level {
	GROUP_ASIC,
	GROUP_MESH,
	GROUP_POD,
	GROUP_SUPERPOD,
	GROUP_CLUSTER,
	GROUP_LEVELS
};

/* A group of some level, as the YAML file contains it. */
struct grouping_row {
	uint32_t id;
	enum grouping_level level;
	const uint64_t *asics; /* ids of its ASICs, for GROUP_ASIC */
	uint32_t asic_count;
	const uint32_t *groups; /* ids of its groups, for all other levels */
	uint32_t group_count;
	struct location where;
};

struct groupings {
	enum groupings_kind kind;
	const struct grouping *groupings;
	uint32_t count;
	const struct grouping_row *rows;
	uint32_t row_count;
	struct location where;
	struct arena arena;
};

/* Read groupings. A file whose name ends with .yaml, .yml or .json is read as YAML, and any other
 * file as protobuf's text format. Return NULL after errors, which are reported to `diag`. */
struct groupings *groupings_read_file(const char *path, bool strict, struct diag *diag);
struct groupings *groupings_read_text(const char *name, bool yaml, const char *text, size_t length,
	bool strict, struct diag *diag);
void groupings_free(struct groupings *groupings);

/* Computes the sets of chips of a machine that may be used as meshes. Leaves out sets with fewer
 * than `least` chips, except if the groupings were read from YAML. Sets the members `sets`,
 * `set_count` and `has_level` of `options`, with memory of `arena`. If a set cannot be formed on
 * the machine, or if there are more than GROUPING_SETS_MAX sets, leaves out sets and reports a
 * warning. */
void groupings_sets(const struct groupings *groupings, const struct machine *machine,
	uint32_t least, struct place_options *options, struct arena *arena, struct diag *diag);

#endif
