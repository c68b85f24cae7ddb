/* The topology mapper, which assigns a chip to each device of a mesh graph. First it places the
 * meshes: on the sets of chips that groupings allow, or anywhere if there are no groupings. Then it
 * places the devices of each mesh. If it finds no mapping, it reports reasons, and changes of the
 * machine or descriptor that would make a mapping possible. The result is deterministic. */
#ifndef TOPOLOGY_PLACE_H
#define TOPOLOGY_PLACE_H

#include "base/text.h"
#include "topology/logical.h"
#include "topology/machine.h"
#include "topology/solve.h"

/* A pin. It restricts the chip on which a device may be placed: by the chip's id, by tray and
 * location, or to one of several positions. */
struct place_pin {
	uint32_t mesh, chip; /* mesh: id of the mesh; chip: number of the device in the mesh */
	bool by_id;
	uint64_t id;
	const char *host; /* NULL: the host does not matter */
	uint32_t tray, location;
	const struct mgd_position *others;
	uint32_t other_count;
	struct location where;
};

enum place_level { LEVEL_POD, LEVEL_SUPERPOD, LEVEL_CLUSTER, PLACE_LEVELS };

/* A set of chips that may form a mesh. */
struct place_set {
	const char *name;
	const uint32_t *chips; /* in ascending order */
	uint32_t count;
	uint32_t above[PLACE_LEVELS]; /* group of the set at each level, or SOLVE_ANY */
};

struct place_options {
	const struct place_pin *pins;
	uint32_t pin_count;
	const struct place_set *sets; /* NULL: meshes may be placed anywhere */
	uint32_t set_count;
	bool has_level[PLACE_LEVELS];	  /* true if groups of this level are given */
	const struct solve_domain *ranks; /* chips that each rank may have; NULL: any chips */
	bool relaxed;			  /* true: policy RELAXED applies to all channels, even if
					   * the descriptor says STRICT */
	bool split_boards;
	bool any_host; /* a rank may use chips of several hosts */
	bool quick;    /* do not search for reasons */
	uint64_t budget;
	uint64_t most_steps; /* maximum number of steps of all searches within sets; 0: no bound */
};

/* A link, or all links between two meshes together, with fewer channels than required. */
struct place_lack {
	bool is_join;
	uint32_t a, b; /* numbers of two devices; for a join, numbers of two meshes */
	uint32_t chip_a, chip_b;
	uint32_t needed, found;
	/* the first connection that requires the missing channels; NULL for a link within a mesh */
	const struct logical_connection *connection;
};

struct mesh_placement {
	enum solve_verdict verdict;
	uint32_t *image; /* [device] its chip, if a mapping was found */
	uint32_t *set;	 /* [mesh] its set, or NULL */
	struct text why; /* the reasons if no mapping was found, one per line */
	/* the channels that are missing. A mapping that was found can lack only channels that
	 * policy RELAXED does not require */
	struct place_lack *lacks;
	uint32_t lack_count, lack_capacity;
	uint64_t steps;
	const char *how;
	struct arena arena;
};

/* Returns the pins of a logical graph in the form that struct place_options needs: an array of
 * logical->pin_count pins, in memory of `arena`. */
struct place_pin *place_pins_of(const struct logical *logical, struct arena *arena);

/* Places a logical graph on a machine. Never returns NULL. */
struct mesh_placement *topology_place(const struct logical *logical, const struct machine *machine,
	const struct place_options *options);

/* Frees a placement. NULL is allowed. */
void mesh_placement_free(struct mesh_placement *placement);

/* Guesses which channels are missing on the machine. The guess may be wrong, so the caller should
 * add these channels to its description of the machine, and try the placement again. Ignores sets
 * of chips. All bytes of `lacking` must be 0. Writes the missing channels to lacking->lacks, and
 * adds the number of search steps to lacking->steps. Returns false if no guess was found. The
 * caller frees lacking->arena. */
bool topology_find_lacks(const struct logical *logical, const struct machine *machine,
	const struct place_options *options, struct mesh_placement *lacking);

/* Appends, for example, "link of mesh 0 chip 0 and chip 1" or "connection of mesh 0 and mesh 1". */
void place_lack_ends(
	const struct logical *logical, const struct place_lack *lack, struct text *out);

/* Appends the text of place_lack_ends(), and then a text such as ": 2 channels needed, 1 found
 * between ...". `asked` is the word "needed" or, with the policy RELAXED, "wanted". */
void place_lack_say(const struct logical *logical, const struct machine *machine,
	const struct place_lack *lack, const char *asked, struct text *out);

/* Returns the machine that a logical graph asks for, and nothing else: device i is chip i, with id
 * i + 1; rank i is host "host<i>"; links and connections have the channels that the graph asks for.
 * A connection of graphs is wired between the first mesh of both. Returns NULL, with a sentence in
 * `why` (may be NULL), if a chip would have too many channels, or the machine too many chips. */
struct machine *machine_as_asked(const struct logical *logical, struct text *why);

/* Checks a mapping independently of the search. For policy RELAXED, checks only the channels that
 * this policy requires. Returns true if `image` meets all requirements. Otherwise appends the
 * violations to `why` and returns false. */
bool mesh_placement_check(const struct logical *logical, const struct machine *machine,
	const struct place_options *options, const uint32_t *image, struct text *why);

#endif
