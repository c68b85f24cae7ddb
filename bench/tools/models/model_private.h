/* The keys of a model file, and the functions that convert it to a scenario: work.c computes the
 * work of each operation on a chip, and write.c writes the text of the scenario. */
#ifndef BENCH_TOOLS_MODELS_PRIVATE_H
#define BENCH_TOOLS_MODELS_PRIVATE_H

#include "base/schema.h"
#include "bench/tools/models/model.h"

/* Sizes in model files. A size is an integer, the name of another size, or an expression such as
 * "(heads + 2 * kv_heads) * head / 4", with sums, differences, products and quotients without a
 * remainder. */

enum { EXPRESSION_BYTES_MAX = 256, EXPRESSION_DEPTH_MAX = 16 };
#define EXPRESSION_VALUE_MAX ((int64_t)1 << 40)

/* The text of a size. `text` is NULL if the key is missing. */
struct expression {
	const char *text;
	struct location where;
};

/* Values of sizes by name. */
struct size_value {
	const char *name;
	uint64_t value;
};

struct sizes {
	struct size_value *at;
	uint32_t count;
};

/* Binds a scalar to a struct expression, for SCHEMA_CUSTOM. */
void expression_bind(const struct schema_field *field, const struct tree_node *node, void *member,
	const struct schema_context *context);

/* Returns the value of an expression, from 1 to `most`. After an error, returns 1 with a located
 * error in `diag`. It is an error if the expression is empty or has an unknown name, if a quotient
 * has a remainder, or if the value is out of range. */
uint64_t expression_value(const struct expression *expression, const struct sizes *sizes,
	uint64_t most, struct diag *diag);

enum {
	MODEL_OPERATIONS_MAX = 128, /* most operations in a list of a model file */
	MODEL_PHASES_MAX = 16,
	MODEL_SIZES_MAX = 64,
	MODEL_GROUPS_MAX = 64, /* replicas or stages */
	MODEL_LAYERS_MAX = 1024,
	MODEL_TIMES_MAX = 100000,
	MODEL_EXTENT_MAX = 1 << 22, /* largest extent of a matrix, in elements */
	MODEL_SLOTS_MAX = 64	    /* most programs of experts that run side by side */
};

/* The extent along which an operation is divided over the devices of its group. */
enum split { SPLIT_NONE, SPLIT_ROWS, SPLIT_INNER, SPLIT_COLUMNS, SPLIT_BATCHES };
enum weights_layout { WEIGHTS_INTERLEAVED, WEIGHTS_SHARDED };
enum memory { MEMORY_L1, MEMORY_DRAM };

/* Keys that all operations with a program have. */
struct common_keys {
	const char *name;
	uint32_t cores; /* 0: all */
	uint32_t kernel_bytes;
	struct location where;
};

struct matmul_keys {
	struct common_keys common;
	struct expression shape[3], batches; /* rows, inner extent, columns */
	uint32_t split, weights, layout, activations, memory, fidelity;
};

struct attention_keys {
	struct common_keys common;
	struct expression users, queries, context, heads, kv_heads, head;
	uint32_t cache, layout, activations, fidelity;
};

struct elementwise_keys {
	struct common_keys common;
	struct expression shape[2];
	uint32_t functions[16], function_count, inputs, outputs;
	uint32_t split, activations, memory;
};

struct collective_keys {
	const char *name;
	struct expression shape[2];
	uint32_t op, topology, links, activations; /* links 0: all between neighbours */
	struct location where;
};

struct experts_keys {
	struct common_keys common;
	struct expression shape[3], experts, active;
	uint16_t devices[2]; /* rectangle of devices of an expert */
	uint32_t weights, layout, activations, memory, fidelity;
	struct location devices_where;
};

enum operation_kind {
	OPERATION_MATMUL,
	OPERATION_ATTENTION,
	OPERATION_ELEMENTWISE,
	OPERATION_COLLECTIVE,
	OPERATION_EXPERTS,
	OPERATION_KINDS
};

struct operation {
	enum operation_kind kind;
	struct location where;
	union {
		struct matmul_keys matmul;
		struct attention_keys attention;
		struct elementwise_keys elementwise;
		struct collective_keys collective;
		struct experts_keys experts;
	};
};

struct operations {
	struct operation *at;
	uint32_t count;
};

struct named_size {
	const char *name;
	struct expression value;
};

struct phase_keys {
	const char *name;
	uint32_t times;
	struct named_size *sizes;
	uint32_t size_count;
	struct location where;
};

struct placement_keys {
	uint16_t tensor[2]; /* rows and columns of devices that share each operation */
	uint32_t data, pipeline;
	struct location where;
};

struct request_keys {
	uint32_t count, arrivals;
	double rate_per_s;
};

enum collectives { COLLECTIVES_STEPS, COLLECTIVES_TIME };

struct model_keys_file {
	int64_t version;
	const char *name, *description, *source, *platform;
	struct named_size *sizes;
	uint32_t size_count;
	struct placement_keys placement;
	struct operations before, layer, after;
	struct expression layers, input, output, between;
	struct phase_keys *phases;
	uint32_t phase_count, collectives;
	bool trace;
	struct request_keys requests;
	const struct tree_node *runtime, *model, *sweep, *measure;
	struct location name_where;
};

extern const struct schema model_schema;

/* Names of values of keys, as in the file; NULL past the last. */
extern const char *const model_function_names[], *const model_collective_names[],
							 *const model_topology_names[],
								 *const model_arrivals_names[];

struct model {
	struct tree *tree;
	struct arena arena;
	struct model_keys_file keys;
};

/* The work of an operation on each device of a group. */
struct operation_work {
	const char *name;
	struct roofline_work roofline;
	double weight_bytes, cache_bytes; /* bytes that a device stores in DRAM for the operation */
	uint32_t cores;			  /* number of cores on which the program runs */
	uint32_t kernel_bytes;
	uint32_t slots; /* for experts: number of programs that run side by side; otherwise 0 */
	uint64_t collective_bytes;
};

/* Fills *work with the work of `operation` on one device of a group of group[0] x group[1] devices.
 * Errors go to `diag`. */
void operation_work(const struct operation *operation, const struct sizes *sizes,
	const uint16_t group[2], const struct roofline_machine *machine, struct diag *diag,
	struct operation_work *work);

/* Returns the name of an operation. */
const char *operation_name(const struct operation *operation);

/* The state of writing a model as a scenario: sizes of the phase, and what devices hold. */

enum { NO_STAGE = UINT32_MAX };

/* Bytes that a device holds in DRAM. */
struct footprint {
	double weights, cache;
};

struct writer {
	const struct model_keys_file *keys;
	const struct roofline_machine *machine;
	struct diag *diag;
	struct text *out;
	uint32_t indent, groups;
	char prefix[160];	     /* prefix of all names in this phase: "decode-", or "" */
	struct sizes sizes;	     /* sizes for the current phase */
	struct footprint held, most; /* `held`: bytes in DRAM for the call that is being written;
				      * `most`: the largest `held` of a call so far */
};

/* Starts with the sizes of the model itself. Errors go to `diag`. */
void writer_init(struct writer *writer, const struct model *model,
	const struct roofline_machine *machine, struct diag *diag, struct text *out);
void writer_fini(struct writer *writer);

/* Computes the sizes of a phase, and sets its prefix if there are several phases. */
void writer_set_phase(struct writer *writer, const struct phase_keys *phase);

/* Keeps the footprint of a call if it is the largest. */
void writer_keep_largest(struct writer *writer);

/* Reports an error if the largest footprint is more than a device's DRAM. */
void writer_check_memory(struct writer *writer);

/* Reports an error if the groups do not fit into the machine's mesh. Sets writer->groups. */
void writer_check_placement(struct writer *writer, const struct platform *platform);

/* Returns the number of layers of a stage. The first stages have one layer more if the stages
 * cannot be equal. */
uint64_t writer_layers(struct writer *writer, uint32_t stage);

/* writer_bytes() returns the value of an expression that is the size of an input or output.
 * writer_output_bytes() returns the bytes that the host reads back from a stage. */
uint64_t writer_bytes(struct writer *writer, const struct expression *expression);
uint64_t writer_output_bytes(struct writer *writer, uint32_t stage);

/* Returns the time of an operation in ns. Adds the operation's weights and caches to writer->held.
 * Reports an error if the time is longer than a kernel may run. */
uint64_t writer_time(struct writer *writer, const struct operation *operation,
	const struct operation_work *work, uint64_t times, enum roofline_bound *longest);

/* Writes a step for each operation. `times` is how often the operations are executed, each time
 * with other weights. */
void write_operations(struct writer *writer, const struct operations *operations, uint64_t times);

#endif
