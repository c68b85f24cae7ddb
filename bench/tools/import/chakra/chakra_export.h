/* Converts the steps of a scenario to a Chakra trace. Only for files of this folder and of the
 * folder above. */
#ifndef CHAKRA_EXPORT_H
#define CHAKRA_EXPORT_H

#include "bench/scenario/load.h"
#include "bench/tools/import/chakra.h"

/* Values of `keys` of struct chakra_node that mark nodes which only meshsim understands. */
#define CHAKRA_KEYS_FINISH "finish" /* metadata: the host waits for all ranks */
#define CHAKRA_KEYS_STEP   "step"   /* metadata: messages before and after belong to two steps */
#define CHAKRA_KEYS_UNTIL  "until"  /* metadata: the host waits until a time, tensor_size in ns */
#define CHAKRA_KEYS_BUSY   "busy"   /* compute: busy time in a list of messages */

/* Makes a trace with a rank for each device of the run's mesh, in `arena`. Appends lines about the
 * trace to `notes`, also about what it leaves out. Returns NULL after errors, which are in `diag`.
 */
struct chakra_trace *chakra_export_make(
	const struct run_plan *plan, struct arena *arena, struct diag *diag, struct text *notes);

#endif
