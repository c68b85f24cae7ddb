/* The structs that the files of `meshsim advise` share. A base is the scenario that is made from
 * the input: a model, a profiler's report or a scenario file. Its workload is a loop, so that
 * iterations can be timed. A design is the base with one change: a rewritten workload, or another
 * value of a key that selects a design choice. A pair of changes is a design, too. */
#ifndef BENCH_TOOLS_ADVISE_H
#define BENCH_TOOLS_ADVISE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/advise.h"
#include "base/diag.h"
#include "base/tree.h"

struct advise_request {
	const char *path, *platform; /* the input; its machine, or NULL */
	const char *const *sets;     /* KEY=VALUE: changes of the scenario */
	uint32_t set_count;
	const char *const *only; /* names of changes to try */
	uint32_t only_count;	 /* 0: all */
	uint32_t rounds, seeds, jobs;
	uint32_t tokens; /* number of tokens per iteration; 0: unknown */
};

struct advise_base {
	struct tree *tree; /* the scenario */
	const char *name, *machine;
	uint32_t warmup;	 /* number of iterations that do not count */
	struct advise_mark mark; /* the operations that each iteration has once */
	struct arena arena;	 /* memory of nodes and texts */
	struct text notes;	 /* what the base leaves out, one sentence a line */
};

/* Reads the input and makes the base. Returns false with errors in `diag`. The caller calls
 * advise_base_fini() in either case. */
bool advise_base_read(
	const struct advise_request *request, struct advise_base *base, struct diag *diag);
void advise_base_fini(struct advise_base *base);

/* Appends the text of the input as a scenario. Returns false with errors in `diag`. */
bool advise_input(const struct advise_request *request, struct text *scenario, struct text *notes,
	struct diag *diag);

/* models.c: model binaries. advise_is_binary() returns true if a file begins like one.
 * advise_input_binary() appends a scenario that runs each of its programs; it returns false with
 * errors in `diag`. */
bool advise_is_binary(const char *head, size_t length);
bool advise_input_binary(
	const struct advise_request *request, struct text *scenario, struct diag *diag);

/* Returns true if one of the steps is a run_model step; steps inside of loops do not count. */
bool advise_runs_model(const struct tree_node *steps);

/* Returns a copy of a run_model step in which `key` has the value `value`. */
const struct tree_node *advise_model_with(
	struct arena *arena, const struct tree_node *step, const char *key, const char *value);

/* advise_model_paths() returns the steps with absolute paths of binaries; relative ones belong to
 * the folder of the file `path`. Returns NULL if there are too many steps. */
const struct tree_node *advise_model_paths(
	struct arena *arena, const struct tree_node *steps, const char *path);

/* Returns the steps with run_model steps that run the model once, not several times. Appends a note
 * if it has changed one. */
const struct tree_node *advise_models_once(struct advise_base *base, const struct tree_node *steps);

/* Changes the workload of `base` to a loop, and measures `request->rounds` iterations of it. Gives
 * a name to a step that each iteration calls once; iterations are timed by this step. Returns
 * false with errors in `diag`. */
bool advise_base_loop(
	struct advise_base *base, const struct advise_request *request, struct diag *diag);

/* A way to write the workload differently (rewrites.def). */
struct advise_rewrite {
	const char *name;
	const char *words; /* what it does, in a few words */
	const char *needs; /* what the application must allow; "": nothing */

	/* Returns a copy of the scenario's tree with the changed workload. If the workload cannot
	 * be changed in this way, returns NULL with the reason in `why`. */
	struct tree *(*apply)(const struct tree *tree, struct text *why);
};

const struct advise_rewrite *advise_rewrite_at(size_t index);

/* All rewrites use advise_rewrite_loops(). It calls `body` for each loop of the workload, with the
 * steps of the loop. `body` appends the changed steps to `after`, and steps that must run before
 * the loop to `before`. advise_rewrite_loops() returns the new tree, or NULL if no loop was
 * changed; `why` then has the reason. */
struct rewriting {
	struct arena *arena;
	const struct tree_node *root;
	struct text *why;
	const char *mesh; /* mesh of the loop, or NULL */
	struct node_list *before, *after;
};
struct tree *advise_rewrite_loops(const struct tree *tree,
	bool (*body)(struct rewriting *rewriting, const struct tree_node *steps), struct text *why);

/* A design and its outcome. */
struct advise_design {
	const char *name;		      /* such as "trace", "completion aggregator" */
	const struct advise_rewrite *rewrite; /* NULL: a choice */
	struct advise_choice choice;	      /* `key` is NULL for a rewrite */
	const struct advise_design *parts[2]; /* the two designs of a pair; otherwise NULL */
	const char *refused;		      /* why it could not run; NULL: it ran */
	char file[512];			      /* result file; "": none */
	struct advise_verdict verdict;	      /* compared with today's design */
};

struct advice {
	const struct advise_request *request;
	struct advise_base base;
	struct arena arena;
	char today[512]; /* result file of the base */
	struct advise_idle idle;
	double iteration;	       /* mean time of an iteration today, ps; 0: unknown */
	struct advise_design *designs; /* the largest gain first; those that could not run last */
	uint32_t count;
	struct advise_design *pair; /* the best pair, or NULL */
	bool busy; /* no pair was tried, because the devices are idle for too short a time */
	struct advise_verdict pair_verdict; /* compares the pair with the best change */
};

struct rerun;

/* Runs the base (today's design) and all changes of it. Returns false with errors in `diag`, or
 * after a message on standard error. The caller calls advice_fini() in either case. */
bool advice_make(struct advice *advice, struct rerun *rerun, struct diag *diag);
void advice_fini(struct advice *advice);

/* Runs a batch of designs, and compares each with today's design. */
void advice_run(
	struct advice *advice, struct rerun *rerun, struct advise_design *designs, uint32_t count);

/* Tries pairs of the changes that gain most, and keeps the best pair. */
void advice_try_pairs(struct advice *advice, struct rerun *rerun);

/* Both print the advice. */
void advise_write_page(const struct advice *advice, FILE *out);
void advise_write_json(const struct advice *advice, FILE *out);

/* Returns the time of an iteration that would remain if the devices waited for transfers only. */
double advice_free_time(const struct advice *advice);

/* Returns the share of the time in which devices are idle for this cause. */
static inline double advice_idle_share(const struct advice *advice, enum idle_cause cause)
{
	return advice->idle.idle[cause] / advice->idle.whole;
}

/* ---- nodes.c ---- */

/* A list of steps that grows. */
struct node_list {
	struct arena *arena;
	const struct tree_node **at;
	uint32_t count, room;
};

void node_list_add(struct node_list *list, const struct tree_node *node);

/* Returns the list as a sequence, or NULL if it exceeds the bounds of trees. */
const struct tree_node *node_list_end(const struct node_list *list);

const struct tree_node *node_text(struct arena *arena, const char *text);

/* Returns a copy of the map in which `key` has the value `value`. A key that is new comes last. */
const struct tree_node *node_with(struct arena *arena, const struct tree_node *map, const char *key,
	const struct tree_node *value);

/* Returns a copy of the map without the key. */
const struct tree_node *node_without(
	struct arena *arena, const struct tree_node *map, const char *key);

/* Reads a node from YAML, such as "{finish: {}}", which must be valid. */
const struct tree_node *node_read(struct arena *arena, const char *yaml);

/* Functions for steps. node_is() returns true if a step is of the kind `kind`, such as "finish": a
 * map with this key, or only this word. node_body() returns the steps under the `do` of a `repeat`,
 * or NULL. node_keys() returns the map under the key `kind` of a step, or NULL. */
bool node_is(const struct tree_node *step, const char *kind);
const struct tree_node *node_body(const struct tree_node *step);
const struct tree_node *node_keys(const struct tree_node *step, const char *kind);

/* Returns the text of a key, or `otherwise` if the map has no such scalar. */
const char *node_get(const struct tree_node *map, const char *key, const char *otherwise);

/* Returns the number in a scalar, or `otherwise`. */
uint64_t node_number(const struct tree_node *node, uint64_t otherwise);

#endif
