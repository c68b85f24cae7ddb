/* Declarations that the files that draw scenarios share. To draw means to choose or generate at
 * random. A drawing is one scenario, as YAML text to which lines are appended. If two queues use
 * the same buffer, an event orders these uses. */
#ifndef BENCH_TOOLS_FUZZ_DRAWING_H
#define BENCH_TOOLS_FUZZ_DRAWING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/stream.h"
#include "base/text.h"
#include "bench/scenario/scenario.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/tree.h"
#include "bench/scenario/load.h"

/* A machine to draw for. */
struct machine {
	const char *name;		      /* the YAML value that names it in a scenario */
	uint16_t rows, columns;		      /* shape of the mesh, on all hosts */
	uint32_t hosts;			      /* 0: one host that has no network */
	uint32_t gateways;		      /* number of chips with PCIe per host */
	uint32_t links;			      /* least number of links in a connection */
	uint32_t worker_columns, worker_rows; /* least number of workers on a chip */
	uint32_t idle_ethernet;		      /* least number of Ethernet tiles without links */
	uint32_t joined;		      /* links that join two neighbours on two hosts */
};

enum { DRAWN_BUFFERS = 4, DRAWN_TENSORS = 3, DRAWN_MESHES = 2 };

struct drawn_buffer {
	bool made;
	bool of_host;	/* in system memory: no parts on devices, not usable in traces */
	bool of_some;	/* true if some devices may have no part of the buffer */
	uint32_t queue; /* the queue that may use it at this point */
	uint32_t pages; /* pages of each device's part */
	char keys[480]; /* the keys of the buffer, in the first step that names it */
};

/* A virtual mesh, and the objects that steps have made on it. */
struct drawn_mesh {
	const char *name; /* NULL: the only mesh, without a name */
	uint16_t rows, columns;
	uint32_t devices;
	struct drawn_buffer buffers[DRAWN_BUFFERS];
	bool tensors[DRAWN_TENSORS];
};

struct drawing {
	struct stream stream;
	struct text text;
	struct machine machine;
	struct drawn_mesh meshes[SCENARIO_MESHES_MAX];
	uint32_t mesh_count;
	struct drawn_mesh *mesh; /* mesh of the step that is being drawn */
	uint32_t queues;
	bool harmless; /* draw no choices that are wrong by design and may hang natively */
	bool fixed;    /* platform, runtime and model come from the user's file */
	bool elides;   /* some data are not simulated */
	bool faulted;  /* a host has a fault */
	/* the variant of runtime.distributed.pipeline; NULL: the default */
	const struct pipeline_ops *pipeline;
	enum stage_thread receive, executor_receive; /* runtime.distributed.stages */
	bool l1_small, trace_region, system_memory;  /* the scenario has such memory */
	uint32_t events, programs, traces;
	struct sub_device_keys sub_devices[SUB_DEVICES_MAX];
	uint32_t sub_device_count; /* 0: devices are not divided */
	uint32_t sub_device_l1;	   /* bytes of L1 that each sub-device owns */
	/* A division that steps load for a while: two sub-devices of this many columns. 0: none */
	uint32_t division_columns;
	/* Number (from 1) of the sub-device of all programs in the trace being drawn; 0: none. */
	uint32_t traced_sub_device;
	/* The last trace contains events, or data of buffers that belong to one queue. */
	bool trace_of_queue;
};

/* ---- draw.c ---- */

/* Draws the scenario of a seed for a machine. `harmless` has the same meaning as in struct drawing.
 * If `given` is not NULL, the scenario has the platform, model and runtime of `given`, and only
 * workload and measure are drawn. The caller calls text_fini() on drawing->text. */
void drawing_make(struct drawing *drawing, uint64_t seed, bool harmless,
	const struct machine *machine, const struct scenario *given);

/* ---- draw_words.c ---- */

/* draw_below() returns a number in [0, bound). draw_chance() returns true with the probability 1/n.
 * draw_magnitude() returns a number from 1 to 2^k, where each k from 0 to `bits` is equally likely,
 * so small numbers are more likely. */
uint32_t draw_below(struct drawing *drawing, uint32_t bound);
bool draw_chance(struct drawing *drawing, uint32_t n);
uint32_t draw_magnitude(struct drawing *drawing, uint32_t bits);

/* Returns one of the words of a list that ends with NULL. A word that is in the list twice is twice
 * as likely. */
#define DRAW_WORD(drawing, ...) draw_word(drawing, (const char *const[]){__VA_ARGS__, NULL})
const char *draw_word(struct drawing *drawing, const char *const *words);

/* Appends a line that is indented by `depth` levels. If there are several meshes and the line is a
 * step, adds the name of the step's mesh. */
void draw_line(struct drawing *drawing, uint32_t depth, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* ---- draw_runtime.c: platform, model and runtime ---- */
void draw_runtime(struct drawing *drawing, uint64_t seed);

/* ---- draw_hosts.c: keys of machines of several hosts, and values that such machines reject
 * ---- */

/* Returns true for keys that draw_runtime.c must not draw on machines of several hosts:
 * draw_hosts.c draws them, or they are never drawn. */
bool draw_hosts_keeps(const char *path);

/* Returns true if the scenario's machine has several hosts and this value of the key is not allowed
 * on it. An example is a transport that does not reach other machines. */
bool draw_hosts_refuses(const struct drawing *drawing, const char *path, const char *value);

/* Records the value of a key, if values of later keys depend on it. */
void draw_hosts_note(struct drawing *drawing, const char *path, const char *value);

/* Draws a number for the value of a key that needs special values on machines of several hosts.
 * Returns 0 for all other keys. */
int64_t draw_hosts_number(struct drawing *drawing, const char *path);

/* draw_hosts_fault() appends a random fault to `model`, or nothing. draw_hosts_patience() appends
 * `reply_ns` to `distributed`, for every scenario with a fault and for some of the other scenarios.
 * The value of reply_ns is always the same. */
void draw_hosts_fault(struct drawing *drawing, struct text *model);
void draw_hosts_patience(struct drawing *drawing, struct text *distributed);

/* ---- draw_steps.c, draw_library.c, draw_program.c, draw_tensor.c: steps ---- */
void draw_steps(struct drawing *drawing);
void draw_program(struct drawing *drawing, uint32_t depth, bool traced);
void draw_library(struct drawing *drawing, uint32_t depth);
void draw_trace(struct drawing *drawing, uint32_t depth);
void draw_burst(struct drawing *drawing, uint32_t depth);
void draw_devices(struct drawing *drawing, struct text *keys);
void draw_tensor(struct drawing *drawing, uint32_t depth);

/* ---- draw_parts.c ---- */
void draw_collective(struct drawing *drawing, uint32_t depth, uint32_t queue);

/* A size of `out` that is enough for draw_page_matrix(), in bytes. */
enum { DRAW_MATRIX_MAX = 160 };

/* Writes the YAML keys of a matrix of `high` x `wide` pages to `out`. In half of the cases, also
 * draws the size of a shard. `layout` is the layout of the buffer. */
void draw_page_matrix(struct drawing *drawing, const char *layout, uint32_t high, uint32_t wide,
	char *out, size_t size);

/* A size of `out` that is enough for draw_matrix_spread(), in bytes. */
enum { DRAW_SPREAD_MAX = 160 };

/* Draws how a buffer is divided over devices: into shards of a matrix, or into parts of a tensor.
 * Each shard or part has `pages` pages of `page` bytes. Writes the keys to `out`. Returns the
 * number of shards or parts. */
uint32_t draw_matrix_spread(
	struct drawing *drawing, uint32_t page, uint32_t pages, char *out, size_t size);

/* The base of a campaign's scenarios: either a list of machines, or a scenario of the user, whose
 * platform, runtime and model are kept. */

struct fuzz_base {
	struct arena arena;
	struct diag *diag;
	bool native;
	/* the shipped machines, small ones first */
	struct machine *machines;
	const char **names; /* [machine] name; ends with NULL */
	uint32_t machine_count;
	/* machines of several hosts */
	struct machine *hosts;
	uint32_t hosts_count;
	bool hosts_alone; /* draw only machines of several hosts */
	/* the user's scenario, or NULL */
	struct tree *tree;
	struct scenario_file *file;
};

/* Opens the platforms in the folder `directory`, and the file `scenario` unless it is NULL. If
 * `hosts_alone` is set, draws only machines of several hosts. Prints errors, and returns false if
 * there are any. The caller calls fuzz_base_fini() in either case. */
bool fuzz_base_init(struct fuzz_base *base, const char *scenario, const char *directory,
	bool native, bool hosts_alone);
void fuzz_base_fini(struct fuzz_base *base);

/* Draws the scenario of a seed and appends it as compact YAML. */
void fuzz_base_draw(const struct fuzz_base *base, uint64_t seed, struct text *out);

/* Writes scenarios as short YAML, without changing their meaning. */

/* Appends a map as YAML. A value is written in one line if the line has at most 100 columns.
 * Reading the text gives a tree that is equal to `map`. */
void compact_write(const struct tree_node *map, struct text *out);

#endif
