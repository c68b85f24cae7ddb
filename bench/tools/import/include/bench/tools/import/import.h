/* Importers, which convert recordings of other programs to scenarios. Each importer reads one
 * format, from a file or a folder, and writes the text of a scenario that a person can edit. To add
 * a format, define a struct importer in a new file, and add it to importers.def. */
#ifndef BENCH_TOOLS_IMPORT_H
#define BENCH_TOOLS_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/text.h"
#include "mesh/mesh.h"

enum { IMPORT_HEAD_BYTES = 1 << 16, IMPORT_FUSE_NS = 20000, IMPORT_QUEUES = 2 };

/* What the user asks for. Members that are NULL were not given. */
struct import_request {
	const char *path;	    /* a file, or a folder with a file for each rank */
	const char *platform;	    /* machine of the scenario */
	const char *from;	    /* mark at which the part to import begins */
	const char *to;		    /* mark at which it ends */
	uint32_t runtime_args;	    /* arguments of each core and kernel, which no report has */
	/* [program] the same for each program of an op_report; NULL: all have `runtime_args` */
	const uint32_t *program_args;
	uint32_t imbalance_percent; /* how much shorter the shortest core runs, if unknown */
	uint32_t fuse_ns;	    /* longest compute that is part of the messages around it */
	/* 1: a device computes or communicates; 2: both at once. 0: IMPORT_QUEUES */
	uint32_t queues;
	const char
		*rank; /* what a rank is: "mesh", or ROWSxCOLUMNS chips; "chip" or NULL: a chip */
};

struct importer {
	const char *name;	 /* for --format */
	const char *description; /* what it reads, in one line */

	/* Returns true if a file of this format can begin with the bytes `head`. They are the first
	 * IMPORT_HEAD_BYTES of the file, or of a file in the folder, followed by a NUL. */
	bool (*takes)(const char *head, size_t length);

	/* Appends the scenario to `scenario`, and a line for each assumption to `notes`. Returns
	 * false with errors in `diag`. */
	bool (*import)(const struct import_request *request, struct text *scenario,
		struct text *notes, struct diag *diag);
};

/* Sets *shape to the ROWSxCOLUMNS of `rank`, such as "2x4". Returns false, and changes nothing, if
 * the text has another form. */
bool import_rank_shape(const char *rank, struct mesh_shape *shape);

/* Returns row `index`, or NULL after the last. */
const struct importer *importer_at(size_t index);

/* Returns the row with this name, or NULL. */
const struct importer *importer_named(const char *name);

/* Returns the first importer that accepts the file (`takes`). If there is none, or if the file
 * cannot be read, returns NULL with an error in `diag`. */
const struct importer *importer_of(const char *path, struct diag *diag);

#endif
