/* The physical system: chips on hosts, and the channels that cables and boards give between them.
 * From a physical system descriptor, from what hosts discover (UMD cluster descriptors), or built
 * chip by chip. Refuses links to chips that it does not have, and a channel with two other ends. */
#ifndef TOPOLOGY_MACHINE_H
#define TOPOLOGY_MACHINE_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/status.h"
#include "base/text.h"
#include "base/tree.h"
#include "topology/mesh_graph.h"

enum { MACHINE_NONE = 0xffffffff, MACHINE_CHIPS_MAX = 65536, MACHINE_CHANNELS_MAX = 1 << 20 };

struct machine_chip {
	uint64_t id;   /* of the ASIC, the same in all files */
	uint32_t host; /* which of `hosts` */
	uint32_t tray, location;
	uint32_t board;	    /* MACHINE_NONE: may be given out alone */
	uint32_t device;    /* of PCIe, as TT_VISIBLE_DEVICES counts; of its board if it has none */
	uint32_t harvested; /* rows of Tensix tiles, a bit each; 0 if the file does not say */
	bool pcie;	    /* has a PCIe device of its own */
	int32_t place[4];   /* x, y, rack, shelf; -1 if the file does not say */
	enum topology_arch arch; /* ARCH_INVALID if the file does not say */
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

struct machine {
	struct machine_chip *chips;
	uint32_t chip_count;
	struct machine_host *hosts;
	uint32_t host_count;
	struct machine_link *links; /* sorted by a, then b */
	uint32_t link_count;
	uint32_t board_count;
	uint32_t leaving; /* channels to chips that no file describes */
	struct machine_build *build;
	struct arena arena;
};

/* --- from files ----------------------------------------------------------------------------- */

/* Takes what tree_read_text_format() or its like made of a file, NULL too. NULL after errors, which
 * are in `diag`. With `strict` unknown fields are errors, not warnings. */
struct machine *machine_read_psd(struct tree *tree, bool strict, struct diag *diag);

/* One file a host, each a UMD cluster descriptor; channels to remote chips join them. */
struct machine *machine_read_clusters(
	const char *const *paths, uint32_t count, bool strict, struct diag *diag);
struct machine *machine_read_cluster_text(
	const char *name, const char *text, size_t length, bool strict, struct diag *diag);

/* --- built ---------------------------------------------------------------------------------- */

struct machine *machine_new(void);

/* NULL is allowed. */
void machine_free(struct machine *machine);

/* The host of a name, new if need be. */
uint32_t machine_host(struct machine *machine, const char *name);

/* Adds a chip; EXISTS if its id is known. */
enum status machine_add_chip(struct machine *machine, struct machine_chip chip);

/* The chip with an id, or MACHINE_NONE. */
uint32_t machine_find(const struct machine *machine, uint64_t id);

/* Adds a channel between two chips; the same one again, from either end, is the same. EXISTS if one
 * of the ends has another partner, NO_SPACE beyond the bounds. */
enum status machine_add_channel(
	struct machine *machine, uint32_t a, uint32_t channel_a, uint32_t b, uint32_t channel_b);

/* Makes the links. Chips and channels cannot be added any more. */
void machine_finish(struct machine *machine);

/* --- asked ---------------------------------------------------------------------------------- */

/* The link between two chips, or NULL. */
const struct machine_link *machine_link_of(const struct machine *machine, uint32_t a, uint32_t b);

/* "host1 tray 2 asic 3", for people. */
void machine_chip_name(const struct machine *machine, uint32_t chip, struct text *out);

#endif
