/* What the files that draw a scenario share: one drawing is one scenario, as YAML text that grows
 * step by step. Two queues never touch one buffer unless an event orders them. */
#ifndef BENCH_FUZZ_DRAWING_H
#define BENCH_FUZZ_DRAWING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/stream.h"
#include "base/text.h"
#include "bench/scenario/scenario.h"

/* A machine to draw for. */
struct machine {
	const char *name; /* as the scenario says it */
	uint16_t rows, columns; /* of all hosts */
	uint32_t hosts;		/* 0: one, without a network */
	uint32_t gateways;	/* chips with PCIe, of a host */
	uint32_t links;	   /* of a connection, at least */
	uint32_t worker_columns, worker_rows; /* of every chip, at least */
};

enum { DRAWN_BUFFERS = 4, DRAWN_TENSORS = 3, DRAWN_MESHES = 2 };

struct drawn_buffer {
	bool made;
	bool of_host;	/* in system memory: no device has a part, no trace takes it */
	uint32_t queue; /* that may touch it now */
	char keys[320]; /* as the first step says them */
};

/* A virtual mesh, and what steps have made on it. */
struct drawn_mesh {
	const char *name; /* NULL: it is the only one */
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
	struct drawn_mesh *mesh; /* of the step that is drawn */
	uint32_t queues;
	bool harmless; /* no row that is wrong by design: natively such a one may hang */
	bool fixed;    /* platform, runtime and model stand in a file of the user */
	bool elides;   /* some data are not simulated */
	bool faulted;  /* something goes wrong with a host */
	bool l1_small, trace_region, system_memory; /* are kept for buffers that say so */
	uint32_t events, programs, traces;
	struct sub_device_keys sub_devices[SUB_DEVICES_MAX];
	uint32_t sub_device_count;  /* 0: devices are whole */
	uint32_t sub_device_l1;	    /* that each of them has of its own */
	uint32_t traced_sub_device; /* of all programs of the trace that is drawn */
	bool trace_of_queue;	    /* the last one, has events or data of a queue's buffers */
};

/* ---- draw.c ---- */

/* Draws the scenario of a seed for a machine, `harmless` as above. `given`: its runtime is that of
 * this scenario, and only workload and measure are drawn; or NULL. The text is whole; text_fini()
 * it. */
void drawing_make(struct drawing *drawing, uint64_t seed, bool harmless,
	const struct machine *machine, const struct scenario *given);

/* ---- draw_words.c ---- */

/* [0, bound); true once in n; 1 to 2^bits, each magnitude as often as the others. */
uint32_t draw_below(struct drawing *drawing, uint32_t bound);
bool draw_chance(struct drawing *drawing, uint32_t n);
uint32_t draw_magnitude(struct drawing *drawing, uint32_t bits);

/* One of the words of a list, which ends with NULL; said twice, twice as often. */
#define DRAW_WORD(drawing, ...) draw_word(drawing, (const char *const[]){__VA_ARGS__, NULL})
const char *draw_word(struct drawing *drawing, const char *const *words);

/* A line at a depth of indentation; of a step with its mesh, if there are several. */
void draw_line(struct drawing *drawing, uint32_t depth, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* ---- draw_runtime.c: platform, model and runtime ---- */
void draw_runtime(struct drawing *drawing, uint64_t seed);

/* ---- draw_hosts.c: what machines of several hosts have, and what they refuse ---- */

/* Is drawn here, or never on such a machine. */
bool draw_hosts_keeps(const char *path);

/* Reaches no other host. */
bool draw_hosts_refuses(const char *path, const char *value);

/* A number in place of the one that others would draw; 0: that one. */
int64_t draw_hosts_number(struct drawing *drawing, const char *path);

/* `model.fault`, or nothing; and how long hosts wait for each other, among `runtime.distributed`.
 */
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

/* Keys of a matrix of `high` x `wide` pages in shards, whose last ones are often smaller. */
enum { DRAW_MATRIX_MAX = 160 };
void draw_page_matrix(struct drawing *drawing, const char *layout, uint32_t high, uint32_t wide,
	char *out, size_t size);

#endif
