/* Where ranges of the virtual mesh become the executors' own, and with that what is sent to all of
 * them and what to each (spec 4.8.1). One row a variant. */
#ifndef DISTRIBUTED_RESOLUTION_H
#define DISTRIBUTED_RESOLUTION_H

#include "mesh/registry.h"

struct resolution_ops {
	struct registry_entry entry;
	bool to_all;	 /* what is the same for all is sent to all at once */
	bool data_whole; /* writes go to all as they are, and each executor cuts its part out */
};

/* By index; NULL behind the last. And by name; NULL: there is none. */
const struct resolution_ops *resolution_row(size_t index);
const struct resolution_ops *resolution_find(const char *name);

/* Which stages of the controller have a thread of their own (spec 4.8). Where one has none, the one
 * before it does its work; where none has, the caller does. */
struct pipeline_ops {
	struct registry_entry entry;
	bool resolve, serialize, send;	 /* forward, behind the main thread */
	bool receive, deserialize, read; /* back; with `receive` false the others are, too */
};

const struct pipeline_ops *pipeline_row(size_t index);
const struct pipeline_ops *pipeline_find(const char *name);

#endif
