/* A model binary is one file with everything that devices need to run a model (spec flow 2). It
 * contains the machine for which it was built, tensors with shapes and layouts, programs (lists of
 * operations on tensors), the values of constants, golden values (values of inputs, and expected
 * values of outputs), and debug information. `meshsim model build` writes it, and
 * execution/execution.h runs it.
 *
 * The file is a FlatBuffers buffer (binary.fbs). Its author may not be trustworthy, so
 * model_binary_read() checks the whole file before anything in it is used. It checks the
 * identifier, the version, the checksum, and the structure, with the library's verifier. It also
 * checks that every number is in range, that every index exists, and that every tensor is written
 * before it is read. The same model always gives the same bytes. */
#ifndef BINARY_MODEL_BINARY_H
#define BINARY_MODEL_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "layout/element.h"

struct chip_geometry;

/* The version of the format. A reader accepts files of the same major version whose minor version
 * is not higher than its own. */
enum { MODEL_BINARY_MAJOR = 1, MODEL_BINARY_MINOR = 1, MODEL_BINARY_PATCH = 0 };

/* Bounds of a model binary. Files beyond them are rejected. */
enum {
	MODEL_BINARY_TENSORS_MAX = 1 << 16,
	MODEL_BINARY_PROGRAMS_MAX = 256,
	MODEL_BINARY_OPERATIONS_MAX = 1 << 16, /* number of operations of all programs together */
	MODEL_BINARY_PORTS_MAX = 8,
	MODEL_BINARY_RANK_MAX = 4,
	MODEL_BINARY_NAME_BYTES_MAX = 255,
	MODEL_BINARY_SOURCE_BYTES_MAX = 1 << 20,
	MODEL_BINARY_ELEMENTS_MAX = 1 << 26, /* of a tensor */
	MODEL_BINARY_CORES_MAX = 1 << 12,
	MODEL_BINARY_LINKS_MAX = 4,	      /* links of a collective */
	MODEL_BINARY_SLOTS_MAX = 64,	      /* programs of an operation that run side by side */
	MODEL_BINARY_CYCLES_MAX = 2000000000, /* of a kernel */
	MODEL_BINARY_BYTES_MAX = 1 << 30      /* of the file */
};

/* The machine that a binary was built for. */
struct model_system {
	const char *platform; /* used only in messages */
	struct mesh_extent {
		uint16_t rows, columns;
	} mesh; /* devices of the mesh */
	uint16_t worker_rows, worker_columns, dram_banks;
	uint32_t l1_bytes;
	uint64_t dram_bank_bytes;
	uint64_t hash; /* hash of the other members, without `platform` */
};

/* How the devices of the mesh divide a tensor. */
enum model_split {
	MODEL_WHOLE,   /* every device has the whole tensor */
	MODEL_ROWS,    /* each device has a part of the second-to-last dimension */
	MODEL_COLUMNS, /* each device has a part of the last dimension */
	MODEL_HEADS,   /* each device has a part of the third-to-last dimension */
	MODEL_PARTIAL, /* each device has a tensor of full size; their sum is the tensor */
	MODEL_SPLIT_COUNT
};

/* A tensor. The last two dimensions are the rows and columns of matrices, of which each device
 * stores its parts one after the other. The pages are tiles of 32x32 elements, or rows if `in_rows`
 * is set. */
struct model_tensor {
	const char *name;
	uint32_t rank;
	uint32_t shape[MODEL_BINARY_RANK_MAX]; /* shape of the whole tensor, outermost dimension
						* first */
	enum element element;
	bool in_rows;	      /* each page is a row of elements, not a tile */
	bool in_l1;	      /* in L1; otherwise in DRAM */
	uint32_t arrangement; /* enum buffer_layout: how pages are distributed over banks or
			       * cores */
	enum model_split split;
};

/* The cost of an operation that computes no values. Its kernels occupy their cores for a time,
 * which the builder has taken from a roofline. The other amounts say how this time comes about. */
struct model_cost {
	uint64_t cycles; /* how long each kernel runs */
	uint64_t ns;	 /* the same, at the clock of the machine that the binary was built for */
	uint32_t kernel_bytes;
	uint32_t slots; /* number of programs that run side by side, each on a rectangle of
			 * devices; 0: one program on all devices */
	uint16_t slot_rows, slot_columns; /* size of each rectangle */
	const char *bound;		  /* the resource that takes longest, for messages */
	uint64_t matrix_cycles, vector_cycles, dram_bytes, noc_bytes, link_bytes;
};

/* An operation on the tensors at its ports. A program of the library or a collective executes
 * it. An operation with a cost writes at most one tensor, and leaves its values as they are. */
struct model_operation {
	const char *name; /* its name in results */
	const char *kind; /* name of a row of the program library, or of a collective; with a
			   * cost: used only in messages */
	uint32_t port_count;
	uint32_t ports[MODEL_BINARY_PORTS_MAX]; /* tensors, in the order of the row's ports; the
						 * last one is written */
	uint32_t slice_count, slice[4];		/* as in struct library_use; slice_count is 0 or
						 * 4 */
	uint32_t cores;				/* number of workers; 0: all */
	bool conversion;			/* the builder inserted it to change a layout */
	uint32_t line;				/* line of the model file; 0: none */
	bool ring;	/* of a collective: a link joins the last device to the first */
	uint32_t links; /* of a collective: parallel links; 0: as many as there are */
	const struct model_cost *cost; /* NULL: it computes values */
};

struct model_program {
	const char *name;
	bool constant; /* runs once, when the binary is loaded; its outputs are constants */
	uint32_t input_count, output_count, operation_count;
	const uint32_t *inputs, *outputs; /* tensors */
	const struct model_operation *operations;
};

/* Values of a tensor, in row-major order of its shape. */
struct model_values {
	uint32_t tensor;
	float tolerance; /* for expected values: largest allowed difference, relative to the
			  * largest value; for others 0 */
	uint64_t count;
	const float *values;
};

struct model_binary {
	const char *name;
	const char *maker; /* program and version that wrote the file */
	uint16_t major, minor, patch;
	struct model_system system;
	uint32_t tensor_count, program_count, constant_count, golden_count;
	const struct model_tensor *tensors;
	const struct model_program *programs;
	const struct model_values *constants; /* tensors that are written once, at loading */
	const struct model_values *golden;    /* values of inputs, and expected values of outputs */
	const char *file, *source;	      /* the model file: its name and text */
};

/* Returns true if this build has FlatBuffers, and so can read and write model binaries. Otherwise
 * model_binary_read() and model_binary_write() return UNSUPPORTED, with a sentence that names the
 * missing packages. */
bool model_binary_available(void);

/* Sets *system to the machine of a mesh with this shape and these chips. `platform` must outlive
 * *system. */
void model_system_init(struct model_system *system, const char *platform, uint16_t rows,
	uint16_t columns, const struct chip_geometry *geometry);

/* Compares the machine of a binary with the machine `there`. Returns OK if they are equal,
 * otherwise UNSUPPORTED. `why` (may be NULL) then lists all differences. */
enum status model_system_check(
	const struct model_system *binary, const struct model_system *there, struct text *why);

/* Appends the bytes of the binary to `out`. Ignores the members `maker`, `major`, `minor` and
 * `patch`: the file gets those of this build. Returns OK, or an error with a sentence in `why` (may
 * be NULL): INVALID if model_binary_check() rejects the binary, UNSUPPORTED if this build has no
 * FlatBuffers. */
enum status model_binary_write(
	const struct model_binary *binary, struct text *out, struct text *why);

/* Reads the binary in `bytes`, which may contain anything. *binary and a copy of the bytes are in
 * `arena`. Returns OK. After any other status, `why` (may be NULL) says what is wrong. Returns
 * INVALID if the bytes are no model binary, are incomplete or damaged, or contradict themselves.
 * Returns UNSUPPORTED if the file has another version, or if this build has no FlatBuffers. */
enum status model_binary_read(const void *bytes, size_t count, struct arena *arena,
	struct text *why, const struct model_binary **binary);

/* Checks what the verifier of FlatBuffers cannot check: that numbers are in range, that indices
 * exist, and that operations read only tensors that already have values. Returns OK, or INVALID
 * with a sentence in `why` (may be NULL). */
enum status model_binary_check(const struct model_binary *binary, struct text *why);

/* Returns the number of elements of a tensor, which must have passed model_binary_check(). */
uint64_t model_tensor_elements(const struct model_tensor *tensor);

/* Returns the name of a split, such as "columns". */
const char *model_split_name(enum model_split split);

/* Searches a list of `count` entries. Returns the values of the tensor, or NULL if there are none.
 */
const struct model_values *model_values_of(
	const struct model_values *values, uint32_t count, uint32_t tensor);

/* Computes the checksum of a file, and stores it in the file. Does nothing if the file is too
 * damaged to contain a checksum. Tests also call it, so that files whose bytes they have changed
 * pass the check of the checksum. */
void model_binary_seal(uint8_t *bytes, size_t count);

#endif
