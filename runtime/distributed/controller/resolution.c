/* Implements two choices (choices.h): where ranges are resolved, and which stages have threads.
 * Also implements stages (struct station, spec 4.8). If a stage has a thread, items reach the
 * thread through a queue. Otherwise, the stage is a direct call. */
#include "distributed/choices.h"

#include "controller_private.h"

/* ---- stages ---- */

enum { STATION_ITEMS = 256 };

static void resolution_loop(void *arg)
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
	station->thread = world->spawn(name, settings->place, resolution_loop, station);
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

/* ---- variants ---- */

static const struct resolution_ops resolutions[] = {
	{.entry = {.name = "controller",
		 .description = "ranges and data are cut by the controller, and each executor is "
				"sent its own",
		 .section = "4.8.1",
		 .resources = "the controller's time for every executor"}},
	{.entry = {.name = "executors",
		 .description = "everything is sent to all executors, and each cuts its own",
		 .section = "4.8.1",
		 .resources = "whole buffers on every host's network"},
		.to_all = true,
		.data_whole = true},
	{.entry = {.name = "mixed",
		 .description = "commands that are the same for all are sent to all, the rest cut "
				"by the controller",
		 .section = "4.8.1",
		 .resources = "the controller's time for data in shards"},
		.to_all = true},
};

static const struct pipeline_ops pipelines[] = {
	{.entry = {.name = "main",
		 .description = "the caller does everything",
		 .section = "4.8",
		 .resources = "no thread"}},
	{.entry = {.name = "pair",
		 .description = "one thread forward, one back",
		 .section = "4.8",
		 .resources = "2 threads"},
		.resolve = true,
		.receive = true},
	{.entry = {.name = "stages",
		 .description = "a thread for each stage, as the specification draws them",
		 .section = "4.8",
		 .resources = "6 threads"},
		.resolve = true,
		.serialize = true,
		.send = true,
		.receive = true,
		.deserialize = true,
		.read = true},
};

REGISTRY_OF_ARRAY(resolution, resolution_ops, "runtime.distributed.resolution",
	"resolution of ranges", resolutions)
REGISTRY_OF_ARRAY(pipeline, pipeline_ops, "runtime.distributed.pipeline",
	"pipeline of the controller", pipelines)
