/* The parts of a control plane, which its files share: the graph of links that routes may use, and
 * the numbers that routes climb. Only for files of this folder. */
#ifndef BRING_UP_PLANE_PRIVATE_H
#define BRING_UP_PLANE_PRIVATE_H

#include "base/arena.h"
#include "bring_up/control_plane.h"

/* A link in one direction. */
struct plane_arc {
	uint32_t from, to; /* devices */
	uint32_t reverse;  /* number of the arc in the other direction */
	uint32_t link;	   /* number of the machine's link */
	uint8_t direction; /* enum router_direction */
	bool exit;	   /* leads to another mesh */
	bool wraps;	   /* leads around the end of a ring */
};

struct plane_mesh {
	uint32_t first, count; /* its devices */
	uint32_t rows, columns;
	uint32_t present;	    /* devices that have a chip */
	bool ring[2];		    /* as in struct logical_mesh */
	bool whole;		    /* has all its chips and links, none of which is diagonal */
	enum control_scheme scheme; /* plane_number.c */
	uint32_t rank;		    /* place in the order of meshes; the root is 0 */
	uint32_t group;		    /* meshes of one group reach each other */
};

struct control_plane {
	struct arena arena;
	uint32_t device_count, mesh_count;
	struct plane_mesh *meshes;
	uint32_t *mesh_of; /* [device] */
	uint32_t *chip_of; /* [device] chip of the machine, or MACHINE_NONE */
	uint32_t *rank_of; /* [device] its rank, which has one tree */
	/* the arcs of device i are arcs[first[i]] to arcs[first[i + 1] - 1], by the device to which
	 * they lead; port p of a device is its arc number p */
	uint32_t *first;
	struct plane_arc *arcs;
	uint32_t arc_count;
	uint32_t vcs, phase_vcs, group_count;
	/* A state is an arc and a VC: arc * vcs + vc. A packet in a state goes on only to states
	 * with a higher number. */
	uint32_t *number;	     /* [state] TABLES_NONE: not used */
	uint32_t *above;	     /* [device] place in the order of up-down, in its mesh */
	struct chip_tables *storage; /* [device] */
	const struct chip_tables **tables;
	uint32_t tree_count;
	uint64_t bytes;
};

/* plane_graph.c: makes meshes and arcs. Returns OK, or an error with a sentence in `why`. */
enum status plane_graph_make(struct control_plane *plane, const struct logical *logical,
	const struct machine *machine, const uint32_t *image, const struct control_options *options,
	struct text *why);

/* Returns true if a channel of a chip is in options->lost. */
bool plane_is_lost(const struct control_options *options, uint32_t chip, uint8_t channel);

/* plane_number.c: chooses the schemes and numbers the states. Returns OK, or an error with a
 * sentence in `why`. */
enum status plane_number_make(struct control_plane *plane, uint32_t vcs_max, struct text *why);

/* plane_order.c: orders the devices of each mesh by breadth from a root (plane->above). Returns OK,
 * or NOT_FOUND, with a sentence in `why`, if a mesh is not connected. */
enum status plane_order_devices(struct control_plane *plane, struct text *why);

/* Orders the meshes by breadth from a root: their `rank` and `group`. */
void plane_order_meshes(struct control_plane *plane);

/* plane_route.c: fills the tables `within`, `between` and `exits` of all chips. */
void plane_route_make(struct control_plane *plane);

/* plane_roles.c: fills ports and routers of all chips. */
void plane_roles_make(struct control_plane *plane, const struct machine *machine,
	const struct control_options *options);

/* plane_parts.c: fills the parts of the trees of all chips. */
void plane_trees_make(struct control_plane *plane, const struct machine *machine);

/* Appends "mesh 0 chip 3 (host1 tray 2 asic 3)". */
void plane_device_name(const struct control_plane *plane, const struct machine *machine,
	uint32_t device, struct text *out);

static inline struct plane_arc *plane_arc_of(const struct control_plane *plane, uint32_t state)
{
	return &plane->arcs[state / plane->vcs];
}

/* Returns the hop out of its chip that a state stands for. */
static inline struct hop plane_hop_of(const struct control_plane *plane, uint32_t state)
{
	uint32_t arc = state / plane->vcs;

	return (struct hop){(uint8_t)(arc - plane->first[plane->arcs[arc].from]),
		(uint8_t)(state % plane->vcs)};
}

/* Returns the row of the tables of the chip at which a state arrives. */
static inline uint32_t plane_row_of(const struct control_plane *plane, uint32_t state)
{
	const struct plane_arc *arc = plane_arc_of(plane, state);

	return 1 + (arc->reverse - plane->first[arc->to]) * plane->vcs + state % plane->vcs;
}

/* Returns true if a packet in state `in` may go on in state `out`, which begins where it ends. */
static inline bool plane_climbs(const struct control_plane *plane, uint32_t in, uint32_t out)
{
	return plane->number[in] < plane->number[out] && plane->number[out] != TABLES_NONE &&
	       plane_arc_of(plane, in)->reverse != out / plane->vcs;
}

#endif
