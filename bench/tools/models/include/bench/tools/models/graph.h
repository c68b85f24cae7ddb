/* Graph files describe models whose operations really compute. A graph file lists constants and
 * programs. A program has inputs, outputs, and operations, each of which reads tensors and writes a
 * new one. `meshsim model build` makes a model binary (binary/model_binary.h) from a graph file.
 * The builder computes the shapes of all tensors. It inserts conversions where an operation reads
 * another layout than the tensor has. It generates the values of constants and inputs. It computes
 * golden values in doubles, without the kernels. */
#ifndef BENCH_TOOLS_MODELS_GRAPH_H
#define BENCH_TOOLS_MODELS_GRAPH_H

#include "base/diag.h"
#include "base/text.h"
#include "binary/model_binary.h"
#include "platform/platform.h"

struct graph; /* opaque */

/* Read a graph file. Return NULL after errors, which are in `diag`. */
struct graph *graph_read(const char *path, struct diag *diag);
struct graph *graph_read_text(const char *name, const char *text, size_t length, struct diag *diag);
void graph_free(struct graph *graph);

/* The platform that the file names. */
const char *graph_platform(const struct graph *graph);

/* Builds the model binary of a graph for a machine, and appends its bytes to `out`. `file` is the
 * name of the graph file; the binary contains it as debug information. Returns true on success,
 * false after errors, which are in `diag`. The same graph and machine always give the same bytes.
 */
bool graph_build(const struct graph *graph, const char *file, const char *platform_name,
	const struct platform *platform, struct diag *diag, struct text *out);

/* Appends the JSON Schema of graph files. */
void graph_append_schema(struct text *out);

/* Appends a readable description of a model binary. */
void model_binary_show(const struct model_binary *binary, struct text *out);

#endif
