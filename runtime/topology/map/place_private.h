/* What the mapper's files share. Private to the room. */
#ifndef TOPOLOGY_PLACE_PRIVATE_H
#define TOPOLOGY_PLACE_PRIVATE_H

#include "topology/place.h"

/* What is asked where the policy is RELAXED. STRICT asks for every channel, always. */
enum asked {
	ASKED_ALL,   /* every channel, too */
	ASKED_LINKS, /* one channel of each link and connection */
	ASKED_LEAST, /* one channel of a link within a mesh; connections only as `kept` says */
};

/* Some meshes, one behind the other, on some chips. */
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

/* The problem that they make: devices and chips are numbered from 0 within it. */
struct solve_problem problem_make(const struct scope *scope, struct arena *arena);

/* First device of the scope. */
uint32_t scope_first_device(const struct scope *scope);

/* True if the policy of a connection is RELAXED, by the descriptor or by the options. */
bool scope_is_relaxed(const struct scope *scope, const struct logical_connection *connection);

/* Channels that a connection of the logical graph asks for. */
uint32_t scope_connection_need(const struct scope *scope, uint32_t connection);

/* True if a mapping keeps everything that the scope, which has every mesh, asks for: by other means
 * than those that found it. What is not kept goes to `why`, which may be NULL. */
bool scope_check(const struct scope *scope, const uint32_t *image, struct text *why);

/* Chips that the pins of a device leave; NULL if it is not pinned. Sorted. */
const uint32_t *pinned_chips(
	const struct scope *scope, uint32_t device, uint32_t *count, struct arena *arena);

/* place_sets.c: meshes onto sets, then devices of each. */
void place_on_sets(const struct scope *scope, struct mesh_placement *placement);

/* relaxed.c: what RELAXED asks for by steps: all channels, a link each, then as many links between
 * meshes as it finds. */
void place_relaxed(const struct scope *scope, struct mesh_placement *placement);

/* lacks.c: links and connections of the scope for which `image` has fewer channels than
 * `problem` needs, added to the placement. Chips are those of the scope. */
void note_lacks(const struct scope *scope, const struct solve_problem *problem,
	const uint32_t *image, struct mesh_placement *placement);

/* True if two connections join the same devices or meshes, either way round. */
bool same_ends(const struct logical_connection *a, const struct logical_connection *b);

/* explain.c: why it does not fit, in the user's terms. */
void place_explain(const struct scope *scope, struct mesh_placement *placement);

/* "mesh 0 (8x16 LINE x RING)" */
void place_mesh_name(const struct logical *logical, uint32_t mesh, struct text *out);

#endif
