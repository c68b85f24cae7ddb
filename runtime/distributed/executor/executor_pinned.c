/* Pinned memory for incoming data (spec 4.9). If a write finds no free pinned memory, new pinned
 * memory is allocated, and is kept for later writes. If the host window is full, the caller uses
 * ordinary memory and copies the data. */
#include <stdlib.h>

#include "base/allocate.h"
#include "executor_private.h"

enum { PAGE_BYTES = 4096 };

static struct pinned *take_kept(struct served *served, uint64_t bytes)
{
	for (struct pinned **link = &served->kept; *link != NULL; link = &(*link)->next) {
		struct pinned *found = *link;

		if (found->bytes < bytes)
			continue;
		*link = found->next;
		return found;
	}
	return NULL;
}

static enum status executor_pinned_reserve(
	struct served *served, uint64_t bytes, struct pinned *made)
{
	enum status status = host_memory_new(served->mesh, bytes, NULL, &made->memory);

	if (status == STATUS_OK || served->kept == NULL)
		return status;
	pinned_drop(served);
	return host_memory_new(served->mesh, bytes, NULL, &made->memory);
}

struct pinned *pinned_take(struct served *served, uint64_t bytes)
{
	uint64_t pages = (bytes + PAGE_BYTES - 1) / PAGE_BYTES;
	struct pinned *made = take_kept(served, bytes);

	if (made != NULL)
		return made;
	made = allocate(1, sizeof *made);
	made->bytes = pages * PAGE_BYTES;
	if (executor_pinned_reserve(served, made->bytes, made) != STATUS_OK) {
		free(made);
		return NULL;
	}
	world->work(WORK_PIN_PAGE, pages);
	return made;
}

void pinned_keep(struct served *served, struct pinned *pinned)
{
	if (pinned == NULL)
		return;
	pinned->next = served->kept;
	served->kept = pinned;
}

void pinned_drop(struct served *served)
{
	while (served->kept != NULL) {
		struct pinned *first = served->kept;

		served->kept = first->next;
		host_memory_free(first->memory);
		free(first);
	}
}
