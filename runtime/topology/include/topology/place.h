/* The topology mapper, which assigns a chip to each device of a mesh graph. First it places the
 * meshes: on the sets of chips that groupings allow, or anywhere if there are no groupings. Then it
 * places the devices of each mesh. If it finds no mapping, it gives reasons, and names changes that
 * would make a mapping possible. The result is deterministic. */
#ifndef TOPOLOGY_PLACE_H
#define TOPOLOGY_PLACE_H

#include "base/text.h"
#include "topology/logical.h"
#include "topology/machine.h"
#include "topology/solve.h"

/* Restricts the chip of a device: by id, by tray and location, or to one of several positions. */
struct place_pin {
	uint32_t mesh, chip; /* mesh: its id */
	bool by_id;
	uint64_t id;
	const char *host; /* NULL: of any host */
	uint32_t tray, location;
	const struct mgd_position *others;
	uint32_t other_count;
	struct location where;
};

enum place_level { LEVEL_POD, LEVEL_SUPERPOD, LEVEL_CLUSTER, PLACE_LEVELS };

/* Chips that may form a mesh. */
struct place_set {
	const char *name;
	const uint32_t *chips; /* rising */
	uint32_t count;
	uint32_t above[PLACE_LEVELS]; /* its group at each level, or SOLVE_ANY */
};

struct place_options {
	const struct place_pin *pins;
	uint32_t pin_count;
	const struct place_set *sets; /* NULL: anywhere */
	uint32_t set_count;
	bool has_level[PLACE_LEVELS];	  /* groups of that level are given */
	const struct solve_domain *ranks; /* chips that each rank may have; NULL: any */
	bool relaxed;			  /* treat all channels as RELAXED, even if the descriptor
					   * says STRICT */
	bool split_boards;
	bool any_host; /* ranks may span hosts */
	bool quick;    /* do not search for reasons */
	uint64_t budget;
	uint64_t most_steps; /* the most steps of all searches within sets together; 0: no bound */
};

/* A link, or the sum of all links between two meshes, that has fewer channels than required. */
struct place_lack {
	bool is_join;
	uint32_t a, b; /* devices; of a join: meshes */
	uint32_t chip_a, chip_b;
	uint32_t needed, found;
	const struct logical_connection *connection; /* the first connection that requires the
						      * missing channels; NULL for a link within a
						      * mesh */
};

struct mesh_placement {
	enum solve_verdict verdict;
	uint32_t *image; /* chip of each device, if it is found */
	uint32_t *set;	 /* set of each mesh, or NULL */
	struct text why; /* if not found: the reasons, as lines */
	/* If a mapping was found: the channels that policy RELAXED did without. */
	struct place_lack *lacks;
	uint32_t lack_count, lack_capacity;
	uint64_t steps;
	const char *how;
	struct arena arena;
};

/* Returns the pins of a logical graph in the form of struct place_options: an array of
 * logical->pin_count pins, in memory of `arena`. */
struct place_pin *place_pins_of(const struct logical *logical, struct arena *arena);

/* Places a logical graph on a machine. Never NULL. */
struct mesh_placement *topology_place(const struct logical *logical, const struct machine *machine,
	const struct place_options *options);

/* NULL is allowed. */
void mesh_placement_free(struct mesh_placement *placement);

/* Guesses where channels may be missing on the machine. The guess may be wrong, so the caller
 * should add these channels and try the placement again. Sets of chips are ignored. `lacking` must
 * be all zeros; the missing channels are written to lacking->lacks, and the number of steps is
 * added to lacking->steps. Returns false if no guess was found. The caller frees lacking->arena. */
bool topology_find_lacks(const struct logical *logical, const struct machine *machine,
	const struct place_options *options, struct mesh_placement *lacking);

/* Appends "link of mesh 0 chip 0 and chip 1" or "connection of mesh 0 and mesh 1". */
void place_lack_ends(
	const struct logical *logical, const struct place_lack *lack, struct text *out);

/* Appends the text of place_lack_ends() and, for example, ": 2 channels needed, 1 found between
 * ...". `asked` is the word to print for "needed"; callers pass "wanted" for policy RELAXED. */
void place_lack_say(const struct logical *logical, const struct machine *machine,
	const struct place_lack *lack, const char *asked, struct text *out);

/* Checks a mapping independently of the search. For policy RELAXED, checks only the minimum that
 * this policy requires. Returns true if `image` meets all requirements. Otherwise appends the
 * violations to `why` and returns false. */
bool mesh_placement_check(const struct logical *logical, const struct machine *machine,
	const struct place_options *options, const uint32_t *image, struct text *why);

#endif
