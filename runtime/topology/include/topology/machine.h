/* The physical system: chips on hosts, and the channels of cables and boards between the chips. A
 * machine is made from a physical system descriptor, from the chips that hosts discover (UMD
 * cluster descriptors), or one chip at a time. It is an error if a channel is given with two
 * different other ends. Channels to chips that no file describes are only counted, in `leaving`. */
#ifndef TOPOLOGY_MACHINE_H
#define TOPOLOGY_MACHINE_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/status.h"
#include "base/text.h"
#include "base/tree.h"
#include "topology/mesh_graph.h"

enum {
	MACHINE_NONE = 0xffffffff,
	/* maximum number of chips: chip numbers have 16 bits (world/device.h) */
	MACHINE_CHIPS_MAX = 65535,
	MACHINE_CHANNELS_MAX = 1 << 20
};

/* Kinds of units that a file may list as switched off. */
enum machine_harvest {
	HARVEST_TENSIX,
	HARVEST_DRAM,
	HARVEST_ETHERNET,
	HARVEST_PCIE,
	HARVEST_L2CPU,
	HARVEST_KINDS
};

/* A mask of units; a bit is set if its unit is switched off. where.source is NULL if the file has
 * no list for this kind of unit. */
struct machine_mask {
	uint32_t bits;
	struct location where;
};

struct machine_chip {
	uint64_t id;   /* id of the ASIC, the same in all files */
	uint32_t host; /* index in `hosts` */
	uint32_t tray, location;
	uint32_t board;	 /* number of the board, if all chips of the board must be used together;
			  * otherwise MACHINE_NONE */
	uint32_t device; /* number of the chip's PCIe device, as in TT_VISIBLE_DEVICES; for a
			  * chip without a PCIe device, the number of its board's PCIe device */
	const struct machine_mask *masks; /* [HARVEST_KINDS] units that are switched off; NULL if
					   * the file does not contain them */
	bool pcie;			  /* the chip has its own PCIe device */
	int32_t place[4];		  /* x, y, rack, shelf; -1 if the file does not contain
					   * the value */
	enum topology_arch arch;	  /* ARCH_INVALID if the file does not contain it */
};

struct machine_host {
	const char *name;
	uint32_t rank; /* MACHINE_NONE if the file does not contain it */
};

/* All channels between two chips a and b, where a < b. */
struct machine_link {
	uint32_t a, b, channels;
	/* number of the lowest channel of `a`, and of the channel at its other end */
	uint8_t first_a, first_b;
	uint32_t first_cable; /* number of the first of its `channels` cables */
};

/* One channel of a link: the numbers of its two ends. */
struct machine_cable {
	uint8_t channel_a, channel_b;
};

/* A channel that chip `from` lists and chip `to` does not list. It is not a link. */
struct machine_claim {
	uint32_t from, to;
	uint8_t channel_from, channel_to;
	struct location where;
};

struct machine {
	struct machine_chip *chips;
	uint32_t chip_count;
	struct machine_host *hosts;
	uint32_t host_count;
	struct machine_link *links; /* sorted by a, then b */
	uint32_t link_count;
	struct machine_cable *cables; /* those of one link after those of another; those of a link
				       * by `channel_a` */
	struct machine_claim *claims; /* sorted by from, then to */
	uint32_t claim_count;
	uint32_t board_count;
	uint32_t leaving; /* number of channels to chips that no file describes */
	struct machine_build *build;
	struct arena arena;
};

/* --- from files ----------------------------------------------------------------------------- */

/* Converts a tree, read by tree_read_text_format() or a similar function, to a machine, and frees
 * the tree. Unknown fields are warnings; if `strict` is set, they are errors. Returns NULL if
 * `tree` is NULL, or after errors, which are reported to `diag`. */
struct machine *machine_read_psd(struct tree *tree, bool strict, struct diag *diag);

/* Read UMD cluster descriptors: machine_read_clusters() reads one file for each host, and
 * machine_read_cluster_text() reads one text. The files also list channels to remote chips, which
 * are chips of other hosts. */
struct machine *machine_read_clusters(
	const char *const *paths, uint32_t count, bool strict, struct diag *diag);
struct machine *machine_read_cluster_text(
	const char *name, const char *text, size_t length, bool strict, struct diag *diag);

/* --- building ------------------------------------------------------------------------------- */

struct machine *machine_new(void);

/* Frees a machine. NULL is allowed. */
void machine_free(struct machine *machine);

/* Returns the number of the host with this name. Adds the host if necessary. */
uint32_t machine_host(struct machine *machine, const char *name);

/* Adds a chip. Returns OK. Returns EXISTS if there is already a chip with its id, and NO_SPACE if
 * there are already MACHINE_CHIPS_MAX chips. */
enum status machine_add_chip(struct machine *machine, struct machine_chip chip);

/* Returns the number of the chip with an id; MACHINE_NONE if there is none. */
uint32_t machine_find(const struct machine *machine, uint64_t id);

/* Adds a channel between two chips. Has no effect if the channel was already added, from either
 * end. Returns OK. Returns EXISTS if one of the ends is already joined to another end. Returns
 * INVALID if both ends are on the same chip. Returns NO_SPACE if a number is out of bounds. */
enum status machine_add_channel(
	struct machine *machine, uint32_t a, uint32_t channel_a, uint32_t b, uint32_t channel_b);

/* The lists of a file that may name a channel. Each end names the channel once in each list. */
enum machine_list {
	MACHINE_LIST_BOTH = 1, /* a list of cables; one entry counts for both ends */
	MACHINE_LIST_CHIP = 2, /* the list of the channels that a chip sees */
	MACHINE_LIST_HOST = 4, /* a host's list of the cables to other hosts that it sees */
	MACHINE_LIST_EXIT = 8, /* a host's table of the chips that have cables to other hosts */
};

enum machine_listing {
	LISTED,
	LISTED_AGAIN,	    /* the channel is already in the list */
	LISTED_ELSEWHERE,   /* one of the ends already has another partner */
	LISTED_WITH_ITSELF, /* both ends are the same chip */
	LISTED_TOO_MANY,    /* a number is out of bounds */
};

/* Records that the list `list` has an entry of chip `a` for a channel to chip `b`. The channel is
 * part of a link only if chip `b` has an entry for it, too, in any list. Otherwise the entry is a
 * claim, whose location is `where`. */
enum machine_listing machine_list_channel(struct machine *machine, uint32_t a, uint32_t channel_a,
	uint32_t b, uint32_t channel_b, enum machine_list list, struct location where);

/* Computes `links` and `claims`. After this call, chips and channels cannot be added. */
void machine_finish(struct machine *machine);

/* --- queries -------------------------------------------------------------------------------- */

/* Returns the link between two chips; NULL if there is none. */
const struct machine_link *machine_link_of(const struct machine *machine, uint32_t a, uint32_t b);

/* Appends the name of a chip for messages, for example "host1 tray 2 asic 3". */
void machine_chip_name(const struct machine *machine, uint32_t chip, struct text *out);

/* The physical multi-mesh graph. A node is a group of chips: the chips of one mesh, or of one host.
 * Each node has the number of its chips, and the number of its chips that have links to other
 * nodes. Each edge has the number of channels between its two nodes. */

struct hierarchy_join {
	uint32_t a, b; /* numbers of two meshes, a < b */
	uint32_t channels;
};

struct hierarchy {
	uint32_t mesh_count;
	/* [mesh] number of its chips, and number of its chips with a channel to another mesh */
	uint32_t *chips, *exits;
	struct hierarchy_join *joins;
	uint32_t join_count;
};

/* Returns the graph of the meshes, in memory of `arena`. mesh_of[i] is the number of the mesh of
 * chip i. Chips whose number is MACHINE_NONE are left out. */
struct hierarchy hierarchy_make(const struct machine *machine, const uint32_t *mesh_of,
	uint32_t mesh_count, struct arena *arena);

#endif
