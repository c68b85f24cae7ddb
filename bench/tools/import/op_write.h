/* Writes the calls of a report as a scenario. */
#ifndef BENCH_TOOLS_IMPORT_OP_WRITE_H
#define BENCH_TOOLS_IMPORT_OP_WRITE_H

#include "bench/tools/import/import.h"
#include "mesh/mesh.h"
#include "op_calls.h"

struct op_writing {
	const struct import_request *request;
	const char *machine;
	const char *assumptions; /* lines for the head of the scenario */
	struct mesh_shape shape; /* of the machine */
};

/* Appends the scenario. Appends to `notes` what the scenario leaves out. */
void op_report_write(const struct op_report *report, const struct op_calls *calls,
	const struct op_writing *writing, struct text *scenario, struct text *notes);

#endif
