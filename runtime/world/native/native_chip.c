/* An emulated chip. Its thread takes messages out of the inbox, applies them, and lets the
 * scheduler run stages. */
#include "native_chip.h"

#include "base/allocate.h"
#include "native_wait.h"

#include <stdlib.h>
#include <string.h>

/* Maximum number of steps between two checks of the inbox. */
enum { STEPS_PER_ROUND = 256 };

/* ---- rest ---- */

/* If all stages of the chip are idle or have ended, marks the chip as being at rest. The caller
 * must hold the inbox's lock. The inbox must be empty, and no stage may be able to run. */
static void chip_rest(struct device *device)
{
	if (device->inbox.resting || device->stage_count > device->idle_count)
		return;
	device->inbox.resting = true;
	native_rest_release(device->cluster);
}

/* ---- messages ---- */

static void chip_deliver_write(struct device *device, struct message *message)
{
	struct tile *tile = native_chip_tile(device, message->tile);

	native_tile_write(tile, message->address, message->span);
	native_schedule_touched(device, message->tile, message->address, message->span.length);
	span_release(message->span);
	if (message->delta != 0) {
		uint32_t word = native_tile_word(tile, message->increment_address);

		native_tile_set_word(tile, message->increment_address, word + message->delta);
		native_schedule_touched(
			device, message->tile, message->increment_address, sizeof word);
	}
	if (message->stage != NULL)
		native_schedule_read_done(device, message->stage);
	if (message->source != NULL)
		native_fabric_returned(message->source);
}

static void chip_deliver_peek(struct device *device, struct message *message)
{
	struct peek *peek = message->peek;

	peek->status = native_tile_read(
		native_chip_tile(device, message->tile), message->address, peek->length, peek->out);
	pthread_mutex_lock(&device->inbox.lock);
	peek->done = true;
	pthread_cond_signal(&peek->cond);
	pthread_mutex_unlock(&device->inbox.lock);
}

static void chip_deliver_show(struct device *device, struct show *show)
{
	for (uint16_t i = 0; i < device->info->geometry->tile_count; i++)
		for (const struct stage *stage = device->tiles[i].stages; stage != NULL;
			stage = stage->next_on_tile)
			show->see(show->context, device->number, stage,
				stage->state == STAGE_STATE_BLOCKED);
	pthread_mutex_lock(&device->inbox.lock);
	show->done = true;
	pthread_cond_signal(&show->cond);
	pthread_mutex_unlock(&device->inbox.lock);
}

static void chip_deliver(struct device *device)
{
	for (uint32_t i = 0; i < device->taken.count; i++) {
		struct message *message = &device->taken.items[i];

		switch (message->kind) {
		case MESSAGE_START:
			native_schedule_start(device, message->stage);
			break;
		case MESSAGE_STOP:
			native_schedule_stop(device, message->stage);
			break;
		case MESSAGE_WRITE:
			chip_deliver_write(device, message);
			break;
		case MESSAGE_READ:
			native_fabric_answer(device, message);
			break;
		case MESSAGE_PEEK:
			chip_deliver_peek(device, message);
			break;
		case MESSAGE_SHOW:
			chip_deliver_show(device, message->show);
			break;
		}
	}
	device->taken.count = 0;
}

/* Sleeps until the chip has work to do, and moves the messages of the inbox to device->taken.
 * Returns false if the chip is stopping. */
static bool chip_take(struct device *device)
{
	struct inbox *inbox = &device->inbox;
	struct messages taken = device->taken;
	bool going, returned;

	pthread_mutex_lock(&inbox->lock);
	while (!inbox->stopping && inbox->incoming.count == 0 && !inbox->returned &&
		device->ready_count == 0) {
		chip_rest(device);
		inbox->sleeping = true;
		pthread_cond_wait(&inbox->cond, &inbox->lock);
		inbox->sleeping = false;
	}
	going = !inbox->stopping;
	returned = inbox->returned;
	inbox->returned = false;
	device->taken = inbox->incoming;
	inbox->incoming = taken;
	pthread_mutex_unlock(&inbox->lock);
	if (returned)
		native_schedule_wake_fabric(device);
	return going;
}

static void *chip_main(void *arg)
{
	struct device *device = arg;

	while (chip_take(device)) {
		chip_deliver(device);
		for (int i = 0; i < STEPS_PER_ROUND && device->ready_count > 0; i++)
			native_schedule_step(device);
	}
	return NULL;
}

/* ---- start and end ---- */

void native_chip_init(struct device *device, struct cluster *cluster, uint16_t number)
{
	const struct chip_info *info = &cluster->info->chips[number];
	const struct chip_geometry *geometry = info->geometry;

	device->cluster = cluster;
	device->info = info;
	device->number = number;
	device->main = chip_main;
	device->inbox.resting = true;
	pthread_mutex_init(&device->inbox.lock, NULL);
	native_cond_init(&device->inbox.cond);
	device->tiles = allocate(geometry->tile_count, sizeof *device->tiles);
	for (uint16_t i = 0; i < geometry->tile_count; i++)
		native_tile_init(&device->tiles[i], geometry, i);
}

void native_chip_stop(struct device *device)
{
	bool started;

	pthread_mutex_lock(&device->inbox.lock);
	device->inbox.stopping = true;
	started = device->inbox.started;
	pthread_cond_signal(&device->inbox.cond);
	pthread_mutex_unlock(&device->inbox.lock);
	if (started)
		pthread_join(device->thread, NULL);
}

static void messages_fini(struct messages *messages)
{
	for (uint32_t i = 0; i < messages->count; i++) {
		if (messages->items[i].kind == MESSAGE_WRITE)
			span_release(messages->items[i].span);
	}
	free(messages->items);
}

void native_chip_fini(struct device *device)
{
	for (uint16_t i = 0; i < device->info->geometry->tile_count; i++)
		native_tile_fini(&device->tiles[i]);
	free(device->tiles);
	free(device->ready);
	free(device->fabric_waiters);
	messages_fini(&device->inbox.incoming);
	messages_fini(&device->taken);
	pthread_cond_destroy(&device->inbox.cond);
	pthread_mutex_destroy(&device->inbox.lock);
}
