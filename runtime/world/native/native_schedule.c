/* The scheduler of an emulated chip. It runs the stages that are not blocked, round robin. It calls
 * begin() of a blocked stage again only when the word or event for which the stage waits may have
 * arrived. The costs of stages are added up, but they take no time. */
#include "native_chip.h"

#include "base/allocate.h"
#include "base/ensure.h"

#include <stdlib.h>
#include <string.h>

static struct stage **stages_grown(struct stage **stages, uint32_t count)
{
	stages = allocate_more(stages, count, sizeof *stages);
	return stages;
}

static void schedule_enqueue(struct device *device, struct stage *stage)
{
	uint32_t place = device->ready_first + device->ready_count++;

	stage->state = STAGE_STATE_READY;
	device->ready[place & (device->stage_capacity - 1)] = stage;
}

static struct stage *schedule_dequeue(struct device *device)
{
	struct stage *stage = device->ready[device->ready_first];

	device->ready_first = (device->ready_first + 1) & (device->stage_capacity - 1);
	device->ready_count--;
	return stage;
}

static void stage_unblock(struct device *device, struct stage *stage)
{
	if (stage->wait.idle)
		device->idle_count--;
	schedule_enqueue(device, stage);
}

static bool stage_word_reached(struct device *device, const struct stage *stage)
{
	uint32_t word =
		native_tile_word(native_chip_tile(device, stage->tile), stage->wait.address);

	return (int32_t)(word - stage->wait.value) >= 0;
}

static bool stage_may_go_on(struct device *device, const struct stage *stage)
{
	const struct stage_wait *wait = &stage->wait;

	switch (wait->on) {
	case STAGE_WAIT_TILE:
		return false;
	case STAGE_WAIT_WORD:
		return stage_word_reached(device, stage);
	case STAGE_WAIT_READS:
		return (int32_t)(stage->reads_done - wait->value) >= 0;
	case STAGE_WAIT_WRITES:
		return (int32_t)(stage->writes_done - wait->value) >= 0;
	case STAGE_WAIT_FABRIC:
		return native_fabric_accepts(device, wait->fabric);
	}
	ensure(false, "stage %s waits on %d", stage->ops->name, (int)wait->on);
}

static void stage_block(struct device *device, struct stage *stage)
{
	stage->state = STAGE_STATE_BLOCKED;
	if (stage->wait.idle)
		device->idle_count++;
	/* A stage that waits for the fabric is counted before the quota is checked. Otherwise
	 * native_quota_return() would not see the stage if quota is returned just after the check.
	 */
	if (stage->wait.on == STAGE_WAIT_FABRIC) {
		uint32_t count = device->fabric_waiter_count;

		device->fabric_waiters[count] = stage;
		__atomic_store_n(&device->fabric_waiter_count, count + 1, __ATOMIC_SEQ_CST);
	}
	if (!stage_may_go_on(device, stage))
		return;
	if (stage->wait.on == STAGE_WAIT_FABRIC)
		__atomic_store_n(&device->fabric_waiter_count, device->fabric_waiter_count - 1,
			__ATOMIC_SEQ_CST);
	stage_unblock(device, stage);
}

void native_schedule_wake_fabric(struct device *device)
{
	uint32_t count = device->fabric_waiter_count, left = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct stage *stage = device->fabric_waiters[i];

		if (native_fabric_accepts(device, stage->wait.fabric))
			stage_unblock(device, stage);
		else
			device->fabric_waiters[left++] = stage;
	}
	__atomic_store_n(&device->fabric_waiter_count, left, __ATOMIC_SEQ_CST);
}

void native_schedule_read_done(struct device *device, struct stage *stage)
{
	stage->reads_done++;
	if (stage->state != STAGE_STATE_BLOCKED)
		return;
	if (stage->wait.on == STAGE_WAIT_TILE ||
		(stage->wait.on == STAGE_WAIT_READS && stage_may_go_on(device, stage)))
		stage_unblock(device, stage);
}

static bool ranges_meet(uint32_t a, uint32_t a_bytes, uint32_t b, uint32_t b_bytes)
{
	return a < b ? b - a < a_bytes : a - b < b_bytes;
}

/* Returns true if a write to [address, address + length) of the words may unblock this stage. */
static bool stage_is_concerned(
	struct device *device, const struct stage *stage, uint32_t address, uint32_t length)
{
	const struct stage_wait *wait = &stage->wait;

	if (wait->on != STAGE_WAIT_TILE && wait->on != STAGE_WAIT_WORD)
		return false;
	if (wait->on == STAGE_WAIT_TILE &&
		(wait->range_bytes == 0 ||
			ranges_meet(wait->range, wait->range_bytes, address, length)))
		return true;
	return ranges_meet(wait->address, 4, address, length) && stage_word_reached(device, stage);
}

void native_schedule_touched(
	struct device *device, uint16_t tile_number, uint32_t address, uint32_t length)
{
	struct tile *tile = &device->tiles[tile_number];

	if (address >= tile->word_bytes || length == 0)
		return;
	for (struct stage *stage = tile->stages; stage != NULL; stage = stage->next_on_tile) {
		if (stage->state == STAGE_STATE_BLOCKED &&
			stage_is_concerned(device, stage, address, length))
			stage_unblock(device, stage);
	}
}

void native_schedule_start(struct device *device, struct stage *stage)
{
	struct stage **end = &native_chip_tile(device, stage->tile)->stages;

	ensure(stage->device == device, "stage %s started on chip %u", stage->ops->name,
		device->number);
	if (device->stage_count == device->stage_capacity) {
		uint32_t before = device->stage_capacity, capacity = before ? 2 * before : 16;

		device->fabric_waiters = stages_grown(device->fabric_waiters, capacity);
		device->ready = stages_grown(device->ready, capacity);
		/* move the part of the ring that had wrapped around behind the old end */
		if (device->ready_first + device->ready_count > before)
			memcpy(device->ready + before, device->ready,
				(device->ready_first + device->ready_count - before) *
					sizeof *device->ready);
		device->stage_capacity = capacity;
	}
	device->stage_count++;
	while (*end != NULL)
		end = &(*end)->next_on_tile;
	*end = stage;
	stage->next_on_tile = NULL;
	schedule_enqueue(device, stage);
}

static void schedule_end(struct device *device, struct stage *stage)
{
	struct stage **place = &device->tiles[stage->tile].stages;

	while (*place != stage)
		place = &(*place)->next_on_tile;
	*place = stage->next_on_tile;
	stage->state = STAGE_STATE_ENDED;
	device->stage_count--;
}

/* Removes the stage from the ring of ready stages. */
static void schedule_forget(struct device *device, const struct stage *stage)
{
	uint32_t count = device->ready_count;

	for (uint32_t i = 0; i < count; i++) {
		struct stage *next = schedule_dequeue(device);

		if (next != stage)
			schedule_enqueue(device, next);
	}
}

void native_schedule_stop(struct device *device, struct stage *stage)
{
	if (stage->state == STAGE_STATE_ENDED)
		return;
	if (stage->state == STAGE_STATE_READY) {
		schedule_forget(device, stage);
	} else {
		ensure(stage->wait.idle, "stage %s is stopped while it waits for %s",
			stage->ops->name, stage->wait.what);
		device->idle_count--;
	}
	schedule_end(device, stage);
}

void native_schedule_step(struct device *device)
{
	struct stage *stage = schedule_dequeue(device);
	int64_t cycles;

	memset(&stage->wait, 0, sizeof stage->wait);
	cycles = stage->ops->begin(stage, &stage->wait);
	if (cycles >= 0) {
		stage->ops->commit(stage);
		stage->busy_cycles += (uint64_t)cycles;
		stage->steps++;
		schedule_enqueue(device, stage);
	} else if (cycles == STAGE_ENDED) {
		schedule_end(device, stage);
	} else {
		ensure(cycles == STAGE_BLOCKED, "stage %s answered %lld", stage->ops->name,
			(long long)cycles);
		stage_block(device, stage);
	}
}
