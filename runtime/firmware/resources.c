/* Measures the resources that every kind of stage needs on a chip, by placing the stage on an empty
 * tile. */
#include "firmware/resources.h"

#include "firmware/broadcast/broadcast.h"
#include "firmware/completion/aggregator.h"
#include "firmware/completion/upstream.h"
#include "firmware/core/stage.h"
#include "firmware/dispatch/dispatch.h"
#include "firmware/prefetch/prefetch.h"

#include <string.h>

struct stage_input {
	const struct firmware_limits *limits;
	uint32_t receivers, inputs;
};

static void place_h(struct tile_plan *plan, const struct stage_input *input)
{
	struct prefetch_layout layout;

	(void)prefetch_place(plan, PREFETCH_ROLE_H, input->limits, &layout);
}

static void place_d(struct tile_plan *plan, const struct stage_input *input)
{
	struct prefetch_layout layout;
	uint32_t ring;

	(void)prefetch_place(plan, PREFETCH_ROLE_D, input->limits, &layout);
	(void)tile_plan_bytes(plan, input->limits->fetch_ring_bytes, &ring);
}

static void place_hd(struct tile_plan *plan, const struct stage_input *input)
{
	struct prefetch_layout layout;

	(void)prefetch_place(plan, PREFETCH_ROLE_HD, input->limits, &layout);
}

static void place_packetizer(struct tile_plan *plan, const struct stage_input *input)
{
	struct packetizer_layout layout;

	(void)packetizer_place(plan, input->limits, (uint16_t)input->receivers, &layout);
}

static void place_mcast_prefetch(struct tile_plan *plan, const struct stage_input *input)
{
	struct packetizer_layout layout;

	(void)mcast_prefetch_place(plan, input->limits, (uint16_t)input->receivers, &layout);
}

static void place_depacketizer(struct tile_plan *plan, const struct stage_input *input)
{
	struct depacketizer_layout layout;

	(void)depacketizer_place(plan, input->limits, &layout);
}

static void place_dispatcher(struct tile_plan *plan, const struct stage_input *input)
{
	struct dispatch_layout layout;

	(void)dispatch_place(plan, input->limits, input->inputs, &layout);
}

/* dispatch_s uses two words of the dispatcher, through which the dispatcher hands launches over. */
static void place_dispatch_s(struct tile_plan *plan, const struct stage_input *input)
{
	uint32_t address;

	(void)input;
	(void)tile_plan_words(plan, 2, &address);
}

static void place_dispatch_h(struct tile_plan *plan, const struct stage_input *input)
{
	struct dispatch_h_layout layout;

	(void)dispatch_h_place(plan, input->limits, &layout);
}

static void place_aggregator(struct tile_plan *plan, const struct stage_input *input)
{
	struct aggregator_layout layout;

	(void)aggregator_place(plan, input->receivers, 0, &layout);
}

static const struct {
	const char *role, *description, *section;
	bool pcie, spills;
	void (*place)(struct tile_plan *plan, const struct stage_input *input);
} stages[] = {
	{"prefetch_hd", "reads an issue queue and executes its commands", "flow 6.3", true, false,
		place_hd},
	{"prefetch_h", "reads an issue queue for another chip or for a packetizer", "3.8.1", true,
		false, place_h},
	{"prefetch_d", "executes prefetch commands that come over a link", "3.8.1", false, false,
		place_d},
	{"packetizer", "multicasts prefetch commands over the fabric", "3.8.1, 3.8.2", false, false,
		place_packetizer},
	{"mcast_prefetch_h", "reads an issue queue and multicasts it, as prefetch_h and packetizer",
		"3.8.1", true, false, place_mcast_prefetch},
	{"depacketizer", "receives broadcast commands, with a spill buffer", "3.8.1, 3.8.2", false,
		true, place_depacketizer},
	{"dispatcher", "executes dispatch commands", "flow 6.4, 3.8.3", false, false,
		place_dispatcher},
	{"dispatch_s", "waits for workers and sends their go signals, beside a dispatcher", "3.8.5",
		false, false, place_dispatch_s},
	{"dispatch_h", "writes completions of a chip behind a gateway to the host", "3.8.7", true,
		false, place_dispatch_h},
	{"aggregator", "gathers events of a grid for one notification", "3.8.7.2, 3.11.2", true,
		false, place_aggregator},
};

/* Measures a stage on an empty tile with unlimited room. */
static void stage_measure(
	size_t index, const struct stage_input *input, struct stage_resources *out)
{
	struct tile_plan plan = {
		.next_word = 0, .word_end = 1u << 24, .next_byte = 0, .byte_end = UINT32_MAX};

	stages[index].place(&plan, input);
	*out = (struct stage_resources){
		.role = stages[index].role,
		.description = stages[index].description,
		.section = stages[index].section,
		.processors = 1,
		.words = plan.next_word / 4,
		.l1_bytes = plan.next_byte,
		.dram_bytes = stages[index].spills ? input->limits->spill_bytes : 0,
		.pcie = stages[index].pcie,
	};
}

bool stage_resources_row(size_t index, const struct firmware_limits *limits, uint32_t receivers,
	uint32_t inputs, struct stage_resources *out)
{
	const struct stage_input input = {limits, receivers, inputs};

	if (index >= sizeof stages / sizeof stages[0])
		return false;
	stage_measure(index, &input, out);
	return true;
}
