/* A source of data that a host reads by itself, such as weights from its file store (spec 4.3.3).
 * Provided by the program that opens a controller or runs an executor. */
#ifndef DISTRIBUTED_LOADER_H
#define DISTRIBUTED_LOADER_H

#include <stdint.h>

#include "base/status.h"
#include "base/text.h"

struct shard_loader {
	void *context;

	/* Fills `data` with [offset, offset + bytes) of the data called `name`; the caller charges
	 * the cost. OK or an error, with a sentence in `why`. NULL: this host does not load. */
	enum status (*load)(void *context, const char *name, uint64_t offset, uint64_t bytes,
		void *data, struct text *why);
};

#endif
