/* The logical multi-mesh graph of a mesh graph descriptor: all meshes and graphs that the
 * descriptor instantiates. The devices, links and connections of the whole graph are numbered. A
 * descriptor with more than TOPOLOGY_DEVICES_MAX devices is an error. */
#ifndef TOPOLOGY_LOGICAL_H
#define TOPOLOGY_LOGICAL_H

#include "topology/mesh_graph.h"

enum { LOGICAL_NONE = 0xffffffff };

/* A mesh, or a switch. Its devices have the numbers first to first + count - 1, in row-major order.
 * All devices of the graph are numbered together. */
struct logical_mesh {
	const struct mgd_mesh *descriptor;
	uint32_t id;	   /* mesh_id if it is unique, otherwise the number of the mesh */
	uint32_t local_id; /* id of the mesh in its graph */
	uint32_t instance; /* number of the graph that contains the mesh; LOGICAL_NONE if no graph
			    * contains it */
	uint32_t first, count;
	/* numbers of rows and columns of devices and of hosts; a switch has 1 x 1 hosts */
	uint32_t rows, columns, host_rows, host_columns;
	bool ring[2];	     /* ring[0]: true if columns are rings; ring[1]: true if rows are
			      * rings */
	uint32_t first_rank; /* number of the mesh's first rank; the mesh has host_rows x
			      * host_columns ranks */
	bool is_switch;
};

/* A graph. The meshes below it have the numbers first_mesh to first_mesh + mesh_count - 1. */
struct logical_instance {
	const struct mgd_graph *descriptor;
	/* parent: number of the graph that contains this graph; LOGICAL_NONE for the top */
	uint32_t id, parent;
	uint32_t first_mesh, mesh_count;
};

/* All links between two devices of one mesh, as one link. `links` is the number of links, and
 * `channels` is the sum of their channels. */
struct logical_link {
	uint32_t a, b, channels, links;
	bool relaxed;
};

/* One end of a connection: a certain device, or any device of some meshes. */
struct logical_end {
	uint32_t device; /* LOGICAL_NONE: any device of the meshes */
	uint32_t first_mesh, mesh_count;
};

struct logical_connection {
	struct logical_end a, b;
	uint32_t channels;
	uint32_t instance; /* number of the graph that defines the connection */
	bool relaxed, z;
	struct location where;
};

/* A pin: the device must be placed at one of some positions. */
struct logical_pin {
	uint32_t mesh, chip; /* mesh: id of the mesh; chip: number of the device in the mesh */
	const struct mgd_position *positions;
	uint32_t position_count;
	struct location where;
};

struct logical {
	struct logical_mesh *meshes;
	uint32_t mesh_count, device_count, rank_count;
	struct logical_instance *instances;
	uint32_t instance_count;
	struct logical_link *links;
	uint32_t link_count;
	struct logical_connection *connections;
	uint32_t connection_count;
	const struct logical_pin *pins;
	uint32_t pin_count;
	struct arena arena;
};

/* Returns the logical graph of a descriptor, which must outlive the result. Returns NULL after an
 * error. */
struct logical *logical_new(const struct mesh_graph *graph, struct diag *diag);

/* Frees a logical graph. NULL is allowed. */
void logical_free(struct logical *logical);

/* Returns the mesh with an id; NULL if there is none. */
const struct logical_mesh *logical_find(const struct logical *logical, uint32_t id);

/* Returns the number of a device's mesh. */
uint32_t logical_mesh_of(const struct logical *logical, uint32_t device);

/* Returns the rank of the host that has a device. Ranks are numbered from 0 over all meshes, and
 * row by row within a mesh. */
uint32_t logical_rank_of(const struct logical *logical, uint32_t device);

/* Returns the number of a rank's mesh. */
uint32_t logical_mesh_of_rank(const struct logical *logical, uint32_t rank);

/* ---- parts of logical_new() ---- */

/* Computes the links of a logical graph whose meshes already exist. */
void logical_links_make(struct logical *logical);

/* Computes the pins of a logical graph from its descriptor. Returns true on success; false after
 * errors, which are reported to `diag`. */
bool logical_pins_make(struct logical *logical, const struct mesh_graph *graph, struct diag *diag);

#endif
