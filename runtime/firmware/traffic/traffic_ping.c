/* The two ends of a ping-pong, see traffic.h. Only one packet is travelling at a time. */
#include <stdlib.h>

#include "base/ensure.h"
#include "command/bytes.h"
#include "firmware/core/stage.h"
#include "firmware/traffic/traffic.h"

struct ping {
	struct stage_base base;
	struct ping_config config;
	uint32_t sent, seen;
	uint32_t first_value; /* initial value of the word for which this end waits */
	bool started;
};

/* Returns the address of the word that shows the arrival of a packet. */
static uint32_t notice_word(const struct ping_config *config)
{
	if (config->op == TRAFFIC_FUSED_ATOMIC_INC)
		return config->target.word;
	return config->target.address + config->payload_bytes - (uint32_t)sizeof(uint32_t);
}

static void mark(const struct ping *ping, uint32_t sample, enum mark_point point)
{
	world->mark(ping->config.first_operation + sample, point, ping->base.marked_chip);
}

static void traffic_ping_send(struct stage_base *base)
{
	struct ping *ping = (struct ping *)base;
	const struct ping_config *config = &ping->config;
	struct extent *payload = extent_new(config->payload_bytes);

	for (uint32_t i = 0; i < config->payload_bytes; i++)
		payload->bytes[i] = 0;
	bytes_put32(payload->bytes + config->payload_bytes - sizeof(uint32_t),
		config->first_operation + ++ping->sent);
	device_row->fabric_write(&base->stage, config->tree, config->target.tile,
		config->target.address, span_of(payload), config->target.word,
		config->op == TRAFFIC_FUSED_ATOMIC_INC);
	extent_release(payload);
	if (!config->asks)
		mark(ping, ping->sent - 1, MARK_SENT);
}

static void notice(struct stage_base *base)
{
	struct ping *ping = (struct ping *)base;

	mark(ping, ping->seen++, ping->config.asks ? MARK_SEEN : MARK_RECEIVED);
	if (ping->config.asks && ping->seen < ping->config.samples)
		mark(ping, ping->seen, MARK_CALLED);
}

static void first(struct stage_base *base)
{
	struct ping *ping = (struct ping *)base;

	mark(ping, 0, MARK_CALLED);
	traffic_ping_send(base);
}

static int64_t traffic_ping_begin(struct stage *stage, struct stage_wait *wait)
{
	struct ping *ping = (struct ping *)stage;
	const struct ping_config *config = &ping->config;
	const struct firmware_prices *price = &ping->base.firmware->price;
	bool may_send = config->asks ? ping->sent == ping->seen : ping->sent < ping->seen;
	uint32_t word = notice_word(config);

	if (!ping->started && config->asks && !traffic_started(stage, &config->start))
		return traffic_wait_for_start(wait, &config->start);
	ping->started = true;
	if (ping->sent == config->samples && ping->seen == config->samples)
		return STAGE_ENDED;
	if (may_send && !device_row->fabric_ready(stage, config->tree))
		return block_on_fabric(wait, config->tree, "a slot of the router");
	if (may_send && config->asks && ping->sent == 0)
		return stage_plan(&ping->base, CHARGED(price, traffic_packet, 1), first);
	if (may_send)
		return stage_plan(&ping->base,
			config->asks ? CHARGED(price, traffic_packet, 1)
				     : CHARGED(price, traffic_answer, 1),
			traffic_ping_send);
	if (device_row->word(stage, word) == ping->first_value + ping->seen + 1)
		return stage_plan(&ping->base, 0, notice);
	*wait = (struct stage_wait){.on = STAGE_WAIT_WORD,
		.address = word,
		.value = ping->first_value + ping->seen + 1,
		.what = "the packet of the other end"};
	return STAGE_BLOCKED;
}

static const struct stage_ops ping_ops = STAGE_OPS("traffic_ping", traffic_ping_begin);

struct stage *traffic_ping_new(const struct firmware *firmware, const struct ping_config *config)
{
	struct ping *ping = stage_new(sizeof *ping, &ping_ops, firmware, config->place);

	ensure(config->samples > 0 && config->payload_bytes >= sizeof(uint32_t) &&
			config->payload_bytes % sizeof(uint32_t) == 0 &&
			config->op != TRAFFIC_SCATTER_WRITE,
		"%u pings of %u B", config->samples, config->payload_bytes);
	ping->config = *config;
	/* The first value is not read from the word, because the other end may already have changed
	 * the word. */
	ping->first_value = config->op == TRAFFIC_FUSED_ATOMIC_INC ? config->increments
								   : config->first_operation;
	return &ping->base.stage;
}
