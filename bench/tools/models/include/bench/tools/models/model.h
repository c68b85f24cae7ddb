/* Model files. A model file describes a neural network as a list of operations with names, shapes
 * and places on the mesh. It is converted to an ordinary scenario, in which each operation is a
 * program that runs for the time that its roofline gives. */
#ifndef BENCH_TOOLS_MODELS_MODEL_H
#define BENCH_TOOLS_MODELS_MODEL_H

#include <stdint.h>

#include "base/diag.h"
#include "base/text.h"
#include "bench/scenario/machine_constants.h"
#include "platform/platform.h"

struct model; /* opaque: a model file that was read */

/* Reads a model file. Returns NULL after errors, which are in `diag` with their locations. */
struct model *model_read(const char *path, struct diag *diag);

/* Like model_read(), but reads `length` bytes of text; messages use `name` as the file name. */
struct model *model_read_text(const char *name, const char *text, size_t length, struct diag *diag);

/* Frees a model. NULL is allowed. */
void model_free(struct model *model);

/* Returns the platform that the file names. */
const char *model_platform(const struct model *model);

/* Appends a scenario that runs the model on `platform`, which the scenario names as
 * `platform_name`. `file` is the name of the model file, for the comment at the top. Returns false
 * with errors in `diag` if sizes contradict each other, if the placement does not fit the mesh, if
 * weights do not fit into DRAM, or if an operation takes longer than a kernel may run. */
bool model_write_scenario(const struct model *model, const char *file, const char *platform_name,
	const struct platform *platform, struct diag *diag, struct text *out);

/* Builds the model binary of a model file for `platform`, which messages call `platform_name`, and
 * appends its bytes to `out`. `file` and `source` are the name and the text of the model file; the
 * binary contains them as debug information. The programs of the binary take the times of the
 * rooflines, and compute no values. Each phase has a program, and in a pipeline each stage of each
 * phase. Returns true on success, false after errors, which are in `diag`: those of
 * model_write_scenario(), and collectives with packets that binaries cannot contain. The same model
 * and machine always give the same bytes. */
bool model_build_binary(const struct model *model, const char *file, const char *source,
	const char *platform_name, const struct platform *platform, struct diag *diag,
	struct text *out);

/* Appends the JSON Schema of model files. */
void model_append_schema(struct text *out);

/* The roofline model, which computes the time that an operation takes on a chip. Each resource that
 * the operation uses needs a certain time. The longest of these times is the result. */

/* The resources that bound an operation. */
enum roofline_bound {
	ROOFLINE_MATRIX, /* matrix unit of the core with the most tiles */
	ROOFLINE_VECTOR, /* vector unit of the core with the most tiles */
	ROOFLINE_DRAM,	 /* all DRAM banks of the chip */
	ROOFLINE_NOC,	 /* the port through which a core's data arrive */
	ROOFLINE_FABRIC, /* links to the neighbours */
	ROOFLINE_BOUNDS
};

/* The rates of a machine. Times are in seconds. */
struct roofline_machine {
	double clock_hz;
	double noc_bytes_per_s;	 /* rate at which a core receives */
	double dram_bytes_per_s; /* rate of all banks of a chip together */
	double link_bytes_per_s; /* rate of one link in one direction */
	double hop_s;		 /* latency from a chip to the next one */
	uint64_t dram_bytes;	 /* memory of all banks of a chip */
	uint32_t cores, worker_columns, links;
	uint16_t rows, columns; /* shape of the mesh of all chips */
	struct firmware_costs costs;
	struct roofline_constants share; /* share of each rate that operations reach */
};

/* What an operation does on one chip. */
struct roofline_work {
	double matrix_cycles, vector_cycles; /* cycles of the core that has the most tiles */
	double dram_bytes;		     /* read and written by all cores together */
	double noc_bytes;		     /* bytes that arrive at the core that receives the
					      * most */
	double link_bytes;		     /* bytes that a chip sends in one direction */
	uint32_t links, hops; /* links: number of links over which the chip sends these bytes. hops:
			       * number of hops from chip to chip on the longest path of the bytes,
			       * summed over all turns */
	bool dram_sharded; /* true: each core reads the bank beside it; false: cores read pages of
			    * all banks */
};

/* Fills `machine` with the rates of a platform. */
void roofline_machine_init(struct roofline_machine *machine, const struct platform *platform);

/* Sets ns[] to the bounds of `work`, in nanoseconds, and *longest to the resource with the longest
 * bound. Returns the time of the operation, which is the longest bound, rounded up to whole
 * nanoseconds. Returns UINT64_MAX if it is 10^18 or more. */
uint64_t roofline_time_ns(const struct roofline_machine *machine, const struct roofline_work *work,
	double ns[ROOFLINE_BOUNDS], enum roofline_bound *longest);

/* Returns the name of a bound, for messages: "matrix unit". */
const char *roofline_bound_name(enum roofline_bound bound);

#endif
