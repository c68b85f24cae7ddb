/* Writes the files of a placement that a launch needs. */
#ifndef BENCH_TOOLS_PLACE_PLACE_TEXTS_H
#define BENCH_TOOLS_PLACE_PLACE_TEXTS_H

#include <stdbool.h>

/* The texts of rank_bindings.yaml, rankfile.txt and mesh_graph_descriptor.textproto. A file whose
 * text is NULL is not written. */
struct place_texts {
	const char *bindings, *rankfile, *descriptor;
};

/* Writes the files into a folder, and makes the folder if there is none. Does not overwrite files
 * of another kind (base/output.h). Returns false after a message on standard error. */
bool place_write_texts(const struct place_texts *texts, const char *folder);

#endif
