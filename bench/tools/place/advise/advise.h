/* Advice for meshes that do not fit. A piece of advice is a set of changes of the input with which
 * the meshes fit. Each of them is tried before it is given. A trial works like the command itself:
 * it checks the changed input, and uses the same solver and all constraints that were not changed.
 * Only for files of this folder and of the folder above. */
#ifndef BENCH_TOOLS_PLACE_ADVISE_H
#define BENCH_TOOLS_PLACE_ADVISE_H

#include "base/json.h"
#include "place.h"

enum change_kind {
	CHANGE_OPTION,	  /* add an option to the command */
	CHANGE_WITHOUT,	  /* remove an option of the command */
	CHANGE_UNPIN,	  /* remove a pin */
	CHANGE_POLICY,	  /* set the policy to RELAXED */
	CHANGE_COUNT,	  /* set another number of channels */
	CHANGE_SHAPE,	  /* set another device_topology */
	CHANGE_HOSTS,	  /* set another host_topology */
	CHANGE_INSTANCES, /* keep only the first instances of a graph, and their connections */
	CHANGE_CHANNELS,  /* add channels between chips */
};

enum { NOT_OF_A_GRAPH = -2, OF_THE_LAYOUT = -1 };

struct change {
	enum change_kind kind;
	const char *option;
	/* From CHANGE_POLICY on: the descriptor of a mesh, a switch or a graph. */
	const char *descriptor;
	int32_t connection; /* number in the graph, or OF_THE_LAYOUT; otherwise NOT_OF_A_GRAPH */
	uint32_t line;	    /* line of the connection */
	uint32_t pin;	    /* number of the pin in the options */
	int32_t count;	    /* number of channels or instances */
	int32_t dims[TOPOLOGY_DIMS_MAX];
	enum dim_type types[TOPOLOGY_DIMS_MAX];
	uint32_t dim_count;
	struct place_lack *lacks; /* links that get more channels */
	uint32_t lack_count;
};

/* Changes with which the meshes fit. All of the changes are needed. */
struct advice {
	const char *obstacle; /* the lifted constraint, in one word */
	struct change *changes;
	uint32_t change_count;
	struct text text;
};

struct advices {
	struct advice *at;
	uint32_t count, capacity;
	struct text nearest;   /* a line about the part that fits without changes, or empty */
	struct text not_tried; /* one line per kind of trials that was not tried */
	struct arena arena;
};

enum trial {
	TRIAL_FITS,
	TRIAL_DOES_NOT,
	TRIAL_UNDECIDED, /* the trial used up its budget */
	TRIAL_NOT_TRIED, /* the share of the steps for this kind of advice was used up */
};

/* The state of the search for advice. */
struct adviser {
	const struct place_files *files;
	const struct place_command *command;
	struct advices *out;
	uint64_t left;	  /* number of candidates that all remaining trials may visit */
	uint64_t share;	  /* part of `left` for the current kind of trials, at most half */
	const char *what; /* name of the current kind of trials, for advise_not_tried() */
	bool said;	  /* advise_not_tried() was called for the current kind */
};

/* advise.c: searches for changes with which the meshes fit, such as lifted constraints. Returns one
 * piece of advice for each set of changes that was found. The caller frees the result with
 * advices_free(). */
struct advices *place_advise(const struct place_files *files, const struct place_command *command);
void advices_free(struct advices *advices);

/* advise_try.c: makes an adviser that adds its advice to `out`. */
struct adviser adviser_make(
	const struct place_files *files, const struct place_command *command, struct advices *out);

/* Charges steps of a search to the budget. */
void advise_spend(struct adviser *adviser, uint64_t steps);

/* Begins a new kind of trials, and ends the previous one. */
void advise_begin(struct adviser *adviser, const char *what);

/* Tries a placement with all of the changes in `changes`. */
enum trial advise_try(struct adviser *adviser, const struct change *changes, uint32_t count);

/* Adds an advice whose trial succeeded. */
void advise_add(struct adviser *adviser, const char *obstacle, const struct change *changes,
	uint32_t count);

/* Records that trials of the current kind were skipped or had no result. The output then has a line
 * with the name of this kind, such as "not tried: WHAT, beyond ...". For each kind of trials, only
 * the first call has an effect. */
void advise_not_tried(struct adviser *adviser, const char *verdict, const char *why);

/* advise_change.c: tries a placement with changes. `budget` limits the steps of each search; 0
 * means the limit of the command. `most` limits the steps of the whole placement, which may search
 * several sets of chips. Adds the number of steps that were made to *steps. */
enum solve_verdict place_changed(const struct place_files *files,
	const struct place_command *command, const struct change *changes, uint32_t count,
	uint64_t budget, uint64_t most, uint64_t *steps);

/* advise_descriptor.c: these functions try changes of the descriptor. */
void advise_channels(struct adviser *adviser);
void advise_hosts(struct adviser *adviser);
void advise_shapes(struct adviser *adviser);
void advise_instances(struct adviser *adviser);

/* advise_say.c */
void advise_text(const struct place_files *files, const struct advice *advice, struct text *out);
void advices_print(const struct advices *advices, FILE *out);
void advices_json(
	struct json *json, const struct place_files *files, const struct advices *advices);

#endif
