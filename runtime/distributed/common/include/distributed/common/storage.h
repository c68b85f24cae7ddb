/* What reading from storage costs, such as weights from a file (spec 4.3.3). Reads nothing. */
#ifndef DISTRIBUTED_COMMON_STORAGE_H
#define DISTRIBUTED_COMMON_STORAGE_H

#include "world/world.h"

/* Charges a read of bytes that follow each other. */
static inline void storage_charge(uint64_t bytes)
{
	world->work(WORK_STORAGE_READ, 1);
	world->work(WORK_STORAGE_KIB, (bytes + 1023) / 1024);
}

#endif
