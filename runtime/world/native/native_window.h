/* The window of host memory that emulated devices may access. Private to the native rows. It is
 * flat, so that the host's copies cost real time. Devices store and load it word by word,
 * atomically and in address order, so a host thread may look at any word. */
#ifndef WORLD_NATIVE_NATIVE_WINDOW_H
#define WORLD_NATIVE_NATIVE_WINDOW_H

#include "world/space.h"
#include "base/sparse.h"
#include "world/world.h"

#include <pthread.h>

struct window_waiter;

struct window {
	uint8_t *bytes; /* of address 0 */
	uint64_t size;
	uint64_t used; /* atomic: end of the highest range ever reserved */
	pthread_mutex_t lock;
	struct space space;	       /* reserved ranges; under the lock */
	struct window_waiter *waiters; /* parked threads; under the lock */
	uint32_t waiter_count;	       /* atomic */
	bool any_elided;	       /* atomic; once true it stays */
	struct sparse elided;	       /* marks the elided ranges; under the lock */
};

/* NO_MEMORY if the addresses are not available. */
enum status native_window_open(struct window *window);
void native_window_close(struct window *window);

enum status native_window_reserve(struct window *window, uint64_t bytes, uint64_t *address);

/* Releases a reserved range. */
void native_window_release(struct window *window, uint64_t address, uint64_t bytes);

/* ---- host ---- */
uint8_t *native_window_bytes(struct window *window, uint64_t address, uint64_t bytes);
void native_window_write(struct window *window, uint64_t address, struct span span);
enum status native_window_read(struct window *window, uint64_t address, uint32_t length, void *out);
uint32_t native_window_word(struct window *window, uint64_t address);
enum status native_window_wait(struct window *window, uint64_t address, uint32_t value,
	int64_t deadline_ns, enum wait_mode mode);

/* ---- device ---- */
void native_window_store(struct window *window, uint64_t address, struct span span);

/* For either side: stores a word and wakes the threads that wait for it. */
void native_window_store_word(struct window *window, uint64_t address, uint32_t value);

/* The bytes from `address` on, either all elided or all real: at most `length`, at least one. The
 * caller releases the span. */
struct span native_window_view(struct window *window, uint64_t address, uint32_t length);

#endif
