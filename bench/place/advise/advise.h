/* Advice where a placement does not fit: changes of what the command was given, each of which makes
 * it fit. Every advice was tried before it is said, by the way that the command itself goes: the
 * same readers' checks, the same solver, all other constraints. Private to the room. */
#ifndef BENCH_PLACE_ADVISE_H
#define BENCH_PLACE_ADVISE_H

#include "base/json.h"
#include "place.h"

enum change_kind {
	CHANGE_OPTION,	  /* another option of the command */
	CHANGE_WITHOUT,	  /* without an option of the command */
	CHANGE_UNPIN,	  /* without a pin */
	CHANGE_POLICY,	  /* policy RELAXED */
	CHANGE_COUNT,	  /* another count of channels */
	CHANGE_SHAPE,	  /* another device_topology */
	CHANGE_HOSTS,	  /* another host_topology */
	CHANGE_INSTANCES, /* the first instances of a graph, with the connections of these */
	CHANGE_CHANNELS,  /* more channels between chips */
};

enum { NOT_OF_A_GRAPH = -2, OF_THE_LAYOUT = -1 };

struct change {
	enum change_kind kind;
	const char *option;
	/* Of CHANGE_POLICY and below: the mesh or switch descriptor, or the graph descriptor. */
	const char *descriptor;
	int32_t connection; /* of the graph: its number, or OF_THE_LAYOUT; else NOT_OF_A_GRAPH */
	uint32_t line;	    /* of the connection */
	uint32_t pin;	    /* of the options */
	int32_t count;	    /* of channels, instances */
	int32_t dims[TOPOLOGY_DIMS_MAX];
	enum dim_type types[TOPOLOGY_DIMS_MAX];
	uint32_t dim_count;
	struct place_lack *lacks; /* links that get the channels that they lack */
	uint32_t lack_count;
};

/* Changes that make it fit together. */
struct advice {
	const char *obstacle; /* the constraint that is lifted: one word */
	struct change *changes;
	uint32_t change_count;
	struct text text;
};

struct advices {
	struct advice *at;
	uint32_t count, capacity;
	struct text nearest;   /* what of the meshes fits as it is: a line, or nothing */
	struct text not_tried; /* lines */
	struct arena arena;
};

enum trial {
	TRIAL_FITS,
	TRIAL_DOES_NOT,
	TRIAL_UNDECIDED, /* its own budget ended */
	TRIAL_NOT_TRIED, /* the share of its kind of advice has ended */
};

/* What it takes to try. */
struct adviser {
	const struct place_files *files;
	const struct place_command *command;
	struct advices *out;
	uint64_t left;	  /* candidates that all trials may still look at */
	uint64_t share;	  /* of it: those of the kind that began last, half of what was left */
	const char *what; /* that is being tried, for what is said of trials that were not */
	bool said;	  /* of it */
};

/* advise.c: tries what may be lifted. Free with advices_free(). */
struct advices *place_advise(const struct place_files *files, const struct place_command *command);
void advices_free(struct advices *advices);

/* advise_try.c: one that has tried nothing yet, whose advice goes to `out`. */
struct adviser adviser_make(
	const struct place_files *files, const struct place_command *command, struct advices *out);

/* Counts steps that a search took. */
void advise_spend(struct adviser *adviser, uint64_t steps);

/* Begins another kind of trials; ends the one before. */
void advise_begin(struct adviser *adviser, const char *what);

/* Tries changes. */
enum trial advise_try(struct adviser *adviser, const struct change *changes, uint32_t count);

/* Adds an advice that was tried. */
void advise_add(struct adviser *adviser, const char *obstacle, const struct change *changes,
	uint32_t count);

/* Says once of trials that were not made, or did not decide: "not tried: WHAT, beyond ...". */
void advise_not_tried(struct adviser *adviser, const char *verdict, const char *why);

/* advise_change.c: places with changes. `budget`: 0: that of the command; no search goes on behind
 * `most` steps in all, where sets are tried. Adds the steps that it took. */
enum solve_verdict place_changed(const struct place_files *files,
	const struct place_command *command, const struct change *changes, uint32_t count,
	uint64_t budget, uint64_t most, uint64_t *steps);

/* advise_descriptor.c: changes of the descriptor: policies, counts, shapes, hosts, instances. */
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
