/* Prepares recorded operations for their replay, and writes its scenario (see fabric_trace.h). */
#include "bench/tools/noc_trace/noc_trace.h"
#include "fabric_private.h"

static const char *const scenario_ways[FABRIC_TRACE_WAYS] = {"packet", "ideal"};

const char *fabric_trace_way(uint32_t way)
{
	return scenario_ways[way];
}

bool fabric_trace_prepare(struct fabric_trace *trace, const struct platform *platform,
	struct arena *arena, struct diag *diag)
{
	struct preparing preparing = {trace, platform, arena, diag};
	bool good = true;

	for (uint32_t i = 0; i < trace->device_count; i++)
		good = fabric_packets(&preparing, &trace->devices[i]) && good;
	if (!good)
		return false;
	fabric_waits(trace, arena);
	for (uint32_t i = 0; i < trace->device_count; i++) {
		struct fabric_device *device = &trace->devices[i];

		good = fabric_routes(&preparing, device) && good;
		for (uint32_t k = 0; k < device->trace.kernel_count; k++)
			device->prints += noc_trace_prints(&device->trace.kernels[k]);
	}
	return good;
}

static bool scenario_is_core(void *context, uint16_t x, uint16_t y)
{
	const struct fabric_trace *trace = context;

	for (uint32_t i = 0; i < trace->device_count; i++)
		for (uint32_t k = 0; k < trace->devices[i].trace.kernel_count; k++) {
			const struct noc_trace_kernel *kernel = &trace->devices[i].trace.kernels[k];

			if (kernel->x == x && kernel->y == y)
				return true;
		}
	return false;
}

static bool write_device(
	struct writing *writing, const struct fabric_device *device, uint32_t bytes, uint64_t delay)
{
	bool good = true;

	text_printf(writing->yaml,
		"      - program: device-%u\n        devices: {shape: [1, 1], offset: [0, %u]}\n"
		"        circular_buffers: 1\n        circular_buffer_pages: 1\n"
		"        circular_buffer_bytes: %u\n        semaphores: 2\n        kernels:\n",
		device->id, device->place, bytes);
	writing->delay = delay + device->launch;
	for (uint32_t i = 0; i < device->trace.kernel_count; i++)
		if (device->trace.kernels[i].event_count > 0)
			good = writing_kernel(writing, &device->trace.kernels[i]) && good;
	return good;
}

bool fabric_trace_scenario(struct fabric_trace *trace, const struct platform *platform,
	const char *machine, uint32_t way, const uint64_t *delays, struct diag *diag,
	struct text *yaml)
{
	const struct fabric_wiring *wiring = trace->wiring;
	struct writing writing = writing_of(platform, diag, yaml);
	uint32_t bytes = 16;
	bool good = true;

	writing.fabric = true;
	writing.is_core = scenario_is_core;
	writing.context = trace;
	for (uint32_t i = 0; i < trace->device_count; i++)
		if (noc_trace_most_bytes(&trace->devices[i].trace) > bytes)
			bytes = noc_trace_most_bytes(&trace->devices[i].trace);
	text_append(yaml, "meshsim: 1\nname: replay\nplatform:\n  extends: ");
	text_append_json(yaml, machine);
	text_printf(yaml,
		"\n  topology: {mesh: [1, %u], wrap: [%s, false], links: %u, pcie: all}\n"
		"runtime: {fabric: {topology: %s}}\nmodel: {network: %s, noc: %s}\n"
		"workload:\n  - enqueue_workload:\n      programs:\n",
		wiring->device_count, wiring->ring ? "true" : "false", wiring->links,
		wiring->ring ? "ring" : "line", fabric_trace_way(way),
		way == FABRIC_TRACE_IDEAL ? "interfaces" : "links");
	for (uint32_t i = 0; i < trace->device_count; i++)
		good = write_device(&writing, &trace->devices[i], bytes, delays[i]) && good;
	text_append(yaml, "  - finish\n");
	text_printf(yaml, "measure: {warmup: 0, verify: false, prints: %u}\n", writing.number);
	return good;
}
