/* Tables of the objects of an executor, such as buffers. The index of an object is the number that
 * the controller has given it. Numbers above THINGS_MAX are rejected. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "executor_private.h"

void *things_find(const struct things *things, uint64_t number)
{
	return number < things->count ? things->at[number] : NULL;
}

enum status things_put(struct things *things, uint64_t number, void *thing)
{
	if (number > THINGS_MAX)
		return STATUS_OUT_OF_RANGE;
	if (number >= things->count) {
		uint32_t count = (uint32_t)number + 1;

		if (count < 2 * things->count)
			count = 2 * things->count;
		things->at = allocate_more(things->at, count, sizeof *things->at);
		memset(things->at + things->count, 0, (count - things->count) * sizeof *things->at);
		things->count = count;
	}
	things->at[number] = thing;
	return STATUS_OK;
}
