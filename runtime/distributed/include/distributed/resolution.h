/* Where ranges of the virtual mesh are converted to those of the executors, and therefore what is
 * sent to all executors and what to each (spec 4.8.1). One row for each variant. */
#ifndef DISTRIBUTED_RESOLUTION_H
#define DISTRIBUTED_RESOLUTION_H

#include "mesh/registry.h"

struct resolution_ops {
	struct registry_entry entry;
	bool to_all;	 /* commands that are the same for all are sent to all at once */
	bool data_whole; /* writes go to all unchanged, and each executor cuts out its part */
};

/* The row with this index; NULL after the last. The row with this name; NULL: there is none. */
const struct resolution_ops *resolution_row(size_t index);
const struct resolution_ops *resolution_find(const char *name);

/* Which stages of the controller have a thread of their own (spec 4.8). Otherwise the previous
 * stage does their work; if no stage has a thread, the caller does everything. */
struct pipeline_ops {
	struct registry_entry entry;
	bool resolve, serialize, send;	 /* to the executors, after the main thread */
	bool receive, deserialize, read; /* from the executors; if `receive` is false, the others
					  * are too */
};

const struct pipeline_ops *pipeline_row(size_t index);
const struct pipeline_ops *pipeline_find(const char *name);

#endif
