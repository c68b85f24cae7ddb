/* Answers the queries that the controller sends for its reports and checks. A query asks for the
 * counters of the executor's mesh, or for the result that launches have stored on a core. Also
 * takes part in measurements of the fabric. */
#include <string.h>

#include "base/refuse.h"
#include "command/bytes.h"
#include "distributed/common/described.h"
#include "executor_private.h"

static void executor_query_tell(struct served *served, const struct wire_query *message,
	const uint32_t *words, uint32_t count)
{
	const struct wire_command answer = {.kind = WIRE_told,
		.told = {.number = message->number,
			.queue = message->queue,
			.words = {words, count}}};

	executor_answer(served->executor, &answer);
}

static enum status tell_counters(struct served *served, const struct wire_query *message)
{
	uint64_t numbers[COUNTERS_WORDS / 2];
	uint32_t words[COUNTERS_WORDS];
	struct mesh_counters counters;

	mesh_device_counters(served->mesh, &counters);
	memcpy(numbers, &counters, sizeof numbers);
	for (uint32_t i = 0; i < COUNTERS_WORDS; i++)
		words[i] = (uint32_t)(numbers[i / 2] >> 32 * (i % 2));
	executor_query_tell(served, message, words, COUNTERS_WORDS);
	return STATUS_OK;
}

static enum status tell_result(
	struct served *served, const struct wire_query *message, struct text *why)
{
	const struct device_range wanted = {
		message->row, message->column, message->row, message->column};
	struct mesh_device *mesh = served->mesh;
	const struct chip_geometry *geometry;
	uint8_t bytes[LAUNCH_RESULT_BYTES];
	uint32_t words[LAUNCH_RESULT_BYTES / 4], workers;
	struct device_range at;
	enum status status;
	uint16_t chip, tile;

	if (!part_cut(&served->near, wanted, &at) || !part_cut(&served->part, wanted, &at))
		return STATUS_OK;
	chip = mesh_device_chip(mesh, at.row0, at.column0);
	geometry = device_row->info(served->executor->cluster)->chips[chip].geometry;
	workers = (uint32_t)geometry->worker_columns * geometry->worker_rows;
	if (message->core >= workers + mesh_ethernet_cores(mesh))
		return refuse(why, STATUS_OUT_OF_RANGE, "core %u", message->core);
	tile = message->core < workers ? geometry->worker_tiles[message->core]
				       : mesh_ethernet_tile(mesh, message->core - workers);
	status = device_row->inspect(device_row->chip(served->executor->cluster, chip), tile,
		mesh_worker_result(mesh), sizeof bytes, bytes);
	for (uint32_t i = 0; i < LAUNCH_RESULT_BYTES / 4; i++)
		words[i] = bytes_get32(bytes + 4 * i);
	if (status == STATUS_OK)
		executor_query_tell(served, message, words, LAUNCH_RESULT_BYTES / 4);
	return status;
}

enum status executor_query(
	struct served *served, const struct wire_query *message, struct text *why)
{
	enum status status;

	if (served->mesh == NULL)
		return refuse(why, STATUS_NOT_FOUND, "no mesh is open");
	switch (message->what) {
	case ASKED_REST:
		status = device_row->drain(served->executor->cluster, DEADLINE_NEVER);
		if (status == STATUS_OK)
			executor_query_tell(served, message, NULL, 0);
		return status;
	case ASKED_COUNTERS:
		return tell_counters(served, message);
	case ASKED_RESULT:
		return tell_result(served, message, why);
	default:
		return refuse(why, STATUS_INVALID, "query %u", message->what);
	}
}

enum status executor_measure(
	struct served *served, const struct wire_measure_fabric *message, struct text *why)
{
	const struct executor_settings *settings = served->executor->settings;
	const struct measure what = {
		.step = message->step,
		.phase = (enum measure_phase)message->phase,
		.operation = message->operation,
		.address = message->address,
	};
	const struct wire_command answer = {
		.kind = WIRE_told, .told = {.number = message->number, .queue = message->queue}};
	enum status status;

	if (settings->measure == NULL)
		return refuse(why, STATUS_UNSUPPORTED, "this executor measures nothing");
	status = settings->measure(settings->measure_context, &what, why);
	if (status == STATUS_OK)
		executor_answer(served->executor, &answer);
	return status;
}
