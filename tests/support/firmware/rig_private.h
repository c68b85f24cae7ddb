/* Declarations that the files of the rig share. */
#ifndef TEST_RIG_PRIVATE_H
#define TEST_RIG_PRIVATE_H

#include "rig.h"

/* Tiles of a chip that are used for dispatch. Chips that are gateways use the first half. */
enum {
	AT_H,
	AT_DISPATCH_H,
	AT_PACKETIZER,
	AT_BROADCAST_H,
	AT_D,
	AT_DISPATCHER,
	AT_DEPACKETIZER,
	AT_MORE_H /* for more chips behind a gateway, in pairs */
};
uint16_t rig_tile_at(const struct rig_chip *chip, uint32_t place);
struct rig_chip *rig_chip_get(struct rig *rig, uint16_t number);
struct stage_place rig_place(const struct rig_chip *chip, uint32_t at);
void rig_attach(const struct rig_chip *chip, struct stage *stage);
struct fabric_tree *rig_way(struct rig *rig, uint16_t from, uint16_t to);
struct link_layout rig_link_make(struct rig *rig, const struct rig_chip *from, uint32_t from_at,
	uint32_t credit_word, const struct rig_chip *to, uint32_t to_at, uint32_t arrival_word,
	uint32_t ring, uint32_t ring_bytes);
struct issue_queue *rig_issue_make(
	const struct rig_chip *chip, uint32_t at, const struct prefetch_layout *layout);
struct prefetch_config rig_issue_reader(
	const struct rig_chip *chip, uint32_t at, struct issue_queue *queue, uint32_t reader);
struct link_layout rig_dispatch_link(
	struct rig_chip *chip, uint32_t at, const struct prefetch_layout *layout, uint32_t index);
void rig_dispatcher_start(struct rig_chip *chip);
struct rig_chip *rig_local_plan(struct rig *rig, uint16_t number);
struct rig_chip *rig_remote_plan(struct rig *rig, uint16_t number);

/* rig_stream.c */
struct worker_rect rig_all_workers(const struct rig_chip *chip);

#endif
