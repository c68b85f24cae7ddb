/* What the control plane programs into a chip: what each of its ethernet channels is, the tables by
 * which its routers send packets on, and its part of the multicast trees. The tables of a chip
 * stand alone: they are checked, written as a message and read from one without anything else.
 *
 * Devices are numbered as in topology/logical.h. A port of a chip is a link to one other device of
 * the placement; all channels of a link lead to the same device, each in a plane of its own. A
 * packet stays in its plane: the channel of a port that takes it is the number of its plane, modulo
 * the channels of the port. Each channel has virtual channels (VCs): packets of different VCs never
 * wait for each other's room.
 *
 * A row of a table belongs to where a packet comes from: row 0 to packets that begin at the chip,
 * row 1 + port * VCs + vc to packets that came over this port on this VC. */
#ifndef BRING_UP_TABLES_H
#define BRING_UP_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"

enum {
	TABLES_NONE = 0xffffffff, /* no device, no plane */
	TABLES_VCS_MAX = 8,
	TABLES_PORTS_MAX = 250,
	TABLES_VERSION = 1, /* of the message */
	/* bounds of what a reader accepts, and a control plane makes: bytes of a message, and
	 * entries of a chip's tables together */
	TABLES_BYTES_MAX = 64 << 20,
	TABLES_ENTRIES_MAX = 1 << 24,
	HOP_HERE = 254, /* in place of a port: the packet is for this chip */
	HOP_NONE = 255, /* in place of a port: such a packet does not occur */
};

/* What a router does with a packet: it goes out at a port, on a VC. */
struct hop {
	uint8_t port, vc;
};

enum router_role {
	ROUTER_IDLE, /* the channel has a cable, but no link of the placement uses it */
	ROUTER_MESH, /* routes within the mesh */
	ROUTER_EXIT, /* leads to a chip of another mesh */
	ROUTER_ROLES
};

/* Where a channel leads, as the mesh is drawn: row 0 is north, column 0 is west. */
enum router_direction {
	ROUTER_NORTH,
	ROUTER_EAST,
	ROUTER_SOUTH,
	ROUTER_WEST,
	ROUTER_EXPRESS, /* to a chip of the mesh that is no neighbour */
	ROUTER_Z,	/* to another mesh */
	ROUTER_NOWHERE, /* the channel is idle */
	ROUTER_DIRECTIONS
};

/* Return the name of a role, such as "mesh", and of a direction, such as "north". */
const char *router_role_name(enum router_role role);
const char *router_direction_name(enum router_direction direction);

/* An ethernet channel of the chip that has a cable. */
struct router {
	uint8_t channel, peer_channel; /* numbers of the channel at both ends */
	uint8_t role, direction;       /* enum router_role, enum router_direction */
	uint8_t port;		       /* HOP_NONE if the channel is idle */
	uint8_t plane;		       /* number of the channel among those of its port */
	bool other_host;	       /* the cable leads to a chip of another host */
	uint64_t peer;		       /* id of the ASIC at the other end */
};

struct router_port {
	uint32_t peer;	   /* device at the other end */
	uint8_t peer_port; /* port of that device which leads back */
	uint8_t role, direction;
	uint8_t router_count;
	uint16_t first_router; /* its channels are routers[first_router] and those that follow, in
				* the order of their planes */
};

/* For another mesh: the chip at which packets of this chip leave their own mesh, its port, and the
 * channel of that port for plane 0. */
struct router_exit {
	uint32_t device; /* TABLES_NONE: no way leads there, or it is the chip's own mesh */
	uint8_t port, channel;
};

/* A chip's part of a multicast tree. */
struct tree_part {
	uint32_t source; /* device from which the tree comes */
	uint8_t in_port; /* HOP_HERE at the source itself */
	uint8_t in_vc;
	uint8_t out_count; /* copies go out over hops[first_out] and those that follow */
	uint32_t first_out;
};

struct chip_tables {
	uint32_t device, mesh, chip; /* mesh: number of the mesh; chip: number within the mesh */
	uint64_t asic;
	uint32_t first_device, mesh_chips; /* the devices of the mesh */
	uint32_t device_count, mesh_count; /* of the whole placement */
	uint8_t vcs;
	const struct router_port *ports;
	uint32_t port_count;
	const struct router *routers; /* those of ports, port by port; then idle ones */
	uint32_t router_count;
	const struct hop *within;	 /* [row * mesh_chips + chip of the mesh] */
	const struct hop *between;	 /* [row * mesh_count + mesh] */
	const struct router_exit *exits; /* [mesh] */
	const struct tree_part *parts;	 /* by `source`, each once */
	uint32_t part_count;
	const struct hop *hops; /* of `parts` */
	uint32_t hop_count;
};

/* Returns the number of rows of the tables. */
static inline uint32_t tables_rows(const struct chip_tables *tables)
{
	return 1 + tables->port_count * tables->vcs;
}

/* Returns the row of packets that came over a hop's port, as this chip numbers its ports, on its
 * VC; of a packet that begins here if the port is HOP_HERE. */
static inline uint32_t tables_row(const struct chip_tables *tables, struct hop in)
{
	return in.port == HOP_HERE ? 0 : 1u + (uint32_t)in.port * tables->vcs + in.vc;
}

/* Returns where a packet for `target` goes on that came as `in` says; port HOP_NONE if the tables
 * have no such row or target. */
struct hop tables_next(
	const struct chip_tables *tables, struct hop in, uint32_t target, uint32_t target_mesh);

/* Appends the tables of a chip as a message. Returns its size. All numbers are little-endian:
 *
 *     0-7    "mshroute"        8-11  version       12-15  bytes of the message
 *     the counts, ports and routers, fields in the order of struct chip_tables
 *     per row: the hops that occur in it (2 B of count, 2 B each), then for each chip of the mesh
 *              and each mesh the number of its hop, in as few bits as number them
 *     exits, parts, hops
 *     the last 8 B: a hash of everything before */
size_t tables_write(const struct chip_tables *tables, struct text *out);

/* Reads the tables of a chip from a message, which may contain anything. Sets *tables, in memory of
 * `arena`. Returns OK, and then each number in the tables is within its bounds; they may still be
 * wrong, which control_plane_check() finds. Returns NO_SPACE if the message or the tables in it are
 * too big, UNSUPPORTED if it is of another version, and INVALID if it is no such message, was cut
 * or changed, or has a number out of bounds; all with a sentence in `why` (may be NULL). */
enum status tables_read(const uint8_t *message, size_t bytes, struct arena *arena,
	struct chip_tables *tables, struct text *why);

#endif
