/* Functions for cases about sharding: those that run the cases of each section of a file, those
 * that read the members of a case, and the list of outcomes. Only for files of this folder. */
#ifndef BENCH_TOOLS_LAYOUT_CASES_H
#define BENCH_TOOLS_LAYOUT_CASES_H

#include "base/arena.h"
#include "base/tree.h"
#include "bench/tools/layout/shard_cases.h"
#include "memory/mesh_layout.h"

enum outcome_kind { OUTCOME_AGREES, OUTCOME_DIFFERS, OUTCOME_BY_DESIGN, OUTCOME_NOT_RUN };

struct outcome {
	enum outcome_kind kind;
	const char *section;
	const char *label;	     /* a short name of the case */
	const char *expected, *seen; /* the expected and the actual outcome, as sentences */
	struct location where;
};

enum { CASES_MAX = 100000 };

struct shard_cases {
	struct arena arena;
	struct tree *tree;
	struct diag *diag;
	struct mapper_mesh mesh;
	const char *section; /* name of the current section */
	struct outcome *outcomes;
	uint32_t count, capacity;
};

/* Adds the outcome of a case. Texts are copied. */
void cases_add(struct shard_cases *cases, const struct tree_node *where, enum outcome_kind kind,
	const char *label, const char *expected, const char *seen);

/* Adds an outcome for a case that contains an unknown name. The case counts as one that differs
 * from its expected outcome. The message is like "unknown key 'shar', did you mean 'shard'?".
 * `what` is the kind of name ("key"). `known` lists the allowed names and ends with NULL. */
void cases_add_unknown(struct shard_cases *cases, struct location where, const char *what,
	const char *name, const char *const *known);

/* Checks the form of a case. Returns true if the case may be run. Returns false with an error if it
 * is not a map. If it has a key that is not in `known` (which ends with NULL), and is not about the
 * mesh or notes, records that the case differs from its expected outcome, and returns false. */
bool cases_known_keys(
	struct shard_cases *cases, const struct tree_node *node, const char *const *known);

/* Returns the number of cases in a section. If the section is not a list, reports an error and
 * returns 0. */
uint32_t cases_in(struct shard_cases *cases, const struct tree_node *section);

/* Adds the outcome of a case. `expected` is "ok", or a rejection such as "throw (...)". `refused`
 * is true if the runtime rejected the case; `why` is then the reason. */
void cases_add_verdict(struct shard_cases *cases, const struct tree_node *where, const char *label,
	const char *expected, bool refused, const char *why);

/* These functions read members of a case. If a member is missing or has the wrong type, they report
 * an error and return false. The error cites the place of the member, or of the case if the member
 * is missing. */
bool cases_numbers(struct shard_cases *cases, const struct tree_node *node, const char *key,
	uint32_t *numbers, uint32_t count);
/* Like cases_numbers(), but for extents, which may be as large as the extents of tensors. */
bool cases_extents(struct shard_cases *cases, const struct tree_node *node, const char *key,
	uint64_t *extents, uint32_t count);
bool cases_optional_number(
	struct shard_cases *cases, const struct tree_node *node, const char *key, uint64_t *number);
/* Reads the size of an element in bytes, 1 to 1024, from datum_B if the case has this key. */
bool cases_element_bytes(struct shard_cases *cases, const struct tree_node *node, uint32_t *bytes);
const char *cases_text(const struct tree_node *node, const char *key);

/* Reads a whole number from 0 to `most`. */
bool cases_number(
	struct shard_cases *cases, const struct tree_node *node, uint64_t most, uint64_t *number);

/* Reads the mesh of the case. If the case has no mesh, uses the mesh of the file. */
bool cases_mesh(struct shard_cases *cases, const struct tree_node *node, struct mapper_mesh *mesh);

/* Makes a mesh layout from the keys `global`, `shard` and `orientation` of a case. */
bool cases_layout(struct shard_cases *cases, const struct tree_node *node, uint32_t element_bytes,
	struct mesh_layout *layout);
bool cases_orientation(
	struct shard_cases *cases, const struct tree_node *node, enum orientation *orientation);

/* The functions that try the cases of a section. */
void cases_config(struct shard_cases *cases, const struct tree_node *section);
void cases_placement(struct shard_cases *cases, const struct tree_node *section);
void cases_round_trip(struct shard_cases *cases, const struct tree_node *section,
	const struct tree_node *orientations, uint32_t element_bytes);
void cases_device(struct shard_cases *cases, const struct tree_node *section);
void cases_mapper(struct shard_cases *cases, const struct tree_node *section);
void cases_behaviour(struct shard_cases *cases, const struct tree_node *section);

#endif
