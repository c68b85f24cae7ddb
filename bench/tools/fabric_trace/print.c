/* Prints the outcome of replays of recorded operations (see fabric_trace.h), as tables or as
 * JSON. */
#include <math.h>
#include <stdio.h>

#include "base/json.h"
#include "bench/tools/fabric_trace/fabric_trace.h"

enum { NAME_WIDTH = 32 };

/* Returns the prediction of a device. */
static struct fabric_prediction prediction_of(const struct fabric_trace *trace,
	const struct fabric_outcome *outcome, uint32_t way, uint32_t device)
{
	return outcome->devices[way * trace->device_count + device];
}

static double error_of(double predicted, double measured)
{
	return measured > 0 ? predicted / measured - 1 : 0;
}

/* Returns the error of the time for which a device was busy, without its wait for other devices. */
static double busy_error(const struct fabric_trace *trace, const struct fabric_outcome *outcome,
	uint32_t way, uint32_t number)
{
	const struct fabric_device *device = &trace->devices[number];
	struct fabric_prediction prediction = prediction_of(trace, outcome, way, number);

	return error_of(
		prediction.cycles - prediction.waited, (double)(device->measured - device->waited));
}

static double trace_error(
	const struct fabric_trace *trace, const struct fabric_outcome *outcome, uint32_t way)
{
	return error_of(prediction_of(trace, outcome, way, trace->last).cycles,
		(double)trace->devices[trace->last].measured);
}

static void print_fabric_trace(
	const struct fabric_trace *trace, const struct fabric_outcome *outcome)
{
	const struct fabric_device *last = &trace->devices[trace->last];

	printf("%-*.*s  %7u  %7u  %9llu", NAME_WIDTH, NAME_WIDTH, trace->name, trace->device_count,
		trace->packets, (unsigned long long)last->measured);
	if (!outcome->ran) {
		printf("  %s\n", text_string(&outcome->reason));
		return;
	}
	printf("  %9.0f", prediction_of(trace, outcome, 0, trace->last).cycles);
	for (uint32_t way = 0; way < FABRIC_TRACE_WAYS; way++)
		printf("  %+7.1f", 100 * trace_error(trace, outcome, way));
	printf("\n");
}

static void print_fabric_devices(
	const struct fabric_trace *trace, const struct fabric_outcome *outcome)
{
	for (uint32_t i = 0; i < trace->device_count && outcome->ran; i++) {
		const struct fabric_device *device = &trace->devices[i];
		struct fabric_prediction prediction = prediction_of(trace, outcome, 0, i);

		printf("%-*.*s  %6u  %9llu  %9llu  %9.0f  %+7.1f  %9llu  %9.0f\n", NAME_WIDTH,
			NAME_WIDTH, i == 0 ? trace->name : "", device->id,
			(unsigned long long)device->launch,
			(unsigned long long)(device->measured - device->waited),
			prediction.cycles - prediction.waited,
			100 * busy_error(trace, outcome, 0, i), (unsigned long long)device->waited,
			prediction.waited);
	}
}

void fabric_traces_print(const struct fabric_traces *traces, const struct fabric_outcome *outcomes,
	const char *machine)
{
	printf("Durations of %u recorded operation%s, replayed on chips of %s\n\n", traces->count,
		traces->count == 1 ? "" : "s", machine);
	printf("%-*s  %7s  %7s  %9s  %26s\n", NAME_WIDTH, "operation", "devices", "packets",
		"measured", "predicted with model.network");
	printf("%-*s  %7s  %7s  %9s  %9s  %7s  %7s\n", NAME_WIDTH, "", "", "", "", "packet",
		"packet", "ideal");
	printf("%-*s  %7s  %7s  %9s  %9s  %7s  %7s\n", NAME_WIDTH, "", "", "", "cycles", "cycles",
		"%", "%");
	for (uint32_t i = 0; i < traces->count; i++)
		print_fabric_trace(&traces->traces[i], &outcomes[i]);
	printf("\nThe duration is from the launch of the last device to its end. Devices that were "
	       "launched\nearlier waited for it:\n\n");
	printf("%-*s  %6s  %9s  %9s  %9s  %7s  %9s  %9s\n", NAME_WIDTH, "operation", "device",
		"launched", "busy:", "", "", "waited:", "");
	printf("%-*s  %6s  %9s  %9s  %9s  %7s  %9s  %9s\n", NAME_WIDTH, "", "", "after", "measured",
		"predicted", "", "measured", "predicted");
	printf("%-*s  %6s  %9s  %9s  %9s  %7s  %9s  %9s\n", NAME_WIDTH, "", "", "cycles", "cycles",
		"cycles", "%", "cycles", "cycles");
	for (uint32_t i = 0; i < traces->count; i++)
		print_fabric_devices(&traces->traces[i], &outcomes[i]);
}

static void json_device(struct json *json, const struct fabric_trace *trace,
	const struct fabric_outcome *outcome, uint32_t number)
{
	const struct fabric_device *device = &trace->devices[number];

	json_object(json);
	json_unsigned_of(json, "device", device->id);
	json_unsigned_of(json, "launched_after_cycles", device->launch);
	json_unsigned_of(json, "cycles", device->measured);
	json_unsigned_of(json, "wait_cycles", device->waited);
	json_array_of(json, "predicted_cycles");
	for (uint32_t way = 0; way < FABRIC_TRACE_WAYS && outcome->ran; way++)
		json_real(json, prediction_of(trace, outcome, way, number).cycles);
	json_array_end(json);
	json_array_of(json, "predicted_wait_cycles");
	for (uint32_t way = 0; way < FABRIC_TRACE_WAYS && outcome->ran; way++)
		json_real(json, prediction_of(trace, outcome, way, number).waited);
	json_array_end(json);
	json_object_end(json);
}

static void json_fabric_trace(
	struct json *json, const struct fabric_trace *trace, const struct fabric_outcome *outcome)
{
	json_object(json);
	json_text(json, "name", trace->name);
	json_text(json, "topology", trace->wiring->ring ? "ring" : "line");
	json_unsigned_of(json, "packets", trace->packets);
	json_text(json, "reason", outcome->ran ? NULL : text_string(&outcome->reason));
	json_unsigned_of(json, "last_device", trace->devices[trace->last].id);
	json_unsigned_of(json, "cycles", trace->devices[trace->last].measured);
	json_array_of(json, "predicted_cycles");
	for (uint32_t way = 0; way < FABRIC_TRACE_WAYS && outcome->ran; way++)
		json_real(json, prediction_of(trace, outcome, way, trace->last).cycles);
	json_array_end(json);
	json_array_of(json, "devices");
	for (uint32_t i = 0; i < trace->device_count; i++)
		json_device(json, trace, outcome, i);
	json_array_end(json);
	json_object_end(json);
}

void fabric_traces_print_json(const struct fabric_traces *traces,
	const struct fabric_outcome *outcomes, const char *machine)
{
	struct json json;

	json_start(&json, NULL);
	json_object(&json);
	json_text(&json, "platform", machine);
	json_array_of(&json, "ways");
	for (uint32_t way = 0; way < FABRIC_TRACE_WAYS; way++)
		json_string(&json, fabric_trace_way(way));
	json_array_end(&json);
	json_array_of(&json, "operations");
	for (uint32_t i = 0; i < traces->count; i++)
		json_fabric_trace(&json, &traces->traces[i], &outcomes[i]);
	json_array_end(&json);
	json_object_end(&json);
	json_print(&json, stdout);
}
