/* A tile and its memory. The lowest addresses hold words: a change of a word wakes the stages that
 * wait for it. The addresses above the words are bulk memory, where changes wake no stage. All
 * calls take effect at engine_now(). Messages in flight are in noc.h. */
#ifndef CHIP_TILE_H
#define CHIP_TILE_H

#include "base/sparse.h"
#include "chip/machine/cluster.h"

enum {
	WORD_CHUNK_BYTES = 256,
	WORD_CHUNK_WORDS = WORD_CHUNK_BYTES / 4,
	WORD_BYTES_MAX = 1 << 18, /* the index of a word has 16 bits in an event */
	TILE_ANY = 0xffff,
	TILE_NONE = 0xfffe, /* source of data that a router delivers */
};

/* An operation on a word that still waits for its turn at the tile's atomic unit. */
struct arrival {
	int64_t at_ps;
	uint32_t address;
	uint32_t value;
	bool increment;
	uint16_t source; /* if `cause` is not set: the tile whose stage has the note (struct
			  * cause_note) from which the cause can be made */
	cause_id cause;	 /* cause of the arrival; owns a reference while the arrival waits */
};

/* The times of a group of increments by 1: arrive_ps[i] is when increment i arrives, and
 * start_ps[i] is when its turn starts, if the atomic unit is free when the first increment arrives.
 * Both arrays are in ascending order. Their times are in ps, and count from a start that the user
 * of the arrays chooses. */
struct turn_times {
	uint32_t count;
	int64_t *arrive_ps, *start_ps;
	int64_t waited_ps; /* sum of the times for which the increments wait for their turns */
};

/* A group of increments by 1 of one word that were announced together. Their turns start at the
 * times in `times`, if no other increment uses the atomic unit after the first increment of the
 * group has arrived. */
struct turns_coming {
	const struct turn_times *times; /* NULL: no group is announced */
	int64_t base_ps;
	uint32_t address;
	uint32_t arrived, applied; /* number of increments that have arrived; number of
				    * increments that have had their turns */
	cause_id cause,
		cause_of_last; /* `cause`: cause of all increments except the last; `cause_of_last`:
				* cause of the last one; this struct owns the reference */
};

/* The atomic unit of a tile, created at the first increment. */
struct atomic_unit {
	int64_t busy_until_ps;
	struct arrival *arrivals; /* arrivals that wait for their turns: a ring, sorted by time */
	uint32_t first, count, capacity;
	uint32_t coming_first, coming_count, coming_capacity;
	struct arrival *coming; /* announced arrivals, from index coming_first on; the last entry
				 * arrives first */
	uint32_t single; /* number of arrivals in `coming` that sim_tile_increment_comes() has
			  * announced */
	struct turns_coming together;
	uint64_t increments;
	int64_t waited_ps;
};

/* The NIU of a tile on NoC 0, for reads (noc/noc.h), created when it is first used. */
struct second_niu {
	struct pipe out; /* requests, and answers to other tiles */
	struct pipe in;	 /* answers from other tiles */
};

/* A crew: tiles whose workers have all done the same since the crew was formed (noc/crew.c). Later
 * changes of their words and counters are stored once, in the crew, and not in its tiles. Only the
 * memory above the words is up to date in each tile. So before you read or change anything except
 * this memory in one of these tiles, call sim_tile_alone(). */
struct crew {
	void (*split)(struct crew *crew); /* updates the tiles, and removes the crew */
};

/* A tile. Its pipes have no rate of their own: callers pass the time that each message takes. */
struct tile {
	/* fields that every arriving word uses, in one cache line */
	struct device *device;
	uint32_t *hot;	  /* the chunk of words that was used last; NULL: none */
	uint32_t **words; /* all chunks; NULL: only the chunk `hot` was written */
	struct task *tasks;
	struct atomic_unit *atomic;
	/* time at which a late bulk write of tile `late_source` arrives; later writes of this
	 * source must not arrive before it */
	int64_t late_until_ps;
	uint32_t word_bytes;  /* number of bytes of words; 0: the tile has no L1 */
	uint16_t late_source; /* source of the late bulk writes; TILE_ANY: several tiles */
	uint16_t landing;     /* late bulk writes that have a place, but have not arrived */
	uint16_t hot_index;
	uint16_t number;
	uint32_t words_flying; /* words and increments that are events on their way to the tile */
	int64_t counted_until_ps; /* late_until_ps of a write that arrives with an increment */
	struct crew *crew; /* holds a part of the tile's state, see struct crew; NULL: none */
	/* ---- */
	struct pipe out __attribute__((aligned(CACHE_LINE))); /* what the NIU sends */
	int64_t promised_ps;  /* time of a promised acknowledgement (noc/noc.h); 0: none */
	struct sparse memory; /* the tile's own data above the words (struct layer), by address */
	struct layer *layer;  /* shared data, used where the tile has no own data; NULL: none */
	struct pipe in;	      /* what arrives at the NIU or at the DRAM bank */
	struct second_niu *second; /* NULL: not used yet */
} __attribute__((aligned(CACHE_LINE)));

/* The tile with that number, which the chip must have. */
static inline struct tile *sim_tile(struct device *device, uint16_t tile)
{
	ensure(tile < device->grid->tile_count, "tile %u of %u on chip %u", tile,
		device->grid->tile_count, device->number);
	return &device->tiles[tile];
}

static inline struct tile *sim_own_tile(const struct stage *stage)
{
	return &stage->device->tiles[stage->tile];
}

/* Functions that prefetch tiles. In a simulation of tens of thousands of cores, a tile is usually
 * not in the cache when it is needed. So loops over many tiles prefetch in two steps: first the
 * tile itself, and some iterations later the objects to which the tile points. */
static inline void sim_tile_fetch(const struct tile *tile)
{
	__builtin_prefetch(tile);
	__builtin_prefetch(&tile->memory);
}

static inline void sim_tile_fetch_read(const struct tile *tile)
{
	__builtin_prefetch(tile->memory.pieces + tile->memory.read[0] + 1);
	__builtin_prefetch(tile->memory.pieces + tile->memory.read[1] + 1);
}

static inline void sim_tile_fetch_written(const struct tile *tile)
{
	__builtin_prefetch(tile->memory.pieces + tile->memory.written[0]);
	__builtin_prefetch(tile->memory.pieces + tile->memory.written[1]);
}

/* Ends the crew of the tile. Afterwards, the tile has all of its state. */
static inline void sim_tile_alone(struct tile *tile)
{
	if (tile->crew != NULL)
		tile->crew->split(tile->crew);
}

void sim_tile_init(struct tile *tile, struct device *device, uint16_t number);
void sim_tile_fini(struct tile *tile);

/* Applies the changes of words whose turn at the atomic unit has come. */
void sim_tile_turns(struct tile *tile);

/* True if changes of words still wait for their turn at the atomic unit. */
static inline bool sim_tile_has_turns(const struct tile *tile)
{
	const struct atomic_unit *unit = tile->atomic;

	return unit != NULL &&
	       (unit->count + unit->coming_count > 0 || unit->together.times != NULL);
}

/* Some increments that wait at the atomic unit may have had their turn by now. If so, calls
 * sim_tile_turns(), which changes the words. All functions below that read or change words call
 * this function first. */
static inline void sim_tile_catch_up(struct tile *tile)
{
	sim_tile_alone(tile);
	if (sim_tile_has_turns(tile))
		sim_tile_turns(tile);
}

/* Returns how many bytes of the range lie in the words. */
static inline uint32_t sim_words_part(const struct tile *tile, uint32_t address, uint32_t length)
{
	if (address >= tile->word_bytes)
		return 0;
	return length < tile->word_bytes - address ? length : tile->word_bytes - address;
}

/* Returns false if nothing was ever written to the tile's memory, which is then all zeros. */
static inline bool sim_tile_is_touched(const struct tile *tile)
{
	return tile->words != NULL || tile->hot != NULL || tile->atomic != NULL ||
	       tile->layer != NULL || tile->memory.count > 0;
}

/* ---- loads ---- */
uint32_t sim_tile_word(struct tile *tile, uint32_t address);
enum status sim_tile_read(struct tile *tile, uint32_t address, uint32_t length, void *out);
struct span sim_tile_view(struct tile *tile, uint32_t address, uint32_t length);

/* ---- arrivals: they change memory, and at once wake the stages that wait for it ---- */
void sim_tile_arrive(struct tile *tile, uint32_t address, struct span span);
void sim_tile_arrive_word(struct tile *tile, uint32_t address, uint32_t value);

/* Increments a word through the atomic unit. If the unit is busy, the word changes when the
 * increment gets its turn. If there is no current cause (cause/cause.h), the stage on tile `source`
 * must have a note (struct cause_note) from which a cause can be created. Otherwise, `source` is
 * not used. */
void sim_tile_increment(struct tile *tile, uint32_t address, uint32_t delta, uint16_t source);

/* Announces increments that will arrive at this tile, now or later, in any order. Other increments
 * may arrive between them. The tile executes all increments one by one, in the order in which they
 * arrive. */
void sim_tile_increments_come(struct tile *tile, const struct arrival *arrivals, uint32_t count);

/* Announces an increment that will arrive at arrival->at_ps, and returns true. The caller then need
 * not push an event for it. But if a stage may continue when the increment arrives, announces
 * nothing and returns false; the caller must then push an event. If an announced increment will
 * arrive later than announced, the caller takes it back by sim_tile_single_take(). */
bool sim_tile_increment_comes(struct tile *tile, const struct arrival *arrival);

/* Among the increments that sim_tile_increment_comes() has announced and that have not arrived yet,
 * takes back the first one, and writes it to *arrival. Returns false if there is none. */
bool sim_tile_single_take(struct tile *tile, struct arrival *arrival);

/* Announces a group of increments by 1 of the word at `address`. The times in `times` count from
 * `base_ps`; `times` must stay valid until the last increment has had its turn. The caller gives up
 * two references: to `cause_of_last`, the cause of the last increment, and to `cause`, the cause of
 * all other increments. */
void sim_tile_increments_together(struct tile *tile, const struct turn_times *times,
	int64_t base_ps, uint32_t address, cause_id cause, cause_id cause_of_last);

/* Computes when an increment that arrives at *at_ps gets its turn at the atomic unit, which is busy
 * until `free_ps`. Sets *at_ps to the start of the turn. Returns the time at which the atomic unit
 * is free again. */
int64_t sim_tile_turn_ps(const struct tile *tile, int64_t *at_ps, int64_t free_ps);

/* Changes a word without waking stages, and returns true. If increments wait for their turn at the
 * tile's atomic unit, changes nothing and returns false. */
bool sim_tile_put_word(struct tile *tile, uint32_t address, uint32_t value);

/* ---- stores of a stage of this tile: wake other stages by an event, since one is running ---- */
void sim_tile_set_word(struct tile *tile, uint32_t address, uint32_t value);
void sim_tile_store(struct tile *tile, uint32_t address, const void *bytes, uint32_t length);
void sim_tile_store_span(struct tile *tile, uint32_t address, struct span span);

/* Copies [address, address + length) of tile `from` to `to_address` of tile `to`. The data are not
 * duplicated: both tiles then refer to them. Elided data (bytes that the simulation does not store)
 * stay elided. The copy wakes stages of `to`, like data that arrive from outside. */
void sim_tile_copy(
	struct tile *to, uint32_t to_address, struct tile *from, uint32_t address, uint32_t length);
void sim_tile_copy_memory(struct tile *to, uint32_t to_address, struct sparse *from,
	uint64_t address, uint32_t length);

/* Layers of L1, for the memory above the words. A layer belongs to a rectangle of workers. The data
 * of a multicast to all of these workers are stored once, in the layer: a binary for 80 cores is
 * stored once, and not 80 times. Data that are written to a single tile are stored in this tile.
 * They hide the layer's data there until a later multicast overwrites them. */

/* The layer of a rectangle of workers of one chip. A tile is in one layer at most. */
struct layer; /* layer.c */

enum { LAYER_GRAIN = 16, LAYER_TILES_MIN = 8, ROW_TILES_MIN = 2 };

/* Writes the data of a multicast to all its tiles. The address must be above the words. */
void sim_layer_write(struct device *device, const struct sim_multicast *multicast, uint32_t address,
	struct span span);

/* Stores a packed write, at an address above the words. A packed write has `stride` bytes for each
 * target. The layer keeps the bytes of all targets together. Returns false, and stores nothing, if
 * it cannot do so. */
bool sim_layer_write_packed(struct device *device, const struct packed_target *targets,
	uint32_t count, uint32_t address, uint32_t stride, struct span span);

/* Finds the data that packed writes have stored at [address, address + length) for all tiles in the
 * layer of `tile`. Writes the data to `parts`, and returns the number of parts. Returns 0 if there
 * are no such data or more than `most` parts, or if one of the tiles may have other data in this
 * range. The parts are valid until the next change of the layer. */
uint32_t sim_layer_packed(const struct tile *tile, uint32_t address, uint32_t length,
	struct sim_packed *parts, uint32_t most);

/* True if the tile's layer has the same tiles as the multicast. */
bool sim_layer_is(const struct tile *tile, const struct sim_multicast *multicast);

void sim_layers_free(struct device *device);

/* Functions that access a tile's memory above the words. Where the tile has no data of its own,
 * they use the data of its layer (base/sparse.h). */
void sim_bulk_write(struct tile *tile, uint32_t address, struct span span);
void sim_bulk_store(struct tile *tile, uint32_t address, const void *bytes, uint32_t length);
enum status sim_bulk_read(struct tile *tile, uint32_t address, uint32_t length, void *out);
struct span sim_bulk_view(struct tile *tile, uint32_t address, uint32_t length);

/* If all bytes of the range are the same in all tiles of the tile's layer, returns the layer's
 * version, otherwise 0. If the results for two tiles are equal and not 0, their bytes in the range
 * are equal (device.h, shared). */
uint64_t sim_bulk_shared(const struct tile *tile, uint32_t address, uint32_t length);
struct span sim_bulk_view_piece(struct tile *tile, uint32_t address, uint32_t length);

#endif
