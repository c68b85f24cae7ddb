/* Model files. A model file describes a neural network as a list of operations with names, shapes
 * and places on the mesh. It is converted to an ordinary scenario, in which each operation is a
 * program that runs for the time that its roofline gives. */
#ifndef BENCH_TOOLS_MODELS_MODEL_H
#define BENCH_TOOLS_MODELS_MODEL_H

#include "base/diag.h"
#include "base/text.h"
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

/* Appends the JSON Schema of model files. */
void model_append_schema(struct text *out);

#endif
