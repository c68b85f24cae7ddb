/* The parts of the mapper: making the problem for the solver, placing meshes on sets of chips, the
 * steps of policy RELAXED, and finding reasons for failures. Only for files of this folder. */
#ifndef TOPOLOGY_PLACE_PRIVATE_H
#define TOPOLOGY_PLACE_PRIVATE_H

#include "topology/place.h"
#include "topology/groupings.h"

/* The channels that policy RELAXED requires. STRICT always requires every channel. */
enum asked {
	ASKED_ALL,   /* every channel, as with STRICT */
	ASKED_LINKS, /* one channel of each link and connection */
	/* one channel of each link within a mesh; connections only if `kept` is set for them */
	ASKED_LEAST,
};

/* Consecutive meshes that must be placed on some chips. */
struct scope {
	const struct logical *logical;
	const struct machine *machine;
	const struct place_options *options;
	uint32_t first_mesh, mesh_count;
	const uint32_t *chips; /* NULL: all chips */
	uint32_t chip_count;
	enum asked asked;
	const bool *kept; /* [connection] true if the connection needs a channel; NULL: none does.
			   * Used only with ASKED_LEAST */
};

/* Returns the problem for the solver. The problem numbers the devices and chips of the scope from
 * 0. */
struct solve_problem problem_make(const struct scope *scope, struct arena *arena);

/* Returns the number of the first device of the scope. */
uint32_t scope_first_device(const struct scope *scope);

/* Returns true if the policy of a connection is RELAXED, because the descriptor or the options say
 * so. */
bool scope_is_relaxed(const struct scope *scope, const struct logical_connection *connection);

/* Returns the number of channels that a connection of the logical graph requires. */
uint32_t scope_connection_need(const struct scope *scope, uint32_t connection);

/* Checks whether the mapping `image` meets all requirements of the scope, independently of the
 * search. The scope must include all meshes. Appends violations to `why`, which may be NULL. */
bool scope_check(const struct scope *scope, const uint32_t *image, struct text *why);

/* Returns the chips that the pins of a device allow, sorted; NULL if the device has no pin. */
const uint32_t *pinned_chips(
	const struct scope *scope, uint32_t device, uint32_t *count, struct arena *arena);

/* place_sets.c: places meshes on sets, and then the devices of each mesh. */
void place_on_sets(const struct scope *scope, struct mesh_placement *placement);

/* relaxed.c: places the scope under policy RELAXED, with three steps that require less and less.
 * The first step requires all channels. The second step requires one channel of each link and
 * connection. The third step requires one channel of each link. If a mapping is found, the third
 * step then tries to add connections between meshes to the requirements, one after another. */
void place_relaxed(const struct scope *scope, struct mesh_placement *placement);

/* lacks.c: adds to placement->lacks each link and connection of the scope that has fewer channels
 * under the mapping `image` than `problem` requires. `image` has the chip of each device; both
 * chips and devices are numbered within the scope. */
void note_lacks(const struct scope *scope, const struct solve_problem *problem,
	const uint32_t *image, struct mesh_placement *placement);

/* Returns true if two connections join the same devices or meshes, in either order. */
bool same_ends(const struct logical_connection *a, const struct logical_connection *b);

/* explain.c: adds reasons why there is no mapping, in the user's terms. */
void place_explain(const struct scope *scope, struct mesh_placement *placement);

/* Appends the name of a mesh, for example "mesh 0 (8x16 LINE x RING)". */
void place_mesh_name(const struct logical *logical, uint32_t mesh, struct text *out);

/* A set of chips that is made from groupings. */

enum { SETS_SLOTS = 4 * GROUPING_SETS_MAX };

struct set {
	const uint32_t *chips; /* in ascending order */
	uint32_t count;
};

/* Sets of chips. No two of them have the same chips. */
struct sets {
	struct set *at;
	uint64_t *keys;
	uint32_t count;
	bool cut; /* some sets were left out */
};

/* Adds a set. Returns false if the set already exists, or if there are too many sets. */
bool sets_add(struct sets *sets, struct arena *arena, const uint32_t *chips, uint32_t count);

/* sets_patterns.c: finds all sets that groupings of a type can form on a machine. */
const struct sets *sets_of_type(const struct groupings *groupings, const struct machine *machine,
	const char *type, struct arena *arena);

#endif
