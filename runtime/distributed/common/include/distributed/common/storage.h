/* The cost of reading from storage, such as weights from a file (spec 4.3.3). */
#ifndef DISTRIBUTED_COMMON_STORAGE_H
#define DISTRIBUTED_COMMON_STORAGE_H

#include "world/world.h"

/* Charges one read of consecutive bytes. */
static inline void storage_charge(uint64_t bytes)
{
	world->work(WORK_STORAGE_READ, 1);
	world->work(WORK_STORAGE_KIB, (bytes + 1023) / 1024);
}

#endif
