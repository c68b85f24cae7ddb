/* The control plane: from a placement of meshes on chips (topology/place.h), computes what the
 * routers of all chips have to know before the fabric starts (initialization specification 3.3,
 * 4.1, 6.4): routing tables, roles of ethernet channels, and multicast trees.
 *
 * Routes never deadlock. Each pair of a channel and a VC has a number, and a packet only ever goes
 * on over a higher number, so that no packets wait for each other in a circle (Dally and Seitz,
 * "Deadlock-free message routing in multiprocessor interconnection networks", 1987). Routes are the
 * shortest that climb so. Of both ways around half a ring, even chips take one and odd chips the
 * other. The numbers of a mesh come from one of three schemes:
 *
 * - order: along the row, then along the column. On a ring, numbers restart on a second VC behind
 *   the ring's last link (its dateline), so that all shortest routes climb (Dally and Seitz).
 * - layers: where a chip or link is missing, or a link joins chips of different rows and columns.
 *   Above the VCs of `order` is one on which routes go up and then down a tree, whose chips are
 *   ordered by breadth (Schroeder and others, "Autonet: a high-speed, self-configuring local area
 *   network using point-to-point links", 1991). A packet may change to it anywhere. So it follows
 *   rows and columns as long as this is the shortest way, and reaches every chip.
 * - updown: up and down alone, where routers have too few VCs for the others.
 *
 * Between meshes, routes go up and then down in the same way from mesh to mesh. The VCs of a mesh
 * exist twice: the first for packets that begin in the mesh or go up, the second for packets that
 * went down. */
#ifndef BRING_UP_CONTROL_PLANE_H
#define BRING_UP_CONTROL_PLANE_H

#include "bring_up/tables.h"
#include "topology/logical.h"
#include "topology/machine.h"

struct control_plane; /* opaque; does not change after it was made */

enum control_scheme { CONTROL_ORDER, CONTROL_LAYERS, CONTROL_UPDOWN, CONTROL_SCHEMES };

/* Returns the name of a scheme, such as "order". */
const char *control_scheme_name(enum control_scheme scheme);

/* A channel of the machine that must not be used, such as one that went bad. */
struct control_loss {
	uint32_t chip; /* number of the chip in the machine */
	uint8_t channel;
};

struct control_options {
	uint32_t vcs_max; /* VCs that routers have; 0: as many as TABLES_VCS_MAX */
	const struct control_loss *lost;
	uint32_t lost_count;
};

/* bound of the bytes of all tables together; more is refused */
#define CONTROL_BYTES_MAX ((uint64_t)1 << 30)

/* Makes the control plane of a placement. image[device] is the chip of the machine on which a
 * device is placed; MACHINE_NONE: the chip is missing, and others route around it. Uses all
 * channels that the machine has on links within a mesh and on connections between meshes of
 * `logical`. `options` may be NULL. Returns NULL, with a sentence in `why` (may be NULL), if two
 * devices are on one chip or one is on no chip of the machine, if chips of a mesh cannot reach each
 * other within it, if tables would be too big, or if routers have too few VCs. The arguments need
 * not outlive the result. */
struct control_plane *control_plane_new(const struct logical *logical,
	const struct machine *machine, const uint32_t *image, const struct control_options *options,
	struct text *why);

/* Frees a control plane. NULL is allowed. */
void control_plane_free(struct control_plane *plane);

struct control_facts {
	uint32_t devices; /* all, with missing ones */
	uint32_t chips;	  /* devices that have a chip */
	uint32_t meshes, vcs, trees;
	uint32_t groups; /* of meshes that reach each other; 1 if all do */
	uint32_t routers[ROUTER_ROLES];
	uint32_t routers_other_host; /* routers in use whose cable leads to another host */
	uint64_t bytes;		     /* of the tables of all chips, as messages */
};

struct control_facts control_plane_facts(const struct control_plane *plane);

/* Returns the scheme of a mesh, by its number. */
enum control_scheme control_plane_scheme(const struct control_plane *plane, uint32_t mesh);

/* Returns the tables of a device; NULL if its chip is missing. They belong to the plane. */
const struct chip_tables *control_plane_tables(const struct control_plane *plane, uint32_t device);

/* Returns the tables of all devices, [device], with NULL for missing ones. */
const struct chip_tables *const *control_plane_all(const struct control_plane *plane);

/* Follows the tables from one device to another, which must be different. Writes the devices
 * passed, with both ends, to `devices`, which has room for `most`. Returns their number; 0 if the
 * tables do not lead there, with the reason in `why` (may be NULL), or if there is no room. */
uint32_t control_follow(const struct chip_tables *const *tables, uint32_t count, uint32_t from,
	uint32_t to, uint32_t *devices, uint32_t most, struct text *why);

/* A node of a multicast tree. Node 0 is the source; the parent of a node stands before it. */
struct control_node {
	uint32_t device, parent;
	struct hop hop; /* from the parent; {HOP_HERE, 0} at the source */
	bool member;	/* packets are delivered here */
};

/* Makes a multicast tree from a device to some devices of its mesh, which reaches each of them
 * once, over climbing hops. Writes it to *nodes, in memory of `arena`, and returns the number of
 * nodes; 0 if a member is missing or not in the mesh. */
uint32_t control_plane_tree(const struct control_plane *plane, uint32_t source,
	const uint32_t *members, uint32_t member_count, struct arena *arena,
	struct control_node **nodes);

/* Checks tables by following them, independently of how they were made: both ends of every link
 * agree; the tables lead from each device to each other one whose mesh is joined with its own, and
 * no packet can go around for ever; the waits between channels that these routes and the trees
 * cause form no circle; each tree reaches each chip of its mesh once. tables[device] is NULL if the
 * chip is missing. Returns OK. Otherwise returns INVALID, with a sentence in `why` (may be NULL)
 * that names the chip and what is wrong there. */
enum status control_plane_check(
	const struct chip_tables *const *tables, uint32_t count, struct text *why);

#endif
