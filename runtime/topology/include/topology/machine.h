/* The physical system: chips on hosts, and the channels of cables and boards between the chips. A
 * machine is made from a physical system descriptor, from the chips that hosts discover (UMD
 * cluster descriptors), or one chip at a time. A channel with two different partners is an error. A
 * channel to a chip that no file describes is only counted, in `leaving`. */
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
	MACHINE_CHIPS_MAX = 65535, /* numbers of chips have 16 bits (world/device.h) */
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

/* A mask with one bit for each unit that is switched off. If the file does not list units of this
 * kind, where.source is NULL. */
struct machine_mask {
	uint32_t bits;
	struct location where;
};

struct machine_chip {
	uint64_t id;   /* id of the ASIC, the same in all files */
	uint32_t host; /* index in `hosts` */
	uint32_t tray, location;
	uint32_t board;	 /* MACHINE_NONE: the chip may be used without the rest of its board */
	uint32_t device; /* number of the chip's PCIe device, as in TT_VISIBLE_DEVICES; if it has
			  * none, the number of the board's PCIe device */
	const struct machine_mask *masks; /* [HARVEST_KINDS]; NULL if the file does not say */
	bool pcie;			  /* has a PCIe device of its own */
	int32_t place[4];		  /* x, y, rack, shelf; -1 if the file does not say */
	enum topology_arch arch;	  /* ARCH_INVALID if the file does not say */
};

struct machine_host {
	const char *name;
	uint32_t rank; /* MACHINE_NONE if the file does not say */
};

/* All channels between two chips; a < b. */
struct machine_link {
	uint32_t a, b, channels;
	uint8_t first_a, first_b; /* the lowest channel of `a`, and its other end */
};

/* A channel that chip `from` lists and chip `to` does not: it is not a link. */
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
	struct machine_claim *claims; /* sorted by from, then to */
	uint32_t claim_count;
	uint32_t board_count;
	uint32_t leaving; /* channels to chips that are in no file */
	struct machine_build *build;
	struct arena arena;
};

/* --- from files ----------------------------------------------------------------------------- */

/* Converts a tree, read by tree_read_text_format() or a similar function, to a machine, and frees
 * the tree. Unknown fields are warnings, or errors if `strict` is set. Returns NULL if `tree` is
 * NULL, or after errors, which are reported to `diag`. */
struct machine *machine_read_psd(struct tree *tree, bool strict, struct diag *diag);

/* These functions read UMD cluster descriptors; the first one reads one file for each host. The
 * files also list channels to remote chips, that is, channels between chips of different hosts. */
struct machine *machine_read_clusters(
	const char *const *paths, uint32_t count, bool strict, struct diag *diag);
struct machine *machine_read_cluster_text(
	const char *name, const char *text, size_t length, bool strict, struct diag *diag);

/* --- building ------------------------------------------------------------------------------- */

struct machine *machine_new(void);

/* NULL is allowed. */
void machine_free(struct machine *machine);

/* Finds the host with this name; makes it if necessary. */
uint32_t machine_host(struct machine *machine, const char *name);

/* Adds a chip. EXISTS if there is already a chip with its id. */
enum status machine_add_chip(struct machine *machine, struct machine_chip chip);

/* The chip with an id, or MACHINE_NONE. */
uint32_t machine_find(const struct machine *machine, uint64_t id);

/* Adds a channel between two chips. The call has no effect if the channel was added before, from
 * either end. Returns OK; EXISTS if one of the ends already has another partner; NO_SPACE if a
 * number is beyond the bounds. */
enum status machine_add_channel(
	struct machine *machine, uint32_t a, uint32_t channel_a, uint32_t b, uint32_t channel_b);

/* The lists of a file in which a channel may be named. Each end names the channel once per list. */
enum machine_list {
	MACHINE_LIST_BOTH = 1, /* a list of cables: one entry counts for both ends */
	MACHINE_LIST_CHIP = 2, /* channels that a chip sees */
	MACHINE_LIST_HOST = 4, /* cables to other hosts that a host sees */
	MACHINE_LIST_EXIT = 8, /* a host's table of chips with such cables */
};

enum machine_listing {
	LISTED,
	LISTED_AGAIN,	    /* already in the list */
	LISTED_ELSEWHERE,   /* one of the ends has another partner */
	LISTED_WITH_ITSELF, /* both ends are one chip */
	LISTED_TOO_MANY,    /* beyond the bounds */
};

/* Records that `list` has an entry in which chip `a` names its channel to chip `b`. When `b` has
 * named the channel too, in any list, the channel becomes part of a link. Until then it is a claim,
 * for which `where` is kept. */
enum machine_listing machine_list_channel(struct machine *machine, uint32_t a, uint32_t channel_a,
	uint32_t b, uint32_t channel_b, enum machine_list list, struct location where);

/* Computes `links` and `claims`. Chips and channels cannot be added after this call. */
void machine_finish(struct machine *machine);

/* --- queries -------------------------------------------------------------------------------- */

/* The link between two chips, or NULL. */
const struct machine_link *machine_link_of(const struct machine *machine, uint32_t a, uint32_t b);

/* Appends "host1 tray 2 asic 3", for messages. */
void machine_chip_name(const struct machine *machine, uint32_t chip, struct text *out);

/* The physical multi-mesh graph. A node is a group of chips: the chips of one mesh, or of one host.
 * Each node has the number of its chips, and how many of them have links to other nodes. Each edge
 * has the number of channels between its two nodes. */

struct hierarchy_join {
	uint32_t a, b; /* meshes, a < b */
	uint32_t channels;
};

struct hierarchy {
	uint32_t mesh_count;
	uint32_t *chips, *exits; /* for each mesh: how many chips it has, and how many of them have
				  * a channel to another mesh */
	struct hierarchy_join *joins;
	uint32_t join_count;
};

/* Returns the graph, in memory of `arena`. mesh_of[i] is the mesh of chip i; chips with
 * MACHINE_NONE are left out. */
struct hierarchy hierarchy_make(const struct machine *machine, const uint32_t *mesh_of,
	uint32_t mesh_count, struct arena *arena);

#endif
