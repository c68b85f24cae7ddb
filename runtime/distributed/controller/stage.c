/* Stages of the controller's pipeline (spec 4.8): a thread behind a queue, or nothing but a call.
 */
#include "controller_private.h"

enum { STATION_ITEMS = 256 };

static void loop(void *arg)
{
	struct station *station = arg;
	void *item;

	while (queue_pop(station->queue, &item, DEADLINE_NEVER, station->wait) == STATUS_OK)
		station->run(station->context, item);
}

void station_start(struct station *station, const char *name, bool threaded,
	const struct controller_settings *settings, void (*run)(void *context, void *item),
	void *context)
{
	*station = (struct station){.wait = settings->wait, .run = run, .context = context};
	if (!threaded)
		return;
	station->queue = queue_new(name, STATION_ITEMS);
	station->thread = world->spawn(name, settings->place, loop, station);
}

void station_stop(struct station *station)
{
	if (station->queue == NULL)
		return;
	queue_close(station->queue);
	world->join(station->thread);
	queue_free(station->queue);
	station->queue = NULL;
}

void station_pass(struct station *station, void *item)
{
	if (station->queue == NULL)
		station->run(station->context, item);
	else
		queue_push(station->queue, item, DEADLINE_NEVER, station->wait);
}
