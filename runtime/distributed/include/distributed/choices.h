/* Choices of a distributed device beside resolution.h: one row a variant. What each does stands
 * where it is looked at; here is what it says of itself. */
#ifndef DISTRIBUTED_CHOICES_H
#define DISTRIBUTED_CHOICES_H

#include "mesh/registry.h"

/* Where an executor puts the data of writes that come (spec 4.9). */
struct receive_ops {
	struct registry_entry entry;
	bool pinned; /* in memory that its devices read themselves */
};

/* Who allocates memory for the binaries of kernels (spec 4.8.2.1). Buffers are the controller's. */
struct allocation_ops {
	struct registry_entry entry;
	bool region; /* executors, in a region that the controller gives nothing out of */
	bool asks;   /* the controller, when executors ask; with neither, before it sends a program
		      */
	bool assembles; /* and the commands of launches */
};

/* Who compiles kernels (spec 4.9). */
struct compile_ops {
	struct registry_entry entry;
	bool by_controller, by_executors; /* neither: they were compiled before the program began */
};

/* Who reads data that are in storage, such as weights (spec 4.3.3). */
struct loading_ops {
	struct registry_entry entry;
	bool by_executors; /* each its own shards: distributed_load(); else the caller, who writes
			    * them */
};

/* By index; NULL behind the last. And by name; NULL: there is none. */
const struct receive_ops *receive_row(size_t index);
const struct receive_ops *receive_find(const char *name);
const struct loading_ops *loading_row(size_t index);
const struct loading_ops *loading_find(const char *name);
const struct allocation_ops *allocation_row(size_t index);
const struct allocation_ops *allocation_find(const char *name);
const struct compile_ops *compile_row(size_t index);
const struct compile_ops *compile_find(const char *name);

#endif
