/* The part of host memory that devices may access, called the window. It consists of reservations,
 * each with a sparse memory. Host threads can wait until a word of the window changes. A write
 * takes effect at the time at which the function is called. */
#ifndef CHIP_WINDOW_H
#define CHIP_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "world/space.h"
#include "base/sparse.h"
#include "base/status.h"
#include "world/world.h"
#include "cause/cause.h"

/* Failed polls of words in the host window. They are kept only while causes are recorded
 * (cause/cause.h). A thread may sleep or do other work between two polls, so the model does not
 * know that the thread waits for the word. If one poll of a word fails and the next one succeeds,
 * the write between them is the reason why the thread continues. Only the last SIM_LOOKS words for
 * which a poll failed are kept. */

enum { SIM_LOOKS = 8 };

struct sim_look {
	bool used;
	uint32_t value; /* value for which the thread polls */
	uint64_t address;
	cause_id cause; /* cause of the write of this value (owned); NONE: not written */
};

/* The words for which the last poll failed. All zeros: there are none. */
struct sim_looks {
	struct sim_look at[SIM_LOOKS];
	uint32_t count, turn;
};

void sim_looks_fini(struct sim_looks *looks);

/* Call when a poll has found that the word at `address` has not reached `value` yet. */
void sim_looks_fail(struct sim_looks *looks, uint64_t address, uint32_t value);

/* Call when the word at `address` has become `value`. */
void sim_looks_tell(struct sim_looks *looks, uint64_t address, uint32_t value);

/* Called when a poll has found that the word at `address` has reached `value`. If an earlier poll
 * of this word failed, the thread has waited for the write of `value`. This write then becomes the
 * current cause, because the next work of the thread is an effect of it. */
void sim_looks_find(struct sim_looks *looks, uint64_t address, uint32_t value);

struct sim_region {
	char *name;
	uint64_t address, bytes;
	struct sparse memory;
};

struct sim_window_waiter;

enum { WINDOW_LISTS = 256 };

struct sim_window {
	uint64_t size;
	struct space space;
	struct sim_region *regions; /* sorted by address */
	uint32_t count, capacity, hint;
	struct sim_window_waiter *waiters[WINDOW_LISTS];
	uint32_t waiting;
	struct sim_looks looks;
};

void sim_window_init(struct sim_window *window, uint64_t size);
void sim_window_fini(struct sim_window *window);

/* See device.h for these functions. */
enum status sim_window_reserve(
	struct sim_window *window, const char *name, uint64_t bytes, uint64_t *address);
void sim_window_release(struct sim_window *window, uint64_t address, uint64_t bytes);
enum status sim_window_read(
	struct sim_window *window, uint64_t address, uint32_t length, void *out);
uint32_t sim_window_word(struct sim_window *window, uint64_t address);
enum status sim_window_wait(struct sim_window *window, uint64_t address, uint32_t value,
	int64_t deadline_ns, enum wait_mode mode, const char *what);

/* These functions store the data at once, and wake the threads that wait for words in the range. */
void sim_window_write(struct sim_window *window, uint64_t address, struct span span);
void sim_window_set_word(struct sim_window *window, uint64_t address, uint32_t value);

/* Returns the sparse memory that holds [address, address + length), which must lie in one
 * reservation. Sets *offset to the offset of `address` in this memory. */
struct sparse *sim_window_memory(
	struct sim_window *window, uint64_t address, uint32_t length, uint64_t *offset);

#endif
