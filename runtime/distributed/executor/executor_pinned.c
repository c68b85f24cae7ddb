/* Pinned memory for incoming data (spec 4.9). If a write finds no free pinned memory, new pinned
 * memory is allocated, and is kept for later writes. If the host window is full, the caller uses
 * ordinary memory and copies the data. */
#include <stdlib.h>

#include "base/allocate.h"
#include "executor_private.h"

enum { PAGE_BYTES = 4096 };

static struct pinned *take_kept(struct executor *executor, uint64_t bytes)
{
	for (struct pinned **link = &executor->kept; *link != NULL; link = &(*link)->next) {
		struct pinned *found = *link;

		if (found->bytes < bytes)
			continue;
		*link = found->next;
		return found;
	}
	return NULL;
}

static enum status executor_pinned_reserve(
	struct executor *executor, uint64_t bytes, struct pinned *made)
{
	enum status status = host_memory_new(executor->mesh, bytes, NULL, &made->memory);

	if (status == STATUS_OK || executor->kept == NULL)
		return status;
	pinned_drop(executor);
	return host_memory_new(executor->mesh, bytes, NULL, &made->memory);
}

struct pinned *pinned_take(struct executor *executor, uint64_t bytes)
{
	uint64_t pages = (bytes + PAGE_BYTES - 1) / PAGE_BYTES;
	struct pinned *made = take_kept(executor, bytes);

	if (made != NULL)
		return made;
	made = allocate(1, sizeof *made);
	made->bytes = pages * PAGE_BYTES;
	if (executor_pinned_reserve(executor, made->bytes, made) != STATUS_OK) {
		free(made);
		return NULL;
	}
	world->work(WORK_PIN_PAGE, pages);
	return made;
}

void pinned_keep(struct executor *executor, struct pinned *pinned)
{
	if (pinned == NULL)
		return;
	pinned->next = executor->kept;
	executor->kept = pinned;
}

void pinned_drop(struct executor *executor)
{
	while (executor->kept != NULL) {
		struct pinned *first = executor->kept;

		executor->kept = first->next;
		host_memory_free(first->memory);
		free(first);
	}
}
