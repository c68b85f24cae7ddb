/* Advice for a placement that does not fit: changes of the input, each of which makes it fit. Every
 * advice is tried before it is given, in the same way as the command itself works: with the checks
 * of the readers, the same solver, and all other constraints. Private to the room. */
#ifndef BENCH_TOOLS_PLACE_ADVISE_H
#define BENCH_TOOLS_PLACE_ADVISE_H

#include "base/json.h"
#include "place.h"

enum change_kind {
	CHANGE_OPTION,	  /* add an option to the command */
	CHANGE_WITHOUT,	  /* drop an option of the command */
	CHANGE_UNPIN,	  /* drop a pin */
	CHANGE_POLICY,	  /* policy RELAXED */
	CHANGE_COUNT,	  /* another number of channels */
	CHANGE_SHAPE,	  /* another device_topology */
	CHANGE_HOSTS,	  /* another host_topology */
	CHANGE_INSTANCES, /* only the first instances of a graph, and the connections among them */
	CHANGE_CHANNELS,  /* more channels between chips */
};

enum { NOT_OF_A_GRAPH = -2, OF_THE_LAYOUT = -1 };

struct change {
	enum change_kind kind;
	const char *option;
	/* For CHANGE_POLICY and below: the mesh or switch descriptor, or the graph descriptor. */
	const char *descriptor;
	int32_t connection; /* number in the graph, or OF_THE_LAYOUT; else NOT_OF_A_GRAPH */
	uint32_t line;	    /* of the connection */
	uint32_t pin;	    /* of the options */
	int32_t count;	    /* of channels or instances */
	int32_t dims[TOPOLOGY_DIMS_MAX];
	enum dim_type types[TOPOLOGY_DIMS_MAX];
	uint32_t dim_count;
	struct place_lack *lacks; /* links to add channels to */
	uint32_t lack_count;
};

/* Changes that together make the placement fit. */
struct advice {
	const char *obstacle; /* the lifted constraint, in one word */
	struct change *changes;
	uint32_t change_count;
	struct text text;
};

struct advices {
	struct advice *at;
	uint32_t count, capacity;
	struct text nearest;   /* how much of the meshes fits without changes: a line, or empty */
	struct text not_tried; /* lines */
	struct arena arena;
};

enum trial {
	TRIAL_FITS,
	TRIAL_DOES_NOT,
	TRIAL_UNDECIDED, /* the budget of the trial was used up */
	TRIAL_NOT_TRIED, /* the share of this kind of advice was used up */
};

/* State of the search for advice. */
struct adviser {
	const struct place_files *files;
	const struct place_command *command;
	struct advices *out;
	uint64_t left;	  /* candidates that all remaining trials may visit */
	uint64_t share;	  /* of these, for the current kind of trial: at most half of the rest */
	const char *what; /* the current kind of trial, for advise_not_tried() */
	bool said;	  /* advise_not_tried() was already called for it */
};

/* advise.c: tries constraints that may be lifted. Free the result with advices_free(). */
struct advices *place_advise(const struct place_files *files, const struct place_command *command);
void advices_free(struct advices *advices);

/* advise_try.c: a new adviser that adds its advice to `out`. */
struct adviser adviser_make(
	const struct place_files *files, const struct place_command *command, struct advices *out);

/* Charges steps of a search to the budget. */
void advise_spend(struct adviser *adviser, uint64_t steps);

/* Begins a new kind of trials, and ends the previous one. */
void advise_begin(struct adviser *adviser, const char *what);

/* Tries changes together. */
enum trial advise_try(struct adviser *adviser, const struct change *changes, uint32_t count);

/* Adds an advice whose trial succeeded. */
void advise_add(struct adviser *adviser, const char *obstacle, const struct change *changes,
	uint32_t count);

/* Notes, once for each kind, that trials were skipped or undecided: "not tried: WHAT, beyond
 * ...". */
void advise_not_tried(struct adviser *adviser, const char *verdict, const char *why);

/* advise_change.c: places with changes. `budget`: of each search; 0: that of the command. `most`:
 * limit of steps of the whole placement, where sets are tried. Adds the steps it took to *steps. */
enum solve_verdict place_changed(const struct place_files *files,
	const struct place_command *command, const struct change *changes, uint32_t count,
	uint64_t budget, uint64_t most, uint64_t *steps);

/* advise_descriptor.c: tries changes of the descriptor: policies, counts, shapes, hosts,
 * instances. */
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
