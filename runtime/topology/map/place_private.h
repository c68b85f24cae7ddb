/* Declarations shared by the files of the mapper. Only for files of this folder. */
#ifndef TOPOLOGY_PLACE_PRIVATE_H
#define TOPOLOGY_PLACE_PRIVATE_H

#include "topology/place.h"
#include "topology/groupings.h"

/* Channels required under policy RELAXED. STRICT always requires every channel. */
enum asked {
	ASKED_ALL,   /* every channel, like STRICT */
	ASKED_LINKS, /* one channel of each link and connection */
	ASKED_LEAST, /* one channel of a link within a mesh; connections only where `kept` is set */
};

/* Consecutive meshes that are to be placed on some chips. */
struct scope {
	const struct logical *logical;
	const struct machine *machine;
	const struct place_options *options;
	uint32_t first_mesh, mesh_count;
	const uint32_t *chips; /* NULL: all */
	uint32_t chip_count;
	enum asked asked;
	const bool *kept; /* connections that need a channel at ASKED_LEAST; NULL: none */
};

/* Returns the solver's problem for a scope. Devices and chips are numbered from 0 in the
 * problem. */
struct solve_problem problem_make(const struct scope *scope, struct arena *arena);

/* First device of the scope. */
uint32_t scope_first_device(const struct scope *scope);

/* True if the policy of a connection is RELAXED, by the descriptor or by the options. */
bool scope_is_relaxed(const struct scope *scope, const struct logical_connection *connection);

/* Channels that a connection of the logical graph requires. */
uint32_t scope_connection_need(const struct scope *scope, uint32_t connection);

/* Checks whether the mapping `image` meets all requirements of the scope, independently of the
 * search. The scope must include all meshes. Appends violations to `why`, which may be NULL. */
bool scope_check(const struct scope *scope, const uint32_t *image, struct text *why);

/* Chips allowed by the pins of a device, sorted; NULL if it is not pinned. */
const uint32_t *pinned_chips(
	const struct scope *scope, uint32_t device, uint32_t *count, struct arena *arena);

/* place_sets.c: places meshes on sets, then the devices of each mesh. */
void place_on_sets(const struct scope *scope, struct mesh_placement *placement);

/* relaxed.c: places the scope under policy RELAXED, and lowers the requirements in steps. It first
 * requires all channels. Then it requires one channel of each link and connection. Last, it
 * requires as many connections between meshes as possible. */
void place_relaxed(const struct scope *scope, struct mesh_placement *placement);

/* lacks.c: finds the links and connections of the scope for which `image` has fewer channels than
 * `problem` requires, and adds them to placement->lacks. `image` uses the numbers of chips in the
 * scope. */
void note_lacks(const struct scope *scope, const struct solve_problem *problem,
	const uint32_t *image, struct mesh_placement *placement);

/* True if two connections join the same devices or meshes, either way round. */
bool same_ends(const struct logical_connection *a, const struct logical_connection *b);

/* explain.c: adds reasons why there is no mapping, in the user's terms. */
void place_explain(const struct scope *scope, struct mesh_placement *placement);

/* Appends "mesh 0 (8x16 LINE x RING)". */
void place_mesh_name(const struct logical *logical, uint32_t mesh, struct text *out);

/* Sets of chips that are being made from groupings. */

enum { SETS_SLOTS = 4 * GROUPING_SETS_MAX };

struct set {
	const uint32_t *chips; /* rising */
	uint32_t count;
};

/* No two sets have the same chips. */
struct sets {
	struct set *at;
	uint64_t *keys;
	uint32_t count;
	bool cut; /* some were left out */
};

/* Adds a set. False if the set is known, or if there are too many sets. */
bool sets_add(struct sets *sets, struct arena *arena, const uint32_t *chips, uint32_t count);

/* sets_patterns.c: finds all sets that groupings of a type can form on a machine. */
const struct sets *sets_of_type(const struct groupings *groupings, const struct machine *machine,
	const char *type, struct arena *arena);

#endif
