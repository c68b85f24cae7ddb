/* The window of host memory, and the threads that wait for words in it. */
#include "chip/machine/window.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "world/device.h"
#include "engine/engine.h"
#include "host/thread.h"

struct sim_window_waiter {
	struct host_waiter host;
	struct sim_window_waiter *next;
	uint64_t address;
	uint32_t value;
};

void sim_window_init(struct sim_window *window, uint64_t size)
{
	memset(window, 0, sizeof *window);
	window->size = size;
	/* address 0 is never reserved */
	space_init(&window->space, WINDOW_PAGE_BYTES,
		size > WINDOW_PAGE_BYTES ? size : WINDOW_PAGE_BYTES);
}

void sim_window_fini(struct sim_window *window)
{
	for (uint32_t i = 0; i < window->count; i++) {
		sparse_fini(&window->regions[i].memory);
		free(window->regions[i].name);
	}
	free(window->regions);
	space_fini(&window->space);
	sim_looks_fini(&window->looks);
	sim_window_init(window, window->size);
}

/* Returns the index of the first region that ends after `address`. */
static uint32_t region_at(const struct sim_window *window, uint64_t address)
{
	uint32_t low = 0, high = window->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct sim_region *region = &window->regions[middle];

		if (region->address + region->bytes > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

enum status sim_window_reserve(
	struct sim_window *window, const char *name, uint64_t bytes, uint64_t *address)
{
	uint64_t rounded = window_pages(bytes);
	struct sim_region *region;
	uint32_t index;

	if (rounded < bytes || !space_take(&window->space, rounded, address))
		return STATUS_NO_MEMORY;
	if (window->count == window->capacity) {
		window->capacity = window->capacity == 0 ? 16 : 2 * window->capacity;
		window->regions =
			allocate_more(window->regions, window->capacity, sizeof *window->regions);
	}
	index = region_at(window, *address);
	region = &window->regions[index];
	memmove(region + 1, region, (window->count++ - index) * sizeof *region);
	region->name = allocate_text(name);
	region->address = *address;
	region->bytes = rounded;
	sparse_init(&region->memory, rounded);
	return STATUS_OK;
}

void sim_window_release(struct sim_window *window, uint64_t address, uint64_t bytes)
{
	uint32_t index = region_at(window, address);
	struct sim_region *region = &window->regions[index];

	ensure(index < window->count && region->address == address &&
			region->bytes == window_pages(bytes),
		"%llu B at 0x%llx of the host window are no reservation", (unsigned long long)bytes,
		(unsigned long long)address);
	sparse_fini(&region->memory);
	free(region->name);
	memmove(region, region + 1, (--window->count - index) * sizeof *region);
	space_give(&window->space, address, window_pages(bytes));
}

static bool region_has(const struct sim_region *region, uint64_t address)
{
	return address >= region->address && address - region->address < region->bytes;
}

struct sparse *sim_window_memory(
	struct sim_window *window, uint64_t address, uint32_t length, uint64_t *offset)
{
	struct sim_region *region;

	if (window->hint >= window->count || !region_has(&window->regions[window->hint], address)) {
		uint32_t index = region_at(window, address);

		ensure(index < window->count && region_has(&window->regions[index], address),
			"0x%llx of the host window is not reserved", (unsigned long long)address);
		window->hint = index;
	}
	region = &window->regions[window->hint];
	*offset = address - region->address;
	ensure(length <= region->bytes - *offset,
		"%u B at 0x%llx of the host window leave '%s' (%llu B at 0x%llx)", length,
		(unsigned long long)address, region->name, (unsigned long long)region->bytes,
		(unsigned long long)region->address);
	return &region->memory;
}

enum status sim_window_read(struct sim_window *window, uint64_t address, uint32_t length, void *out)
{
	uint64_t offset;
	struct sparse *memory = sim_window_memory(window, address, length, &offset);

	return sparse_read(memory, offset, length, out);
}

uint32_t sim_window_word(struct sim_window *window, uint64_t address)
{
	uint32_t value;

	ensure(address % 4 == 0, "word of the host window at 0x%llx", (unsigned long long)address);
	ensure(sim_window_read(window, address, sizeof value, &value) == STATUS_OK,
		"the word at 0x%llx of the host window is elided", (unsigned long long)address);
	return value;
}

/* ---- waiting ---- */

static struct sim_window_waiter **list_of(struct sim_window *window, uint64_t address)
{
	return &window->waiters[(address >> 2) % WINDOW_LISTS];
}

static bool reached(struct sim_window *window, uint64_t address, uint32_t value)
{
	return (int32_t)(sim_window_word(window, address) - value) >= 0;
}

static void wake_list(
	struct sim_window *window, struct sim_window_waiter *waiter, uint64_t address, uint64_t end)
{
	for (; waiter != NULL; waiter = waiter->next)
		if (waiter->address >= address && waiter->address < end &&
			reached(window, waiter->address, waiter->value))
			host_thread_wake(&waiter->host);
}

static void tell(struct sim_window *window, uint64_t address, uint64_t end)
{
	for (uint32_t i = 0; i < SIM_LOOKS; i++) {
		const struct sim_look *look = &window->looks.at[i];

		if (look->used && look->address >= address && look->address < end)
			sim_looks_tell(&window->looks, look->address,
				sim_window_word(window, look->address));
	}
}

/* Called after [address, end) was written. Wakes the threads that wait for words in this range. In
 * a short range, looks up the waiters of each word. For a long range, goes through all waiters. */
static void window_wake(struct sim_window *window, uint64_t address, uint64_t end)
{
	uint64_t first = address / 4 * 4;

	if (window->looks.count > 0)
		tell(window, first, end);
	if (window->waiting == 0)
		return;
	if (end - first > 4 * WINDOW_LISTS)
		for (uint32_t i = 0; i < WINDOW_LISTS; i++)
			wake_list(window, window->waiters[i], first, end);
	else
		for (uint64_t at = first; at < end; at += 4)
			wake_list(window, *list_of(window, at), at, at + 4);
}

void sim_window_write(struct sim_window *window, uint64_t address, struct span span)
{
	uint64_t offset;
	struct sparse *memory = sim_window_memory(window, address, span.length, &offset);

	sparse_write(memory, offset, span);
	window_wake(window, address, address + span.length);
}

void sim_window_set_word(struct sim_window *window, uint64_t address, uint32_t value)
{
	uint64_t offset;
	struct sparse *memory = sim_window_memory(window, address, sizeof value, &offset);

	ensure(address % 4 == 0, "word of the host window at 0x%llx", (unsigned long long)address);
	sparse_store(memory, offset, &value, sizeof value);
	window_wake(window, address, address + sizeof value);
}

enum status sim_window_wait(struct sim_window *window, uint64_t address, uint32_t value,
	int64_t deadline_ns, enum wait_mode mode, const char *what)
{
	struct sim_window_waiter self = {.address = address, .value = value};
	struct sim_window_waiter **list = list_of(window, address), **place;
	bool looks = deadline_ns <= world->now_ns();
	enum status status = STATUS_OK;

	for (;;) {
		world->work(WORK_POLL, 1);
		world->settle();
		if (reached(window, address, value)) {
			sim_looks_find(&window->looks, address, value);
			return STATUS_OK;
		}
		if (looks)
			sim_looks_fail(&window->looks, address, value);
		if (looks || status != STATUS_OK)
			return STATUS_TIMEOUT;
		for (place = list; *place != NULL; place = &(*place)->next)
			;
		self.next = NULL;
		*place = &self;
		window->waiting++;
		status = host_thread_wait(&self.host, deadline_ns, mode, what);
		for (place = list; *place != &self; place = &(*place)->next)
			;
		*place = self.next;
		window->waiting--;
	}
}
