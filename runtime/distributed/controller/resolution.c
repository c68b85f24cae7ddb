/* The rows of resolution and of the pipeline's threads. */
#include "distributed/resolution.h"

#include <string.h>

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
		 .description = "what is the same for all is sent to all, the rest cut by the "
				"controller",
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

const struct resolution_ops *resolution_row(size_t index)
{
	return index < sizeof resolutions / sizeof *resolutions ? &resolutions[index] : NULL;
}

const struct resolution_ops *resolution_find(const char *name)
{
	const struct resolution_ops *row;

	for (size_t i = 0; (row = resolution_row(i)) != NULL; i++)
		if (strcmp(row->entry.name, name) == 0)
			return row;
	return NULL;
}

const struct pipeline_ops *pipeline_row(size_t index)
{
	return index < sizeof pipelines / sizeof *pipelines ? &pipelines[index] : NULL;
}

const struct pipeline_ops *pipeline_find(const char *name)
{
	const struct pipeline_ops *row;

	for (size_t i = 0; (row = pipeline_row(i)) != NULL; i++)
		if (strcmp(row->entry.name, name) == 0)
			return row;
	return NULL;
}
