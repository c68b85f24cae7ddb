/* Queues and semaphores, which are built on world.h, behave the same in every world. */
#include "check.h"
#include "row.h"
#include "world/queue.h"

#define LATE_MAX (10000 * (int64_t)MS) /* natively other processes may use the cores */

enum { MS = 1000000 };

static const struct affinity anywhere = {.host = 0, .core = -1};

static void *item_of(uintptr_t number)
{
	return (void *)number;
}

static void pause_ms(int64_t ms)
{
	world->sleep_until(world->now_ns() + ms * MS);
}

/* ---- queue ---- */

static void queue_is_first_in_first_out(struct cluster *cluster)
{
	struct queue *queue = queue_new("items", 5);
	void *item;

	(void)cluster;
	check_status(queue_pop(queue, &item, 0, WAIT_PARK), STATUS_TIMEOUT);
	for (uintptr_t round = 0; round < 3; round++) {
		for (uintptr_t i = 1; i <= 4; i++)
			check_status(queue_push(queue, item_of(10 * round + i), 0, WAIT_PARK),
				STATUS_OK);
		for (uintptr_t i = 1; i <= 4; i++) {
			check_status(queue_pop(queue, &item, 0, WAIT_PARK), STATUS_OK);
			check_equal((uintptr_t)item, 10 * round + i);
		}
	}
	queue_free(queue);
	queue_free(NULL);
}

static void queue_times_out(struct cluster *cluster)
{
	struct queue *queue = queue_new("items", 1);
	int64_t deadline_ns = world->now_ns() + 5 * MS;
	void *item;

	(void)cluster;
	check_status(queue_pop(queue, &item, deadline_ns, WAIT_PARK), STATUS_TIMEOUT);
	check_at_most(deadline_ns, world->now_ns());
	check_status(queue_push(queue, item_of(1), 0, WAIT_PARK), STATUS_OK);
	deadline_ns = world->now_ns() + 5 * MS;
	check_status(queue_push(queue, item_of(2), deadline_ns, WAIT_SPIN), STATUS_TIMEOUT);
	check_at_most(deadline_ns, world->now_ns());
	check_less(world->now_ns(), deadline_ns + LATE_MAX);
	check_status(queue_pop(queue, &item, 0, WAIT_PARK), STATUS_OK);
	check_equal((uintptr_t)item, 1);
	queue_free(queue);
}

struct traffic {
	struct queue *queue;
	uint32_t items; /* per pusher */
	enum wait_mode mode;
	uint64_t sum, popped; /* sum and number of all popped items; atomic */
	int64_t done_ns;
	enum status status;
};

static void push_many(void *arg)
{
	struct traffic *traffic = arg;

	for (uintptr_t i = 1; i <= traffic->items; i++)
		check_status(queue_push(traffic->queue, item_of(i), DEADLINE_NEVER, traffic->mode),
			STATUS_OK);
}

static void pop_all(void *arg)
{
	struct traffic *traffic = arg;
	void *item;

	while (queue_pop(traffic->queue, &item, DEADLINE_NEVER, traffic->mode) == STATUS_OK) {
		__atomic_add_fetch(&traffic->sum, (uintptr_t)item, __ATOMIC_RELAXED);
		__atomic_add_fetch(&traffic->popped, 1, __ATOMIC_RELAXED);
	}
}

/* Pushers and poppers of a queue with one place wait at the same time. No wake-up may be lost. */
static void queue_loses_nothing_between_many_threads(struct cluster *cluster)
{
	struct traffic traffic = {.queue = queue_new("items", 1), .items = 200};
	struct thread *pushers[4], *poppers[4];
	char name[32];

	(void)cluster;
	for (int mode = 0; mode < WAIT_MODE_COUNT; mode++) {
		if (mode == WAIT_SPIN)
			continue; /* there are more threads than cores */
		traffic.mode = (enum wait_mode)mode;
		for (int i = 0; i < 4; i++) {
			snprintf(name, sizeof(name), "popper-%d-%d", mode, i);
			poppers[i] = world->spawn(name, anywhere, pop_all, &traffic);
			snprintf(name, sizeof(name), "pusher-%d-%d", mode, i);
			pushers[i] = world->spawn(name, anywhere, push_many, &traffic);
		}
		for (int i = 0; i < 4; i++)
			world->join(pushers[i]);
		queue_close(traffic.queue);
		for (int i = 0; i < 4; i++)
			world->join(poppers[i]);
		check_equal(traffic.popped, 800);
		check_equal(traffic.sum, 4 * 200 * 201 / 2);
		queue_free(traffic.queue);
		traffic = (struct traffic){.queue = queue_new("items", 1), .items = 200};
	}
	queue_free(traffic.queue);
}

static void push_one_more(void *arg)
{
	struct traffic *traffic = arg;

	traffic->status = queue_push(traffic->queue, item_of(99), DEADLINE_NEVER, traffic->mode);
	traffic->done_ns = world->now_ns();
}

static void push_blocks_while_full(struct cluster *cluster)
{
	struct traffic traffic = {.queue = queue_new("items", 2), .items = 2, .mode = WAIT_PARK};
	struct thread *pusher;
	int64_t freed_ns;
	void *item;

	(void)cluster;
	push_many(&traffic);
	pusher = world->spawn("pusher", anywhere, push_one_more, &traffic);
	pause_ms(10);
	check_equal(traffic.done_ns, 0);
	freed_ns = world->now_ns();
	check_status(queue_pop(traffic.queue, &item, 0, WAIT_PARK), STATUS_OK);
	check_equal((uintptr_t)item, 1);
	world->join(pusher);
	check_status(traffic.status, STATUS_OK);
	check_at_most(freed_ns, traffic.done_ns);
	check_status(queue_pop(traffic.queue, &item, 0, WAIT_PARK), STATUS_OK);
	check_status(queue_pop(traffic.queue, &item, 0, WAIT_PARK), STATUS_OK);
	check_equal((uintptr_t)item, 99);
	queue_free(traffic.queue);
}

static void pop_one(void *arg)
{
	struct traffic *traffic = arg;
	void *item;

	traffic->status = queue_pop(traffic->queue, &item, DEADLINE_NEVER, traffic->mode);
	traffic->done_ns = world->now_ns();
}

static void close_ends_waits_and_drains(struct cluster *cluster)
{
	struct traffic full = {.queue = queue_new("full", 3), .items = 3, .mode = WAIT_PARK};
	struct traffic empty = {.queue = queue_new("empty", 3), .mode = WAIT_PARK};
	struct thread *pusher, *popper;
	void *item;

	(void)cluster;
	push_many(&full);
	pusher = world->spawn("pusher", anywhere, push_one_more, &full);
	popper = world->spawn("popper", anywhere, pop_one, &empty);
	pause_ms(5);
	queue_close(full.queue);
	queue_close(empty.queue);
	world->join(pusher);
	world->join(popper);
	check_status(full.status, STATUS_CLOSED);
	check_status(empty.status, STATUS_CLOSED);
	check_status(queue_push(empty.queue, item_of(1), DEADLINE_NEVER, WAIT_PARK), STATUS_CLOSED);
	for (uintptr_t i = 1; i <= 3; i++) {
		check_status(queue_pop(full.queue, &item, DEADLINE_NEVER, WAIT_PARK), STATUS_OK);
		check_equal((uintptr_t)item, i);
	}
	check_status(queue_pop(full.queue, &item, DEADLINE_NEVER, WAIT_PARK), STATUS_CLOSED);
	queue_free(full.queue);
	queue_free(empty.queue);
}

static void queue_work_is_counted(struct cluster *cluster)
{
	struct queue *queue = queue_new("items", 4);
	struct work_counts counts;
	void *item;

	(void)cluster;
	for (int i = 0; i < 3; i++)
		check_status(queue_push(queue, item_of(1), 0, WAIT_PARK), STATUS_OK);
	check_status(queue_pop(queue, &item, 0, WAIT_PARK), STATUS_OK);
	check_status(queue_pop(queue, &item, 0, WAIT_PARK), STATUS_OK);
	check_status(queue_pop(queue, &item, 0, WAIT_PARK), STATUS_OK);
	check_status(queue_pop(queue, &item, 0, WAIT_PARK), STATUS_TIMEOUT);
	row_current()->counts(&counts);
	check_equal(counts.units[WORK_QUEUE_PUSH], 3);
	check_equal(counts.units[WORK_QUEUE_POP], 3);
	queue_free(queue);
}

/* ---- semaphore ---- */

struct crossing {
	struct semaphore *semaphore;
	uint32_t inside, most; /* atomic */
	uint32_t passed;
};

static void cross(void *arg)
{
	struct crossing *crossing = arg;

	for (int i = 0; i < 20; i++) {
		uint32_t inside, most;

		check_status(
			semaphore_acquire(crossing->semaphore, DEADLINE_NEVER, WAIT_SPIN_THEN_PARK),
			STATUS_OK);
		inside = __atomic_add_fetch(&crossing->inside, 1, __ATOMIC_SEQ_CST);
		most = __atomic_load_n(&crossing->most, __ATOMIC_SEQ_CST);
		while (most < inside && !__atomic_compare_exchange_n(&crossing->most, &most, inside,
						false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
			continue;
		world->sleep_until(world->now_ns() + MS / 10);
		__atomic_sub_fetch(&crossing->inside, 1, __ATOMIC_SEQ_CST);
		__atomic_add_fetch(&crossing->passed, 1, __ATOMIC_SEQ_CST);
		semaphore_release(crossing->semaphore, 1);
	}
}

static void semaphore_bounds_how_many_are_inside(struct cluster *cluster)
{
	struct crossing crossing = {.semaphore = semaphore_new("permits", 2)};
	struct thread *threads[5];
	char name[32];

	(void)cluster;
	for (int i = 0; i < 5; i++) {
		snprintf(name, sizeof(name), "crosser-%d", i);
		threads[i] = world->spawn(name, anywhere, cross, &crossing);
	}
	for (int i = 0; i < 5; i++)
		world->join(threads[i]);
	check_equal(crossing.passed, 100);
	check_at_most(crossing.most, 2);
	if (row_current()->timed) /* natively one thread may finish before the next begins */
		check_equal(crossing.most, 2);
	semaphore_free(crossing.semaphore);
	semaphore_free(NULL);
}

static void take_one(void *arg)
{
	struct crossing *crossing = arg;

	check_status(semaphore_acquire(crossing->semaphore, DEADLINE_NEVER, WAIT_PARK), STATUS_OK);
	__atomic_add_fetch(&crossing->passed, 1, __ATOMIC_SEQ_CST);
}

static void release_of_many_lets_many_in(struct cluster *cluster)
{
	struct crossing crossing = {.semaphore = semaphore_new("permits", 0)};
	struct thread *threads[4];
	int64_t deadline_ns;
	char name[32];

	(void)cluster;
	for (int i = 0; i < 4; i++) {
		snprintf(name, sizeof(name), "taker-%d", i);
		threads[i] = world->spawn(name, anywhere, take_one, &crossing);
	}
	pause_ms(5);
	check_equal(__atomic_load_n(&crossing.passed, __ATOMIC_SEQ_CST), 0);
	semaphore_release(crossing.semaphore, 0);
	semaphore_release(crossing.semaphore, 5);
	for (int i = 0; i < 4; i++)
		world->join(threads[i]);
	check_equal(crossing.passed, 4);
	check_status(semaphore_acquire(crossing.semaphore, 0, WAIT_PARK), STATUS_OK);
	deadline_ns = world->now_ns() + 3 * MS;
	check_status(semaphore_acquire(crossing.semaphore, deadline_ns, WAIT_PARK), STATUS_TIMEOUT);
	check_at_most(deadline_ns, world->now_ns());
	semaphore_free(crossing.semaphore);
}

static const struct row_case cases[] = {
	ROW_WORLD_CASE(queue_is_first_in_first_out),
	ROW_WORLD_CASE(queue_times_out),
	ROW_WORLD_CASE(queue_loses_nothing_between_many_threads),
	ROW_WORLD_CASE(push_blocks_while_full),
	ROW_WORLD_CASE(close_ends_waits_and_drains),
	ROW_WORLD_CASE(queue_work_is_counted),
	ROW_WORLD_CASE(semaphore_bounds_how_many_are_inside),
	ROW_WORLD_CASE(release_of_many_lets_many_in),
};

int main(void)
{
	return ROW_RUN_SUITE("world queue", cases);
}
