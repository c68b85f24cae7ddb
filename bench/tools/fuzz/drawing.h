/* Declarations shared by the files that draw scenarios. A drawing is one scenario, as YAML text
 * that grows step by step. Two queues never touch the same buffer unless an event orders them. */
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
	const char *name;		      /* its YAML value in the scenario */
	uint16_t rows, columns;		      /* of all hosts */
	uint32_t hosts;			      /* 0: one host without a network */
	uint32_t gateways;		      /* chips with PCIe, per host */
	uint32_t links;			      /* of each connection, at least */
	uint32_t worker_columns, worker_rows; /* of each chip, at least */
};

enum { DRAWN_BUFFERS = 4, DRAWN_TENSORS = 3, DRAWN_MESHES = 2 };

struct drawn_buffer {
	bool made;
	bool of_host;	/* in system memory: no parts on devices, not in traces */
	uint32_t queue; /* that may use it now */
	char keys[320]; /* as in the first step that names it */
};

/* A virtual mesh, and what steps have made on it. */
struct drawn_mesh {
	const char *name; /* NULL if it is the only one */
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
	struct drawn_mesh *mesh; /* of the step being drawn */
	uint32_t queues;
	bool harmless; /* no rows that are wrong by design, which may hang natively */
	bool fixed;    /* platform, runtime and model come from the user's file */
	bool elides;   /* some data are not simulated */
	bool faulted;  /* a host has a fault */
	bool l1_small, trace_region, system_memory; /* the scenario has such memory */
	uint32_t events, programs, traces;
	struct sub_device_keys sub_devices[SUB_DEVICES_MAX];
	uint32_t sub_device_count;  /* 0: devices are whole */
	uint32_t sub_device_l1;	    /* bytes of L1 that each of them owns */
	uint32_t traced_sub_device; /* from 1, of all programs in the trace being drawn; 0: none */
	bool trace_of_queue;	    /* the last trace contains events, or data of one queue's
				       buffers */
};

/* ---- draw.c ---- */

/* Draws the scenario of a seed for a machine, `harmless` as above. If `given` is not NULL, the
 * scenario has its runtime, and only workload and measure are drawn. The caller calls text_fini()
 * on the text. */
void drawing_make(struct drawing *drawing, uint64_t seed, bool harmless,
	const struct machine *machine, const struct scenario *given);

/* ---- draw_words.c ---- */

/* draw_below(): uniform in [0, bound). draw_chance(): true once in n. draw_magnitude(): from 1 to
 * 2^bits, with all magnitudes equally likely. */
uint32_t draw_below(struct drawing *drawing, uint32_t bound);
bool draw_chance(struct drawing *drawing, uint32_t n);
uint32_t draw_magnitude(struct drawing *drawing, uint32_t bits);

/* One of the words of a list, which ends with NULL. A word that is listed twice is twice as
 * likely. */
#define DRAW_WORD(drawing, ...) draw_word(drawing, (const char *const[]){__VA_ARGS__, NULL})
const char *draw_word(struct drawing *drawing, const char *const *words);

/* Appends a line, indented by `depth` levels. A step names its mesh if there are several. */
void draw_line(struct drawing *drawing, uint32_t depth, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* ---- draw_runtime.c: platform, model and runtime ---- */
void draw_runtime(struct drawing *drawing, uint64_t seed);

/* ---- draw_hosts.c: keys of machines of several hosts, and values that these reject ---- */

/* True for keys that draw_runtime.c must skip: they are drawn here, or never on such a machine. */
bool draw_hosts_keeps(const char *path);

/* True for values that such a machine rejects, since they do not reach other hosts. */
bool draw_hosts_refuses(const char *path, const char *value);

/* Draws the value of a number, in place of the usual drawing; 0: use that. */
int64_t draw_hosts_number(struct drawing *drawing, const char *path);

/* Draws `model.fault`, or nothing; and in `runtime.distributed`, how long hosts wait for each
 * other. */
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

/* Draws the keys of a matrix of `high` x `wide` pages in shards; the last shards are often
 * smaller. */
enum { DRAW_MATRIX_MAX = 160 };
void draw_page_matrix(struct drawing *drawing, const char *layout, uint32_t high, uint32_t wide,
	char *out, size_t size);

/* The base of a campaign's scenarios: machines to choose from, or a scenario of the user whose
 * platform, runtime and model stay as they are. */

struct fuzz_base {
	struct arena arena;
	struct diag *diag;
	bool native;
	/* the shipped machines, small ones first */
	struct machine *machines;
	const char **names; /* their names, then NULL */
	uint32_t machine_count;
	/* machines of several hosts */
	struct machine *hosts;
	uint32_t hosts_count;
	bool hosts_alone; /* draw only machines of several hosts */
	/* the user's scenario, or NULL */
	struct tree *tree;
	struct scenario_file *file;
};

/* Opens the platforms of `directory`, and `scenario` unless it is NULL. `hosts_alone`: draw only
 * machines of several hosts. False after errors, which were printed. Call fuzz_base_fini() in
 * either case. */
bool fuzz_base_init(struct fuzz_base *base, const char *scenario, const char *directory,
	bool native, bool hosts_alone);
void fuzz_base_fini(struct fuzz_base *base);

/* Draws the scenario of a seed and appends it as compact YAML. */
void fuzz_base_draw(const struct fuzz_base *base, uint64_t seed, struct text *out);

/* Writes scenarios as short YAML, without changing their meaning. */

/* Appends a map as YAML. A value that fits into a line of 100 columns is written on one line.
 * Reading the text gives an equal tree. */
void compact_write(const struct tree_node *map, struct text *out);

#endif
