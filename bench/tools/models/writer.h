/* The state of writing a model as a scenario: sizes of the phase, and what devices hold. */
#ifndef BENCH_TOOLS_MODELS_WRITER_H
#define BENCH_TOOLS_MODELS_WRITER_H

#include "model_private.h"

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
	char prefix[160];	     /* of names in this phase: "decode-", or "" */
	struct sizes sizes;	     /* of this phase */
	struct footprint held, most; /* of this call; of the call that holds most */
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

/* Writes a step for each operation. `times` is how often the operations are executed, each time
 * with other weights. */
void write_operations(struct writer *writer, const struct operations *operations, uint64_t times);

#endif
