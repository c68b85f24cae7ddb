/* The window of host memory, which is one mapping. Also wakes the threads that wait for words in
 * the window. Callers may use only addresses that were reserved. */
#include "native_chip.h"

#include "base/ensure.h"
#include "world/device.h"
#include "native_wait.h"

#include <string.h>
#include <sys/mman.h>

/* Maximum size of the window's address range. Memory is allocated at the first access. */
#define WINDOW_BYTES_MAX ((uint64_t)64 << 30)
#define WINDOW_BYTES_MIN ((uint64_t)256 << 20)

/* Maximum bytes of a load by the host during which a device may be writing the words. */
enum { LOOK_BYTES = 64 };

struct window_waiter {
	struct window_waiter *next;
	uint64_t address;
	uint32_t value;
	pthread_cond_t cond;
};

static void mark_elided(struct window *window, uint64_t address, struct span span);

enum status native_window_open(struct window *window)
{
	void *bytes = MAP_FAILED;

	memset(window, 0, sizeof *window);
	for (window->size = WINDOW_BYTES_MAX; window->size >= WINDOW_BYTES_MIN; window->size /= 2) {
		bytes = mmap(NULL, window->size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (bytes != MAP_FAILED)
			break;
	}
	if (bytes == MAP_FAILED)
		return STATUS_NO_MEMORY;
	/* if the address space is limited, leave half of it for other windows and for threads */
	if (window->size < WINDOW_BYTES_MAX && window->size > WINDOW_BYTES_MIN) {
		window->size /= 2;
		munmap((uint8_t *)bytes + window->size, window->size);
	}
	window->bytes = bytes;
	window->used = WINDOW_PAGE_BYTES; /* address 0 is never allocated */
	space_init(&window->space, window->used, window->size);
	pthread_mutex_init(&window->lock, NULL);
	sparse_init(&window->elided, window->size);
	return STATUS_OK;
}

void native_window_close(struct window *window)
{
	ensure(window->waiters == NULL, "window closed while a thread waits");
	sparse_fini(&window->elided);
	space_fini(&window->space);
	pthread_mutex_destroy(&window->lock);
	munmap(window->bytes, window->size);
}

enum status native_window_reserve(struct window *window, uint64_t bytes, uint64_t *address)
{
	enum status status = STATUS_NO_MEMORY;

	pthread_mutex_lock(&window->lock);
	if (bytes <= window->size && space_take(&window->space, window_pages(bytes), address)) {
		if (window->space.top > window->used)
			__atomic_store_n(&window->used, window->space.top, __ATOMIC_RELAXED);
		status = STATUS_OK;
	}
	pthread_mutex_unlock(&window->lock);
	return status;
}

void native_window_release(struct window *window, uint64_t address, uint64_t bytes)
{
	const uint32_t most = UINT32_C(1) << 30;

	/* released pages must read as zeros and contain no elided bytes */
	bytes = window_pages(bytes);
	madvise(window->bytes + address, bytes, MADV_DONTNEED);
	for (uint64_t at = 0; at < bytes; at += most)
		mark_elided(window, address + at,
			(struct span){.length = bytes - at < most ? (uint32_t)(bytes - at) : most});
	pthread_mutex_lock(&window->lock);
	space_give(&window->space, address, bytes);
	pthread_mutex_unlock(&window->lock);
}

static uint8_t *window_at(struct window *window, uint64_t address, uint64_t length)
{
	uint64_t used = __atomic_load_n(&window->used, __ATOMIC_RELAXED);

	ensure(address >= WINDOW_PAGE_BYTES && address <= used && length <= used - address,
		"%llu B at 0x%llx of the host window, reserved up to 0x%llx",
		(unsigned long long)length, (unsigned long long)address, (unsigned long long)used);
	return window->bytes + address;
}

uint8_t *native_window_bytes(struct window *window, uint64_t address, uint64_t bytes)
{
	return window_at(window, address, bytes);
}

static uint32_t *window_word_at(struct window *window, uint64_t address)
{
	ensure(address % 4 == 0, "word of the host window at 0x%llx", (unsigned long long)address);
	return (uint32_t *)(void *)window_at(window, address, 4);
}

/* ---- copies: one word at a time where the window is aligned ---- */

static void store_words(uint8_t *to, const uint8_t *from, uint32_t length)
{
	uint32_t i = 0, value;

	for (; i < length && (uintptr_t)(to + i) % 4 != 0; i++)
		__atomic_store_n(to + i, from[i], __ATOMIC_RELEASE);
	for (; i + 4 <= length; i += 4) {
		memcpy(&value, from + i, 4);
		__atomic_store_n((uint32_t *)(void *)(to + i), value, __ATOMIC_RELEASE);
	}
	for (; i < length; i++)
		__atomic_store_n(to + i, from[i], __ATOMIC_RELEASE);
}

static void load_words(uint8_t *to, const uint8_t *from, uint32_t length)
{
	uint32_t i = 0, value;

	for (; i < length && (uintptr_t)(from + i) % 4 != 0; i++)
		to[i] = __atomic_load_n(from + i, __ATOMIC_ACQUIRE);
	for (; i + 4 <= length; i += 4) {
		value = __atomic_load_n(
			(const uint32_t *)(const void *)(from + i), __ATOMIC_ACQUIRE);
		memcpy(to + i, &value, 4);
	}
	for (; i < length; i++)
		to[i] = __atomic_load_n(from + i, __ATOMIC_ACQUIRE);
}

/* ---- elided ranges ---- */

/* Marks the range as elided or as real. A real range is a hole in window->elided. */
static void mark_elided(struct window *window, uint64_t address, struct span span)
{
	bool elided = span.extent != NULL && span.extent->elided;

	if (!elided && !__atomic_load_n(&window->any_elided, __ATOMIC_ACQUIRE))
		return;
	if (!elided)
		span.extent = NULL;
	pthread_mutex_lock(&window->lock);
	sparse_write(&window->elided, address, span);
	__atomic_store_n(&window->any_elided, true, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&window->lock);
}

/* Returns the length of the longest run from `address` on, at most `length`, whose bytes are all
 * elided or all real. Sets *elided to true if they are elided. */
static uint32_t elided_run(struct window *window, uint64_t address, uint32_t length, bool *elided)
{
	struct span piece;

	*elided = false;
	if (length == 0 || !__atomic_load_n(&window->any_elided, __ATOMIC_ACQUIRE))
		return length;
	pthread_mutex_lock(&window->lock);
	piece = sparse_view_piece(&window->elided, address, length);
	pthread_mutex_unlock(&window->lock);
	*elided = piece.extent != NULL;
	span_release(piece);
	return piece.length;
}

/* ---- host ---- */

void native_window_write(struct window *window, uint64_t address, struct span span)
{
	uint8_t *to = window_at(window, address, span.length);

	mark_elided(window, address, span);
	if (span.extent == NULL)
		memset(to, 0, span.length);
	else if (!span.extent->elided)
		memcpy(to, span.extent->bytes + span.offset, span.length);
}

enum status native_window_read(struct window *window, uint64_t address, uint32_t length, void *out)
{
	const uint8_t *from = window_at(window, address, length);
	bool elided;

	if (elided_run(window, address, length, &elided) < length || elided)
		return STATUS_ELIDED;
	if (length <= LOOK_BYTES)
		load_words(out, from, length);
	else
		memcpy(out, from, length);
	return STATUS_OK;
}

uint32_t native_window_word(struct window *window, uint64_t address)
{
	return __atomic_load_n(window_word_at(window, address), __ATOMIC_ACQUIRE);
}

/* ---- waiting ---- */

static bool word_reached(struct window *window, uint64_t address, uint32_t value)
{
	return (int32_t)(native_window_word(window, address) - value) >= 0;
}

/* Wakes the threads that wait for a word in [address, address + length), which the caller has
 * stored. No wake-up is lost: a thread that parks first increments waiter_count, and then reads its
 * word. Here, the word was stored first, and then waiter_count is read (with a read-modify-write).
 * So either the thread sees the new word, or this function sees the thread. */
static void wake_waiters(struct window *window, uint64_t address, uint64_t length)
{
	if (__atomic_fetch_add(&window->waiter_count, 0, __ATOMIC_SEQ_CST) == 0)
		return;
	pthread_mutex_lock(&window->lock);
	for (struct window_waiter *waiter = window->waiters; waiter; waiter = waiter->next) {
		if (waiter->address - address < length &&
			word_reached(window, waiter->address, waiter->value))
			pthread_cond_signal(&waiter->cond);
	}
	pthread_mutex_unlock(&window->lock);
}

static enum status wait_parked(
	struct window *window, uint64_t address, uint32_t value, int64_t deadline_ns)
{
	struct window_waiter self = {.address = address, .value = value};
	struct window_waiter **place = &window->waiters;
	bool reached;

	native_cond_init(&self.cond);
	pthread_mutex_lock(&window->lock);
	self.next = window->waiters;
	window->waiters = &self;
	__atomic_fetch_add(&window->waiter_count, 1, __ATOMIC_SEQ_CST);
	for (;;) {
		world->work(WORK_POLL, 1);
		reached = word_reached(window, address, value);
		if (reached || native_now_ns() >= deadline_ns)
			break;
		native_cond_wait(&self.cond, &window->lock, deadline_ns);
	}
	while (*place != &self)
		place = &(*place)->next;
	*place = self.next;
	__atomic_fetch_sub(&window->waiter_count, 1, __ATOMIC_SEQ_CST);
	pthread_mutex_unlock(&window->lock);
	pthread_cond_destroy(&self.cond);
	return reached ? STATUS_OK : STATUS_TIMEOUT;
}

enum status native_window_wait(struct window *window, uint64_t address, uint32_t value,
	int64_t deadline_ns, enum wait_mode mode)
{
	int64_t spin_until_ns = deadline_ns;
	int64_t now_ns = native_now_ns();

	if (mode == WAIT_SPIN_THEN_PARK && deadline_ns > now_ns &&
		deadline_ns - now_ns > native_spin_ns())
		spin_until_ns = now_ns + native_spin_ns();
	for (uint32_t looks = 0; mode != WAIT_PARK; looks++) {
		world->work(WORK_POLL, 1);
		if (word_reached(window, address, value))
			return STATUS_OK;
		if (native_now_ns() >= spin_until_ns)
			break;
		native_spin_pause(mode, looks);
	}
	if (mode == WAIT_SPIN || mode == WAIT_YIELD)
		return STATUS_TIMEOUT;
	return wait_parked(window, address, value, deadline_ns);
}

/* ---- device ---- */

void native_window_store(struct window *window, uint64_t address, struct span span)
{
	uint8_t *to = window_at(window, address, span.length);
	uint8_t zeros[LOOK_BYTES] = {0};

	mark_elided(window, address, span);
	if (span.extent == NULL) {
		for (uint32_t i = 0; i < span.length; i += LOOK_BYTES)
			store_words(to + i, zeros,
				span.length - i < LOOK_BYTES ? span.length - i : LOOK_BYTES);
	} else if (!span.extent->elided) {
		store_words(to, span.extent->bytes + span.offset, span.length);
	}
	wake_waiters(window, address, span.length);
}

void native_window_store_word(struct window *window, uint64_t address, uint32_t value)
{
	uint32_t *word = window_word_at(window, address);
	struct span real = {.length = sizeof value};

	mark_elided(window, address, real);
	__atomic_store_n(word, value, __ATOMIC_RELEASE);
	wake_waiters(window, address, sizeof value);
}

struct span native_window_view(struct window *window, uint64_t address, uint32_t length)
{
	const uint8_t *from = window_at(window, address, length);
	struct extent *extent;
	bool elided;

	length = elided_run(window, address, length, &elided);
	if (elided)
		return span_of(extent_new_elided(length));
	extent = extent_new(length);
	load_words(extent->bytes, from, length);
	return span_of(extent);
}
