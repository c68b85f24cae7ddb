/* Checks that the sizes of the firmware fit together. tile_plan.c checks that they fit into L1. */
#include "firmware/core/firmware.h"

#include "command/bytes.h"
#include "command/completion.h"
#include "command/dispatch.h"
#include "command/issue_queue.h"
#include "command/kernel_tile.h"

void firmware_limits_plain(struct firmware_limits *limits)
{
	*limits = (struct firmware_limits){
		.fetch_entries = 64,
		.fetch_entry_bytes = 32 * 1024,
		.fetch_ring_bytes = 64 * 1024,
		.fetch_outstanding = 4,
		.fetch_read_bytes = 4096,
		.scratch_bytes = 64 * 1024,
		.scratch_batch_bytes = 4096,
		.scratch_batch_reads = 8,
		.cache_bytes = 256 * 1024,
		.execute_ring_bytes = 16 * 1024,
		.execute_parts = 2,
		.relay_write_bytes = 4096,
		.dispatch_ring_bytes = 64 * 1024,
		.dispatch_page_bytes = 4096,
		.packetizer_ring_bytes = 64 * 1024,
		.landing_ring_bytes = 64 * 1024,
		.receive_ring_bytes = 64 * 1024,
		.spill_bytes = 256 * 1024,
		.spill_scratch_bytes = 16 * 1024,
		.dispatch_h_ring_bytes = 64 * 1024,
		.host_write_bytes = 4096,
		.credit_batch_bytes = 4096,
		.fabric_credit_batch_bytes = 8192,
		.fabric_ring_blocks = 4,
		.stage_image_bytes = 4096,
		.worker_image_bytes = 2048,
		.router_image_bytes = 2048,
		.circular_buffer_pages = 2,
		.kernel_instructions = 10,
		.kernel_outstanding = 16,
		.tile_registers = 16,
	};
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* One rule: `size` is a multiple of `align` and lies in [low, high]. */
struct rule {
	const char *name;
	uint32_t size, align;
	uint64_t low, high;
};

#define RULE(name, align, low, high)                                                               \
	{                                                                                          \
#name, limits->name, align, low, high                                              \
	}

enum status firmware_limits_check(
	const struct firmware_limits *limits, const char **which, struct text *why)
{
	const uint32_t unit = COMMAND_ALIGN, most = 1u << 30;
	const uint32_t near = least(limits->packetizer_ring_bytes,
		least(limits->dispatch_ring_bytes, limits->receive_ring_bytes));
	const uint32_t far = least(limits->fetch_ring_bytes, limits->dispatch_h_ring_bytes);
	const uint32_t packed = DISPATCH_PACKED_MAX * 2 + 2 * COMMAND_BYTES;
	const struct rule rules[] = {
		RULE(fetch_entries, 1, 1, 1 << 16),
		RULE(fetch_entry_bytes, unit, unit, ISSUE_ENTRY_MAX),
		RULE(fetch_ring_bytes, unit, limits->fetch_entry_bytes, most),
		RULE(fetch_outstanding, 1, 1, 1024),
		RULE(fetch_read_bytes, unit, unit, most),
		RULE(scratch_bytes, 2 * unit, 2 * unit, most),
		RULE(scratch_batch_bytes, unit, unit, most),
		RULE(scratch_batch_reads, 1, 1, most),
		RULE(cache_bytes, unit, 0, 1 << 20),
		RULE(execute_ring_bytes, 2 * unit, 2 * unit, most),
		RULE(execute_parts, 1, 1, 2),
		RULE(relay_write_bytes, unit, unit, most),
		RULE(dispatch_ring_bytes, unit, packed, most),
		RULE(dispatch_page_bytes, unit, unit, limits->dispatch_ring_bytes),
		RULE(packetizer_ring_bytes, unit, 2 * unit, most),
		RULE(landing_ring_bytes, unit, 16 * unit, most),
		RULE(receive_ring_bytes, unit, 2 * unit, most),
		RULE(spill_bytes, unit, 0, most),
		RULE(spill_scratch_bytes, unit, unit, most),
		RULE(dispatch_h_ring_bytes, unit, 4 * unit, most),
		RULE(host_write_bytes, COMPLETION_BYTES, COMPLETION_BYTES, most),
		/* at most half of the smallest ring */
		RULE(credit_batch_bytes, unit, unit, near / 2),
		RULE(fabric_credit_batch_bytes, unit, unit, far / 2),
		RULE(fabric_ring_blocks, 1, 2, far / unit),
		RULE(stage_image_bytes, unit, 0, most),
		RULE(worker_image_bytes, unit, 0, most),
		RULE(router_image_bytes, unit, 0, most),
		RULE(circular_buffer_pages, 1, 1, 255),
		RULE(kernel_instructions, 1, 1, 1000000),
		RULE(kernel_outstanding, 1, 1, 1 << 16),
		RULE(tile_registers, 4, 16, 2 * KERNEL_DESTINATIONS),
	};

	for (uint32_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
		const struct rule *rule = &rules[i];

		if (rule->size % rule->align == 0 && rule->size >= rule->low &&
			rule->size <= rule->high)
			continue;
		*which = rule->name;
		if (why)
			text_printf(why, "a multiple of %u from %llu to %llu", rule->align,
				(unsigned long long)rule->low, (unsigned long long)rule->high);
		return STATUS_OUT_OF_RANGE;
	}
	return STATUS_OK;
}
