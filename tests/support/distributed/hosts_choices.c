/* See hosts_choices.h. */
#include "hosts_choices.h"

#include <stddef.h>

#include "wire/codec.h"

const struct hosts_choice hosts_choices_unlike[] = {
	{.transport = "unix",
		.codec = "packed",
		.resolution = "controller",
		.pipeline = "main",
		.hosts = 2,
		.axis = HOSTS_IN_ROWS,
		.rows = 2,
		.columns = 2},
	{.transport = "tcp",
		.codec = "msgpack",
		.resolution = "mixed",
		.pipeline = "stages",
		.executor_threads = true,
		.hosts = 2,
		.axis = HOSTS_IN_ROWS,
		.rows = 2,
		.columns = 2},
	{.transport = "unix",
		.codec = "protobuf",
		.resolution = "executors",
		.pipeline = "pair",
		.executor_threads = true,
		.hosts = 2,
		.axis = HOSTS_IN_COLUMNS,
		.rows = 2,
		.columns = 2},
};

struct hosts_choice hosts_choices_alone(const char *codec)
{
	return (struct hosts_choice){.transport = "unix",
		.codec = codec,
		.resolution = "controller",
		.pipeline = "stages",
		.hosts = 1,
		.axis = HOSTS_IN_ROWS,
		.rows = 1,
		.columns = 2};
}

void hosts_choices_codecs(
	struct hosts_choice choice, void (*check)(const struct hosts_choice *choice))
{
	for (size_t i = 0; wire_codec_row(i) != NULL; i++) {
		choice.codec = wire_codec_row(i)->entry.name;
		if (wire_codec_row(i)->ops != NULL)
			check(&choice);
	}
}

struct hosts_choice hosts_choices_usual(const char *transport)
{
	return (struct hosts_choice){.transport = transport,
		.codec = "packed",
		.resolution = "controller",
		.pipeline = "main",
		.hosts = 2,
		.axis = HOSTS_IN_ROWS};
}

void hosts_choices_counts(const char *transport, hosts_choices_check *check)
{
	static const uint32_t counts[] = {1, 2, 4};

	for (uint32_t i = 0; i < 3; i++)
		for (int axis = 0; axis < 2; axis++) {
			struct hosts_choice choice = hosts_choices_usual(transport);

			choice.hosts = counts[i];
			choice.axis = (enum host_axis)axis;
			check(choice, 10 + i);
		}
}

void hosts_choices_pipelines(const char *transport, hosts_choices_check *check)
{
	for (size_t i = 0; resolution_row(i) != NULL; i++)
		for (size_t k = 0; pipeline_row(k) != NULL; k++) {
			struct hosts_choice choice = hosts_choices_usual(transport);

			choice.resolution = resolution_row(i)->entry.name;
			choice.pipeline = pipeline_row(k)->entry.name;
			choice.executor_threads = k > 0;
			choice.axis = i % 2 ? HOSTS_IN_COLUMNS : HOSTS_IN_ROWS;
			check(choice, 20 + i);
		}
}

void hosts_choices_receives(const char *transport, hosts_choices_check *check)
{
	for (size_t i = 0; receive_row(i) != NULL; i++)
		for (size_t k = 0; resolution_row(k) != NULL; k++) {
			struct hosts_choice choice = hosts_choices_usual(transport);

			choice.receive = receive_row(i)->entry.name;
			choice.resolution = resolution_row(k)->entry.name;
			choice.executor_threads = k > 0;
			check(choice, 50);
		}
}

void hosts_choices_readers(const char *transport, hosts_choices_check *check)
{
	for (size_t i = 0; completion_reader_row(i) != NULL; i++)
		for (size_t k = 0; resolution_row(k) != NULL; k++) {
			struct hosts_choice choice = hosts_choices_usual(transport);

			choice.completion_reader = completion_reader_row(i)->entry.name;
			choice.resolution = resolution_row(k)->entry.name;
			choice.pipeline = pipeline_row(k)->entry.name;
			choice.executor_threads = k > 1;
			check(choice, 55);
		}
}

void hosts_choices_merges(const char *transport, hosts_choices_check *check)
{
	for (unsigned i = 0; i < 8; i++) {
		struct pipeline_ops pipeline = {.entry = {.name = "own"},
			.resolve = i & 1,
			.serialize = i & 2,
			.send = i & 4,
			.receive = i > 1,
			.deserialize = i > 1 && (i & 1),
			.read = i > 1 && (i & 2)};
		struct hosts_choice choice = hosts_choices_usual(transport);

		choice.own_pipeline = &pipeline;
		choice.stages = (struct executor_stages){
			.receive = i & 2, .deserialize = (i & 2) && (i & 1), .send = i & 4};
		choice.resolution = "mixed";
		check(choice, 70);
	}
}

static bool goes_together(
	const struct allocation_ops *allocation, const struct compile_ops *compile)
{
	return allocation->region || allocation->asks || !compile->by_executors;
}

void hosts_choices_binaries(const char *transport, hosts_choices_check *check)
{
	for (size_t i = 0; allocation_row(i) != NULL; i++)
		for (size_t k = 0; compile_row(k) != NULL; k++) {
			struct hosts_choice choice = hosts_choices_usual(transport);

			if (!goes_together(allocation_row(i), compile_row(k)))
				continue;
			choice.allocation = allocation_row(i)->entry.name;
			choice.compile = compile_row(k)->entry.name;
			choice.compiles_again = i > 0;
			choice.pipeline = pipeline_row((i + k) % 3)->entry.name;
			choice.resolution = resolution_row((i + k) % 3)->entry.name;
			choice.executor_threads = k > 0;
			check(choice, 60);
		}
}
