/* Tests that messages to other hosts can carry every workload that a scenario may describe.
 * Compares the largest value that the schema allows for each key with the limit of its field in
 * messages. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "bench/scenario/scenario.h"
#include "check.h"
#include "distributed/controller.h"
#include "mesh/config.h"
#include "mesh/sub_device.h"
#include "platform/platform.h"
#include "wire/codec.h"

/* ---- capacity of messages: every field of commands.def as "record.field" ---- */

struct limit {
	const char *record, *field;
	uint64_t max;
};

#define LIMIT(name, max) {0, #name, max},
static const struct limit limits[] = {
#define RECORD(name, Name)	  {#name, "", 0},
#define COMMAND(name, Name, help) RECORD(name, Name)
#define NUMBER(bits, name, max)	  LIMIT(name, max)
#define BYTES(name, max)	  LIMIT(name, max)
#define WORDS(name, max)	  LIMIT(name, max)
#define LIST(record, name, max)	  LIMIT(name, max)
#include "wire/commands.def"
};

static uint64_t wire_max(const char *record, const char *field)
{
	bool inside = false;

	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		if (limits[i].record)
			inside = strcmp(limits[i].record, record) == 0;
		else if (inside && strcmp(limits[i].field, field) == 0)
			return limits[i].max;
	}
	check(false, "no field %s.%s in commands.def", record, field);
	return 0;
}

/* ---- limits of scenarios ---- */

static const struct schema_field *field_of(const struct schema *schema, const char *key)
{
	for (size_t i = 0; i < schema->field_count; i++)
		if (strcmp(schema->fields[i].name, key) == 0)
			return &schema->fields[i];
	check(false, "no key %s in %s", key, schema->name);
	return NULL;
}

static const struct schema *step_schema(const char *step)
{
	for (size_t i = 0; i < step_variants.variant_count; i++)
		if (strcmp(step_variants.variants[i].field.name, step) == 0)
			return step_variants.variants[i].field.schema;
	check(false, "no step %s", step);
	return NULL;
}

static uint64_t key_max(const char *step, const char *key)
{
	const struct schema_field *field = field_of(step_schema(step), key);

	if (field->kind == SCHEMA_KIND_ARRAY)
		field = field->element;
	check(field->max > 0, "%s.%s has no bound", step, key);
	return (uint64_t)field->max;
}

/* ---- comparisons ---- */

static void check_carries(const char *record, const char *field, const char *what, uint64_t most)
{
	uint64_t max = wire_max(record, field);

	check(most <= max, "%s may be %llu, but %s.%s carries %llu at most", what,
		(unsigned long long)most, record, field, (unsigned long long)max);
}

/* The key's largest value must not exceed the field's. */
TEST(a_field_carries_every_value_of_its_key)
{
	static const struct {
		const char *step, *key, *record, *field;
		uint64_t less; /* 1 for an index */
	} pairs[] = {
		{"enqueue_workload", "programs", "enqueue_program", "programs", 0},
		{"enqueue_workload", "programs", "kernel", "program", 1},
		{"enqueue_workload", "programs", "circular_buffer", "program", 1},
		{"enqueue_workload", "programs", "semaphore", "program", 1},
		{"enqueue_workload", "programs", "argument_set", "program", 1},
		{"enqueue_workload", "programs", "give_binaries", "program", 1},
		{"enqueue_workload", "programs", "give_commands", "program", 1},
		{"enqueue_workload", "kernel_bytes", "kernel", "bytes", 0},
		{"enqueue_workload", "runtime_args", "kernel", "unique_args", 0},
		{"enqueue_workload", "common_runtime_args", "kernel", "common_args", 0},
		{"enqueue_workload", "pages", "kernel", "steps", 0},
		{"enqueue_workload", "kernel_groups", "cores", "parts", 0},
		{"enqueue_workload", "circular_buffer_groups", "cores", "parts", 0},
		{"enqueue_workload", "circular_buffer_bytes", "circular_buffer", "page_bytes", 0},
		{"enqueue_workload", "semaphores", "semaphore", "initial", 1},
		{"write_buffer", "bytes", "create_buffer", "size_bytes", 0},
		{"write_buffer", "bytes", "write_buffer", "bytes", 0},
		{"write_buffer", "bytes", "read_data", "bytes", 0},
		{"write_buffer", "page_bytes", "create_buffer", "page_bytes", 0},
	};

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		check_carries(pairs[i].record, pairs[i].field, pairs[i].key,
			key_max(pairs[i].step, pairs[i].key) - pairs[i].less);
	/* each further group of cores has one page more */
	check_carries("circular_buffer", "pages", "circular_buffer_pages and groups",
		key_max("enqueue_workload", "circular_buffer_pages") +
			key_max("enqueue_workload", "circular_buffer_groups"));
}

/* The records of a message refer to cores and programs by their index in a list. The longest list
 * must have an entry for every valid index. Each kernel, each circular buffer and each semaphore
 * of a program has its own cores. So the list of cores must be able to hold as many entries as the
 * longest list of kernels, circular buffers or semaphores. */
TEST(a_description_has_cores_for_each_of_its_parts)
{
	static const char *const lists[] = {"kernels", "circular_buffers", "semaphores"};
	static const char *const records[] = {"kernel", "circular_buffer", "semaphore"};

	for (size_t i = 0; i < 3; i++) {
		check_equal(wire_max("enqueue_program", lists[i]),
			wire_max("enqueue_program", "cores"));
		check_equal(
			wire_max(records[i], "cores") + 1, wire_max("enqueue_program", "cores"));
		check_equal(wire_max(records[i], "program") + 1,
			wire_max("enqueue_program", "programs"));
	}
}

TEST(a_message_has_words_for_all_arguments_of_a_program)
{
	uint64_t each = key_max("enqueue_workload", "runtime_args") +
			key_max("enqueue_workload", "common_runtime_args");

	each *= (uint64_t)PROCESSOR_COUNT * BOUND_CORES;
	check_carries("set_runtime_args", "words", "all arguments", each);
	check_carries("argument_set", "count", "all arguments", each);
	check_carries("argument_set", "first", "all arguments", each);
}

TEST(numbers_of_the_runtime_fit)
{
	check_carries("enqueue_program", "queue", "a queue", MESH_COMMAND_QUEUES_MAX - 1);
	check_carries("divide_devices", "cores", "sub-devices", SUB_DEVICES_MAX);
	check_carries(
		"divide_devices", "ethernet", "bits of sub-devices", (1u << SUB_DEVICES_MAX) - 1);
	check_carries("create_buffer", "sub_device", "a sub-device", SUB_DEVICES_MAX);
	check_carries("kernel", "processor", "a processor", PROCESSOR_COUNT - 1);
	check_carries("create_buffer", "type", "a type of memory", BUFFER_TYPE_COUNT - 1);
	check_carries("memory", "type", "a type of memory", BUFFER_TYPE_COUNT - 1);
	check_at_most(DISTRIBUTED_HOSTS_MAX, 32);
}

TEST_MAIN(NULL, NULL)
