/* Where data come from that a host reads by itself, such as weights from its file store (spec
 * 4.3.3): given by whoever opens a controller or runs an executor. */
#ifndef DISTRIBUTED_LOADER_H
#define DISTRIBUTED_LOADER_H

#include <stdint.h>

#include "base/status.h"
#include "base/text.h"

struct shard_loader {
	void *context;

	/* Fills `data` with [offset, offset + bytes) of what is called `name`; what that costs is
	 * charged by the caller. OK or what went wrong, with a sentence in `why`. NULL: this host
	 * reads nothing. */
	enum status (*load)(void *context, const char *name, uint64_t offset, uint64_t bytes,
		void *data, struct text *why);
};

#endif
