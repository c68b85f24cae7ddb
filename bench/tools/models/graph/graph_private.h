/* The keys of a graph file (bench/tools/models/graph.h), and the parts of the builder:
 * graph_build.c makes operations, graph_values.c makes the values of constants and inputs, and
 * golden.c computes the golden values of outputs. */
#ifndef BENCH_TOOLS_MODELS_GRAPH_PRIVATE_H
#define BENCH_TOOLS_MODELS_GRAPH_PRIVATE_H

#include "base/schema.h"
#include "bench/tools/models/graph.h"
#include "execution/tensors.h"
#include "model_private.h"

enum {
	GRAPH_OPERATIONS_MAX = 4096, /* most operations of a program */
	GRAPH_PROGRAMS_MAX = 16,
	GRAPH_TENSORS_MAX = 4096 /* most constants, and most inputs of a program */
};

/* How the values of a constant or an input are made. */
enum graph_values {
	VALUES_DRAWN,	/* at random, from mean - spread to mean + spread */
	VALUES_COSINES, /* cosines of the angles of a rotary embedding, where a row is a position */
	VALUES_SINES
};

/* The memory of a tensor, and how its pages are placed (arrangement). For tensors that an operation
 * reads, ANY means: as they were written. */
enum graph_memory { MEMORY_ANY, MEMORY_IN_DRAM, MEMORY_IN_L1 };
enum { ARRANGEMENT_ANY }; /* other values are 1 + enum buffer_layout */

/* A constant or an input. */
struct graph_tensor_keys {
	const char *name;
	struct expression extents[MODEL_BINARY_RANK_MAX];
	uint32_t rank, element, memory, arrangement, split, values;
	double spread, mean;
	bool in_rows;
	struct location where;
};

struct graph_read {
	const char *port, *tensor;
	struct location where;
};

struct graph_operation_keys {
	const char *kind, *name, *to;
	struct graph_read *reads;
	uint32_t read_count;
	struct expression extents[MODEL_BINARY_RANK_MAX];
	uint32_t rank, memory, arrangement, split, read_memory, read_arrangement, cores;
	struct expression slice[4];
	uint32_t slice_count;
	bool in_rows;
	struct location where, kind_where, to_where;
};

struct graph_output {
	const char *name;
	struct location where;
};

struct graph_program_keys {
	const char *name;
	bool constant;
	struct graph_tensor_keys *inputs;
	struct graph_operation_keys *operations;
	struct graph_output *outputs;
	uint32_t input_count, operation_count, output_count;
	struct location where;
};

struct graph_keys {
	int64_t version;
	const char *name, *description, *source, *platform;
	struct named_size *sizes;
	uint32_t size_count, element;
	uint16_t mesh[2];
	uint64_t seed;
	double tolerance;
	struct graph_tensor_keys *constants;
	uint32_t constant_count;
	struct graph_program_keys *programs;
	uint32_t program_count;
	struct location platform_where, mesh_where;
};

extern const struct schema graph_schema;

struct graph {
	struct tree *tree;
	struct arena arena;
	struct graph_keys keys;
	const char *text; /* text of the file, which the binary contains as debug information */
};

/* A tensor of the binary, with data that only the builder needs. */
struct built_tensor {
	struct model_tensor *tensor;	      /* the tensor in the binary */
	bool visible;			      /* the current program may name it */
	bool lasting;			      /* all programs may name it */
	const struct graph_tensor_keys *keys; /* NULL: an operation writes it */
};

/* The binary while it is built. Its lists are in the arena. `tensors` and `built` have room for
 * MODEL_BINARY_TENSORS_MAX tensors. */
struct builder {
	const struct graph *graph;
	struct arena *arena;
	struct diag *diag;
	struct sizes sizes;
	uint32_t devices;
	struct model_binary binary;
	struct model_tensor *tensors;
	struct built_tensor *built;	    /* [tensor] */
	struct model_operation *operations; /* operations of the current program */
	uint32_t operation_count;
	struct model_values *constants, *golden;
};

enum { NO_TENSOR = UINT32_MAX };

/* graph_tensor_add() adds a copy of `like`. graph_add_given() adds a constant or an input, and
 * makes it visible. Both return the tensor's number, or NO_TENSOR after an error.
 * graph_tensor_show() makes a tensor visible, unless its name is taken. graph_tensor_named()
 * returns the number of the visible tensor of this name, or NO_TENSOR after an error. */
uint32_t graph_tensor_add(
	struct builder *builder, const struct model_tensor *like, struct location where);
uint32_t graph_add_given(struct builder *builder, const struct graph_tensor_keys *keys);
void graph_tensor_show(struct builder *builder, uint32_t number, struct location where);
uint32_t graph_tensor_named(struct builder *builder, const char *name, struct location where);

/* Sets the extents of a tensor. */
void graph_set_shape(struct builder *builder, struct model_tensor *tensor,
	const struct expression *extents, uint32_t rank);

/* Makes the values of constants and inputs, rounded to their element types. */
void graph_values_make(struct builder *builder);

/* Computes the golden values of the outputs of all programs, in doubles. */
void graph_golden_make(struct builder *builder);

/* Appends the operations of a program as a table, if some of them have costs. Operations that occur
 * again and again, such as those of layers, have one row, with the number of times. */
void cost_show(const struct model_program *program, struct text *out);

/* A device's part of a tensor, as heads x rows x columns doubles. The part consists of whole
 * tiles. */
struct golden_part {
	uint32_t heads, rows, columns; /* in elements */
	double *at;
};

/* Computes the part `to` that an operation writes on one device, from the parts `reads` of the same
 * device. */
void golden_operation(const struct execution_kind *kind, const struct operation_shapes *shapes,
	const struct golden_part *const *reads, struct golden_part *to);

#endif
