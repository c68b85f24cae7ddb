/* The choices of a distributed device. Each choice has one row for each variant. A row holds a
 * description and flags, which the code that implements the choice checks. */
#ifndef DISTRIBUTED_CHOICES_H
#define DISTRIBUTED_CHOICES_H

#include <stdint.h>

#include "mesh/registry.h"
#include "base/status.h"
#include "base/text.h"

/* Where an executor stores the data of incoming writes (spec 4.9). */
struct receive_ops {
	struct registry_entry entry;
	bool pinned; /* in memory that its devices read themselves */
};

/* How memory is allocated for the binaries of kernels (spec 4.8.2.1). The controller always
 * allocates buffers. */
struct allocation_ops {
	struct registry_entry entry;
	bool region; /* the executors allocate, in a region that the controller does not use */
	bool asks;   /* the controller allocates when executors ask. If neither `region` nor `asks`
		      * is set, it allocates before it sends a program */
	bool assembles; /* the controller also assembles the commands of launches */
};

/* Who compiles kernels (spec 4.9). */
struct compile_ops {
	struct registry_entry entry;
	bool by_controller, by_executors; /* if neither is set, kernels were compiled before the
					   * program started */
};

/* Which side reads data from storage, such as weights (spec 4.3.3). */
struct loading_ops {
	struct registry_entry entry;
	bool by_executors; /* each executor reads its own shards, see distributed_load(); otherwise
			    * the caller reads and writes all shards */
};

/* The place where ranges of the virtual mesh are converted to ranges of the executors (spec 4.8.1).
 * It decides which messages go to all executors and which go to a single one. There is one row for
 * each variant. */
struct resolution_ops {
	struct registry_entry entry;
	bool to_all;	 /* commands that are the same for all are sent to all at once */
	bool data_whole; /* writes go to all unchanged, and each executor cuts out its part */
};

/* Tells which stages of the controller have a thread of their own (spec 4.8). The work of a stage
 * without a thread is done by the thread of the stage before it. If no stage has a thread, the
 * caller does everything. */
struct pipeline_ops {
	struct registry_entry entry;
	bool resolve, serialize, send;	 /* to the executors, after the main thread */
	bool receive, deserialize, read; /* these handle messages from the executors; if `receive`
					  * is false, the other two are false too */
};

REGISTRY_DECLARE(receive)
REGISTRY_DECLARE(loading)
REGISTRY_DECLARE(allocation)
REGISTRY_DECLARE(compile)
REGISTRY_DECLARE(resolution)
REGISTRY_DECLARE(pipeline)

/* A source from which a host reads data by itself, such as weights from its file store (spec
 * 4.3.3). The program that opens a controller or runs an executor provides it. */
struct shard_loader {
	void *context;

	/* Fills `data` with the bytes [offset, offset + bytes) of the data called `name`. The
	 * caller charges the cost. Returns OK, or an error with a sentence in `why`. The pointer is
	 * NULL if this host does not load. */
	enum status (*load)(void *context, const char *name, uint64_t offset, uint64_t bytes,
		void *data, struct text *why);
};

#endif
