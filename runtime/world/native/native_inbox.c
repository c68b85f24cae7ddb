/* The inbox of an emulated chip. Other threads put messages into the inbox, and wait for the chip's
 * answers. The first message starts the chip's thread. */
#include "native_chip.h"

#include "base/allocate.h"
#include "base/ensure.h"
#include "native_wait.h"

#include <stdlib.h>
#include <string.h>

static void messages_push(struct messages *messages, const struct message *message)
{
	if (messages->count == messages->capacity) {
		messages->capacity = messages->capacity ? 2 * messages->capacity : 64;
		messages->items =
			allocate_more(messages->items, messages->capacity, sizeof *messages->items);
	}
	messages->items[messages->count++] = *message;
}

/* Ends the rest of the chip. The caller must hold the inbox's lock. */
static void inbox_unrest(struct device *device)
{
	if (!device->inbox.resting)
		return;
	device->inbox.resting = false;
	native_rest_hold(device->cluster);
}

/* Wakes the chip's thread, or starts it the first time. The caller must hold the inbox's lock. */
static void inbox_wake(struct device *device)
{
	struct inbox *inbox = &device->inbox;
	int error;

	inbox_unrest(device);
	if (inbox->sleeping)
		pthread_cond_signal(&inbox->cond);
	if (inbox->started || inbox->stopping)
		return;
	inbox->started = true;
	error = pthread_create(&device->thread, NULL, device->main, device);
	ensure(error == 0, "no thread for chip %u: %s", device->number, strerror(error));
}

void native_inbox_send(struct device *device, const struct message *message)
{
	pthread_mutex_lock(&device->inbox.lock);
	messages_push(&device->inbox.incoming, message);
	inbox_wake(device);
	pthread_mutex_unlock(&device->inbox.lock);
}

void native_inbox_returned(struct device *device)
{
	pthread_mutex_lock(&device->inbox.lock);
	device->inbox.returned = true;
	inbox_wake(device);
	pthread_mutex_unlock(&device->inbox.lock);
}

enum status native_inbox_peek(
	struct device *device, uint16_t tile, uint32_t address, uint32_t length, void *out)
{
	struct inbox *inbox = &device->inbox;
	struct peek peek = {.length = length, .out = out};
	struct message message = {
		.kind = MESSAGE_PEEK, .tile = tile, .address = address, .peek = &peek};

	native_cond_init(&peek.cond);
	pthread_mutex_lock(&inbox->lock);
	messages_push(&inbox->incoming, &message);
	inbox_wake(device);
	while (!peek.done)
		native_cond_wait(&peek.cond, &inbox->lock, DEADLINE_NEVER);
	pthread_mutex_unlock(&inbox->lock);
	pthread_cond_destroy(&peek.cond);
	return peek.status;
}

void native_inbox_show(struct device *device, struct show *show)
{
	struct inbox *inbox = &device->inbox;
	struct message message = {.kind = MESSAGE_SHOW, .show = show};

	native_cond_init(&show->cond);
	pthread_mutex_lock(&inbox->lock);
	show->done = !inbox->started;
	if (!show->done) {
		messages_push(&inbox->incoming, &message);
		inbox_wake(device);
	}
	while (!show->done)
		native_cond_wait(&show->cond, &inbox->lock, DEADLINE_NEVER);
	pthread_mutex_unlock(&inbox->lock);
	pthread_cond_destroy(&show->cond);
}

void native_inbox_meet(struct device *device)
{
	pthread_mutex_lock(&device->inbox.lock);
	pthread_mutex_unlock(&device->inbox.lock);
}
