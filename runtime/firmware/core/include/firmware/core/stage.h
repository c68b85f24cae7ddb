/* Declares struct stage_base. The struct of every firmware stage except the worker begins with it.
 * Also declares functions that stages share: prices, faults, and the return values of begin(). Only
 * for the code of stages. */
#ifndef FIRMWARE_CORE_STAGE_H
#define FIRMWARE_CORE_STAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "firmware/core/firmware.h"
#include "world/device.h"

/* The firmware's costs in thousandths of a cycle. The costs are integers, so that sums of costs are
 * the same on every machine. */
struct firmware_prices {
#define X(name, base, what) uint64_t name;
#include "firmware/core/costs.def"
#undef X
};

/* The costs as numbers, for charging in begin() (device.h). */
enum firmware_cost {
#define X(name, base, what) COST_##name,
#include "firmware/core/costs.def"
#undef X
	FIRMWARE_COST_COUNT
};

static inline uint64_t firmware_charge(enum firmware_cost cost, uint64_t price)
{
	if (price > 0)
		device_row->charge(cost, price);
	return price;
}

/* Adds `count` times the cost `name` to the cost of the current step. The macro's value is the
 * price that was added. Use it in begin(). */
#define CHARGED(prices, name, count) firmware_charge(COST_##name, (prices)->name *(uint64_t)(count))

struct firmware {
	struct firmware_prices price;
	struct firmware_limits limits;
	struct firmware_faults faults;
	bool physical;		 /* commands contain physical coordinates */
	bool one_command_buffer; /* true: dispatchers have one command buffer for writes; false:
				  * they have two */
	bool preload;		 /* set by firmware_set_preload() */
	bool profile;		 /* set by firmware_set_profile() */
	uint32_t first_chip;	 /* set by firmware_number_from() */
};

/* Rounds a sum of prices to the nearest number of whole cycles. */
static inline int64_t price_cycles(uint64_t price)
{
	return (int64_t)((price + 500) / 1000);
}

/* Converts a sum of prices to whole cycles of a processor. `slowdown` is the factor by which the
 * processor is slower, in thousandths: 1000 is normal speed. */
static inline int64_t slowed_cycles(uint64_t price, uint64_t slowdown)
{
	return price_cycles(slowdown == 1000 ? price : price * slowdown / 1000);
}

/* The first member of every stage's struct. begin() sets `plan` and returns the cost of the step.
 * commit() calls `plan`, which does the work of the step. */
struct stage_base {
	struct stage stage;
	const struct firmware *firmware;
	uint32_t slowdown; /* slowdown of the tile's processor, in thousandths */
	uint16_t chip;
	uint32_t marked_chip; /* number of the chip in marks */
	bool ended;
	const char *halted;	     /* reason why the stage has halted for good, or NULL */
	struct firmware_fault fault; /* the fault that the next commit reports */
	void (*plan)(struct stage_base *base);
	void (*fini)(struct stage_base *base); /* frees the allocations of the stage; may be NULL */
};

/* Allocates the struct of a stage, which has `bytes` bytes, and sets it to zeros. Then initializes
 * the struct stage_base at its start. */
void *stage_new(size_t bytes, const struct stage_ops *ops, const struct firmware *firmware,
	struct stage_place place);

/* Reports a fault to the harness. Ends the process if nothing receives faults. */
void firmware_report(const struct firmware *firmware, const struct firmware_fault *fault);

/* Plans a step that reports a fault and halts the stage. begin() must return the value of this
 * function. After the step the stage is blocked for good; `detail` (static text) is the reason. */
int64_t stage_fault(
	struct stage_base *base, enum fault_kind kind, uint32_t address, const char *detail);

/* Checks whether begin() may continue. Returns 0 if it may. Returns STAGE_ENDED if the stage has
 * ended. Fills in *wait and returns STAGE_BLOCKED if the stage is halted. If the value is not 0,
 * begin() must return it. */
int64_t stage_over(const struct stage_base *base, struct stage_wait *wait);

/* The commit() of every stage with this base. */
void stage_commit(struct stage *stage);

/* Initializes the operations of a stage with its role and its begin(). */
#define STAGE_OPS(role, begin_step)                                                                \
	{                                                                                          \
		.name = (role), .begin = (begin_step), .commit = stage_commit                      \
	}

/* Plans a step that costs `price`; its commit() calls `plan`. Returns the value for begin(). */
static inline int64_t stage_plan(
	struct stage_base *base, uint64_t price, void (*plan)(struct stage_base *base))
{
	base->plan = plan;
	if (base->slowdown > 1000)
		firmware_charge(COST_ethernet_slowdown, price * (base->slowdown - 1000) / 1000);
	return slowed_cycles(price, base->slowdown);
}

/* ---- functions that block a stage and record the reason; all return STAGE_BLOCKED ---- */

int64_t block_on_tile(struct stage_wait *wait, bool idle, const char *what);

/* Blocks the stage until a word in [range, range + range_bytes) changes, or until a posted read of
 * the stage ends. Nothing else wakes the stage. */
int64_t block_on_arrival(
	struct stage_wait *wait, bool idle, uint32_t range, uint32_t range_bytes, const char *what);
int64_t block_on_word(struct stage_wait *wait, uint32_t address, uint32_t value, const char *what);
int64_t block_on_writes(struct stage_wait *wait, uint32_t value, const char *what);
int64_t block_on_fabric(struct stage_wait *wait, struct fabric_tree *tree, const char *what);

/* ---- the machine ---- */

const struct chip_geometry *stage_geometry(const struct stage_base *base);

/* Returns the slowdown of a processor on a tile, in thousandths. */
uint32_t tile_slowdown(
	const struct firmware *firmware, const struct chip_geometry *geometry, uint16_t tile);

/* Returns the size of the largest fabric packet, in bytes, rounded down to whole units of 16 B. */
uint32_t stage_packet_bytes(const struct stage_base *base);

/* Returns true if [address, address + length) lies in the memory of `tile`. */
bool stage_reaches(const struct stage_base *base, uint32_t tile, uint64_t address, uint64_t length);

/* The banks over which pages are interleaved: their tiles, and the number of banks. */
struct banks {
	const uint16_t *tiles;
	uint32_t count;
};

struct banks stage_banks(const struct stage_base *base, bool l1);

/* Returns true if pages `first` to `first + count - 1` lie in the memories of their banks. Pages
 * have `page_bytes` bytes each and are interleaved over `banks`; page 0 is at `address`. */
bool stage_reaches_pages(const struct stage_base *base, struct banks banks, uint32_t address,
	uint32_t page_bytes, uint64_t first, uint64_t count);

static inline uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Allocates words, L1 and processors of one dispatch tile, so that several stages can share the
 * tile. Bring-up and tests use it. A plan never frees an allocation. To use memory of a tile again,
 * make a new plan in which only this memory is free. */

enum { TILE_PROCESSORS = 5 };

struct tile_plan {
	uint16_t tile;
	uint32_t next_word, word_end; /* addresses in bytes */
	uint32_t next_byte, byte_end;
	uint8_t processors; /* one bit for each processor in use */
	uint8_t processor_end;
};

/* Initializes a plan for a Tensix or Ethernet tile. The whole tile is free, except word 0. An
 * Ethernet tile has one processor. */
void tile_plan_init(struct tile_plan *plan, const struct chip_geometry *geometry, uint16_t tile);

/* Allocates `count` consecutive words, and sets *address to the address of the first. Returns OK,
 * or NO_SPACE if there are not enough free words. */
enum status tile_plan_words(struct tile_plan *plan, uint32_t count, uint32_t *address);

/* Allocates `bytes` bytes of bulk L1, aligned to 64 B, and sets *address to their address. Returns
 * OK or NO_SPACE. */
enum status tile_plan_bytes(struct tile_plan *plan, uint32_t bytes, uint32_t *address);

/* Allocates the first free processor, and sets *processor to its number. Returns OK, or NO_SPACE if
 * all processors of the tile are in use. */
enum status tile_plan_processor(struct tile_plan *plan, uint8_t *processor);

#endif
