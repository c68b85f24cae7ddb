/* Converts the steps of a scenario to a Chakra trace. Only for files of this folder. */
#ifndef CHAKRA_EXPORT_H
#define CHAKRA_EXPORT_H

#include "bench/scenario/load.h"
#include "bench/tools/import/chakra.h"

/* Keys of nodes that only meshsim understands (struct chakra_node). */
#define CHAKRA_KEYS_FINISH "finish" /* metadata: the host waits for all ranks */
#define CHAKRA_KEYS_STEP   "step"   /* metadata: what follows is a step of its own */
#define CHAKRA_KEYS_UNTIL  "until"  /* metadata: the host waits until tensor_size, in ns */
#define CHAKRA_KEYS_BUSY   "busy"   /* compute: part of the messages around it */

/* Makes a trace with a rank for each device of the run's mesh, in `arena`. Appends to `notes` what
 * a trace cannot have. Returns NULL with errors in `diag`. */
struct chakra_trace *chakra_export_make(
	const struct run_plan *plan, struct arena *arena, struct diag *diag, struct text *notes);

#endif
