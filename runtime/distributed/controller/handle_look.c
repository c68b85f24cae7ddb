/* Answers the queries of mesh/handle.h. The controller itself answers queries about programs. It
 * passes other queries, which reports and checks use, to the executors. machine() is supported only
 * if links join the hosts; otherwise each host has a separate machine. */
#include <string.h>

#include "base/refuse.h"
#include "command/bytes.h"
#include "distributed/common/described.h"
#include "handle_private.h"

/* ---- queries ---- */

const struct chip_geometry *on_distributed_geometry(const struct device_handle *handle)
{
	return distributed_of(handle)->geometry;
}

const struct program_limits *on_distributed_limits(const struct device_handle *handle)
{
	return program_site_limits(distributed_of(handle)->site);
}

struct allocator_usage on_distributed_memory_usage(
	const struct device_handle *handle, enum buffer_type type)
{
	memory_settle(distributed_of(handle));
	return allocator_usage(distributed_of(handle)->memory[type]);
}

struct affinity on_distributed_caller_place(struct device_handle *handle)
{
	return distributed_of(handle)->controller->settings.place;
}

const struct mesh_resources *on_distributed_resources(const struct device_handle *handle)
{
	return &distributed_of(handle)->resources;
}

/* ---- queries to executors ---- */

/* Sends a query to hosts, and waits for the answers. The answer of host i has `count` words, which
 * are stored in words[i]. */
static enum status handle_look_ask(struct distributed *of, struct wire_query query, uint32_t hosts,
	uint32_t *words[DISTRIBUTED_HOSTS_MAX], uint32_t count, int64_t deadline_ns)
{
	struct controller *controller = of->controller;
	struct order *order = order_new(of->parts, WIRE_query, 0, hosts);
	struct awaited *awaited = table_await(
		controller, of->parts, AWAITED_WORDS, forward_number(controller, order), hosts);

	order->command.query = query;
	awaited->kept = true;
	awaited->words = words;
	awaited->words_count = count;
	forward(controller, order);
	return table_wait(controller, awaited, deadline_ns);
}

/* Adds the counters of a host. For a peak, takes the maximum. */
static void handle_look_add(struct mesh_counters *sum, const uint32_t *words)
{
	uint64_t numbers[COUNTERS_WORDS / 2], sums[COUNTERS_WORDS / 2];
	uint64_t peak = sum->spill_peak_bytes;
	struct mesh_counters one;

	for (uint32_t i = 0; i < COUNTERS_WORDS / 2; i++)
		numbers[i] = words[2 * i] | (uint64_t)words[2 * i + 1] << 32;
	memcpy(&one, numbers, sizeof one);
	memcpy(sums, sum, sizeof sums);
	for (uint32_t i = 0; i < COUNTERS_WORDS / 2; i++)
		sums[i] += numbers[i];
	memcpy(sum, sums, sizeof *sum);
	sum->spill_peak_bytes = peak > one.spill_peak_bytes ? peak : one.spill_peak_bytes;
}

void on_distributed_counters(const struct device_handle *handle, struct mesh_counters *counters)
{
	struct distributed *of = distributed_of(handle);
	uint32_t told[DISTRIBUTED_HOSTS_MAX][COUNTERS_WORDS], *words[DISTRIBUTED_HOSTS_MAX];
	uint32_t hosts = of->parts->taking;

	for (uint32_t i = 0; i < DISTRIBUTED_HOSTS_MAX; i++)
		words[i] = told[i];
	*counters = (struct mesh_counters){0};
	if (handle_look_ask(of, (struct wire_query){.what = ASKED_COUNTERS}, hosts, words,
		    COUNTERS_WORDS, DEADLINE_NEVER) != STATUS_OK)
		return;
	for (uint32_t i = 0; i < DISTRIBUTED_HOSTS_MAX; i++)
		if ((hosts >> i & 1) != 0)
			handle_look_add(counters, told[i]);
}

enum status on_distributed_rest(struct device_handle *handle, int64_t deadline_ns)
{
	struct distributed *of = distributed_of(handle);
	uint32_t *words[DISTRIBUTED_HOSTS_MAX] = {NULL};

	return handle_look_ask(of, (struct wire_query){.what = ASKED_REST}, of->parts->taking,
		words, 0, deadline_ns);
}

enum status distributed_measure(struct device_handle *handle, const struct measure *what)
{
	struct distributed *of = distributed_of(handle);
	struct controller *controller = of->controller;
	uint32_t *words[DISTRIBUTED_HOSTS_MAX] = {NULL}, hosts = of->parts->taking;
	struct order *order = order_new(of->parts, WIRE_measure_fabric, 0, hosts);
	struct awaited *awaited = table_await(
		controller, of->parts, AWAITED_WORDS, forward_number(controller, order), hosts);

	order->command.measure_fabric = (struct wire_measure_fabric){.step = what->step,
		.phase = (uint8_t)what->phase,
		.operation = what->operation,
		.address = what->address};
	awaited->kept = true;
	awaited->words = words;
	forward(controller, order);
	return table_wait(controller, awaited, DEADLINE_NEVER);
}

enum status on_distributed_core_result(struct device_handle *handle, uint16_t row, uint16_t column,
	uint32_t core, struct launch_result *result)
{
	struct distributed *of = distributed_of(handle);
	const struct device_range range = {row, column, row, column};
	uint32_t told[LAUNCH_RESULT_BYTES / 4], *words[DISTRIBUTED_HOSTS_MAX];
	uint8_t bytes[LAUNCH_RESULT_BYTES];
	enum status status;

	if (!device_range_valid(range, of->shape))
		return STATUS_OUT_OF_RANGE;
	for (uint32_t i = 0; i < DISTRIBUTED_HOSTS_MAX; i++)
		words[i] = told;
	status = handle_look_ask(of,
		(struct wire_query){
			.what = ASKED_RESULT, .row = row, .column = column, .core = core},
		distributed_hosts(of, range), words, LAUNCH_RESULT_BYTES / 4, DEADLINE_NEVER);
	if (status != STATUS_OK)
		return status;
	for (uint32_t i = 0; i < LAUNCH_RESULT_BYTES / 4; i++)
		bytes_put32(bytes + 4 * i, told[i]);
	launch_result_decode(bytes, result);
	return STATUS_OK;
}

enum status on_distributed_machine(
	const struct device_handle *handle, struct handle_machine *machine)
{
	struct distributed *of = distributed_of(handle);

	if (of->controller->settings.links == 0)
		return distributed_refuse(
			of, STATUS_UNSUPPORTED, "the devices are of several hosts");
	*machine = (struct handle_machine){.shape = of->shape, .offset = of->config.offset};
	return STATUS_OK;
}
