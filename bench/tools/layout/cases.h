/* What the kinds of cases share: the file, the mesh, the list of outcomes. */
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
	const char *label;	     /* the case in short */
	const char *expected, *seen; /* sentences */
	struct location where;
};

enum { CASES_MAX = 100000 };

struct shard_cases {
	struct arena arena;
	struct tree *tree;
	struct diag *diag;
	struct mapper_mesh mesh;
	const char *section; /* that is tried */
	struct outcome *outcomes;
	uint32_t count, capacity;
};

/* Adds the outcome of a case. Texts are copied. */
void cases_add(struct shard_cases *cases, const struct tree_node *where, enum outcome_kind kind,
	const char *label, const char *expected, const char *seen);

/* Adds a case that asks for something that is not known here, as one that differs: "unknown key
 * 'shar', did you mean 'shard'?". `known` ends with NULL. */
void cases_add_unknown(struct shard_cases *cases, struct location where, const char *what,
	const char *name, const char *const *known);

/* False if a case is no map, or has keys that are none of `known` (NULL behind the last), the mesh,
 * or notes: then it is not to be tried, and has been added as one that differs. */
bool cases_known_keys(
	struct shard_cases *cases, const struct tree_node *node, const char *const *known);

/* The cases of a section; after an error none, if it is no list. */
uint32_t cases_in(struct shard_cases *cases, const struct tree_node *section);

/* Adds whether a case that expects "ok" or "throw (...)" was taken. `why`: of the refusal. */
void cases_add_verdict(struct shard_cases *cases, const struct tree_node *where, const char *label,
	const char *expected, bool refused, const char *why);

/* Members of a case: false, with an error at its place, if they are missing or of another kind. */
bool cases_numbers(struct shard_cases *cases, const struct tree_node *node, const char *key,
	uint32_t *numbers, uint32_t count);
/* The same of extents, which may be as large as tensors are. */
bool cases_extents(struct shard_cases *cases, const struct tree_node *node, const char *key,
	uint64_t *extents, uint32_t count);
bool cases_optional_number(
	struct shard_cases *cases, const struct tree_node *node, const char *key, uint64_t *number);
/* Bytes of an element, datum_B, if the case has it: 1 to 1024. */
bool cases_element_bytes(struct shard_cases *cases, const struct tree_node *node, uint32_t *bytes);
const char *cases_text(const struct tree_node *node, const char *key);

/* A whole number of a node, at most `most`. */
bool cases_number(
	struct shard_cases *cases, const struct tree_node *node, uint64_t most, uint64_t *number);

/* The case's own mesh, or that of the file. */
bool cases_mesh(struct shard_cases *cases, const struct tree_node *node, struct mapper_mesh *mesh);

/* A mesh layout from `global`, `shard` and `orientation` of a case. */
bool cases_layout(struct shard_cases *cases, const struct tree_node *node, uint32_t element_bytes,
	struct mesh_layout *layout);
bool cases_orientation(
	struct shard_cases *cases, const struct tree_node *node, enum orientation *orientation);

/* Sections. */
void cases_config(struct shard_cases *cases, const struct tree_node *section);
void cases_placement(struct shard_cases *cases, const struct tree_node *section);
void cases_round_trip(struct shard_cases *cases, const struct tree_node *section,
	const struct tree_node *orientations, uint32_t element_bytes);
void cases_device(struct shard_cases *cases, const struct tree_node *section);
void cases_mapper(struct shard_cases *cases, const struct tree_node *section);
void cases_behaviour(struct shard_cases *cases, const struct tree_node *section);

#endif
