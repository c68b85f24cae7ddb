/* The gate of a device's events on the way to an aggregator, see aggregator.h. For stages only. */
#ifndef FIRMWARE_COMPLETION_GATE_H
#define FIRMWARE_COMPLETION_GATE_H

#include "command/completion.h"
#include "firmware/completion/completion.h"
#include "firmware/core/stage.h"

struct gate {
	struct gate_config config;
	uint32_t announced;
};

void gate_init(struct gate *gate, const struct gate_config *config);

/* 0 if an event may be announced now, else BLOCKED after filling *wait. */
int64_t gate_check(const struct gate *gate, const struct stage *stage, struct stage_wait *wait);

/* Price of an announcement. */
uint64_t gate_price(const struct gate *gate, const struct firmware *firmware);

/* Announces an event; marks it. In commit. */
void gate_announce(
	struct gate *gate, struct stage_base *base, const struct completion_record *record);

#endif
