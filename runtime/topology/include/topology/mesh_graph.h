/* The mesh graph descriptor: the meshes that a program needs, and the connections between them.
 * These structures hold the contents of the file after they were checked. topology/logical.h
 * declares the graph that the descriptor describes. */
#ifndef TOPOLOGY_MESH_GRAPH_H
#define TOPOLOGY_MESH_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/tree.h"

enum {
	/* maximum number of dimensions of a mesh, on every architecture */
	TOPOLOGY_DIMS_MAX = 2,
	/* maximum number of devices, over all meshes of a descriptor */
	TOPOLOGY_DEVICES_MAX = 65536,
};

enum topology_arch { ARCH_INVALID, ARCH_WORMHOLE_B0, ARCH_BLACKHOLE, ARCH_QUASAR };
enum dim_type { DIM_INVALID, DIM_LINE, DIM_RING };
enum policy { POLICY_STRICT, POLICY_RELAXED };
enum mgd_layout_type { LAYOUT_NONE, LAYOUT_ALL_TO_ALL, LAYOUT_RING };

/* Returns the name of an architecture, for example "WORMHOLE_B0". */
const char *topology_arch_name(enum topology_arch arch);

struct mgd_channels {
	int32_t count;
	enum policy policy;
};

/* An express link between the devices `src` and `dst` of a mesh. The numbers count the devices of
 * the mesh in row-major order. */
struct mgd_express {
	int32_t src, dst;
	struct location where;
};

/* Express links along a dimension. The dimension is divided into blocks of `step` devices. The
 * first device of block i is start + i * step. An express link connects the first and the last
 * device of each block. */
struct mgd_express_pattern {
	int32_t start, step;
};

struct mgd_express_links {
	int32_t dim;
	struct mgd_express_pattern pattern;
	struct location where;
};

struct mgd_topology {
	const int32_t *dims;
	uint32_t dim_count;
	/* types: values of `dim_types`; old_types: values of the old field with the same meaning */
	const enum dim_type *types, *old_types;
	uint32_t type_count, old_type_count;
};

/* A mesh, or a switch. A switch has no hosts. */
struct mgd_mesh {
	const char *name;
	enum topology_arch arch;
	struct mgd_topology devices, hosts;
	struct mgd_channels channels;
	const struct mgd_express *express;
	uint32_t express_count;
	const struct mgd_express_links *express_links;
	uint32_t express_link_count;
	struct location where;
};

struct mgd_ref;

struct mgd_mesh_ref {
	const char *descriptor;
	int32_t id, device; /* device: -1 means the whole mesh */
};

struct mgd_graph_ref {
	const char *descriptor;
	int32_t id;
	struct mgd_ref *sub; /* NULL: the reference means the whole graph */
};

/* A reference to an instance. Exactly one of the three members is set. */
struct mgd_ref {
	struct mgd_mesh_ref *mesh, *device_switch;
	struct mgd_graph_ref *graph;
	struct location where;
};

struct mgd_connection {
	const struct mgd_ref *nodes;
	uint32_t node_count;
	struct mgd_channels channels;
	bool directional, z;
	struct location where;
};

struct mgd_layout {
	enum mgd_layout_type type;
	struct mgd_channels channels;
	bool z;
	struct location where;
};

struct mgd_graph {
	const char *name, *type;
	const struct mgd_ref *instances;
	uint32_t instance_count;
	struct mgd_layout *layout; /* NULL: there is no layout */
	const struct mgd_connection *connections;
	uint32_t connection_count;
	struct location where;
};

/* Chip `chip` of a mesh, or of all meshes whose ids match a regular expression. */
struct mgd_node_id {
	int32_t mesh, chip;
	const char *mesh_regex; /* NULL: `mesh` is used instead */
	struct location where;
};

struct mgd_position {
	int32_t tray, location;
};

/* A pin: each of the nodes must be placed at one of the positions. */
struct mgd_pinning {
	const struct mgd_node_id *nodes;
	uint32_t node_count;
	const struct mgd_position *positions;
	uint32_t position_count;
	struct location where;
};

struct mesh_graph {
	const struct mgd_mesh *meshes, *switches;
	uint32_t mesh_count, switch_count;
	const struct mgd_graph *graphs;
	uint32_t graph_count;
	struct mgd_ref *top;
	const struct mgd_pinning *pinnings;
	uint32_t pinning_count;
	struct location where;
	struct arena arena; /* holds the memory of the whole descriptor */
};

/* Converts a tree, read by tree_read_text_format() or a similar function, to a mesh graph, checks
 * the graph, and frees the tree. Unknown fields are warnings; if `strict` is set, they are errors.
 * Returns NULL if `tree` is NULL, or after errors, which are reported to `diag`. `diag` must
 * outlive the result. */
struct mesh_graph *mesh_graph_read(struct tree *tree, bool strict, struct diag *diag);

/* Reads a file in protobuf's text format; otherwise like mesh_graph_read(). If the file is a
 * descriptor in the old YAML format, reports an error that says so. */
struct mesh_graph *mesh_graph_read_file(const char *path, bool strict, struct diag *diag);

/* Frees a mesh graph. NULL is allowed. */
void mesh_graph_free(struct mesh_graph *graph);

/* Return the descriptor with a name; NULL if there is none. */
const struct mgd_mesh *mesh_graph_mesh(const struct mesh_graph *graph, const char *name);
const struct mgd_mesh *mesh_graph_switch(const struct mesh_graph *graph, const char *name);
const struct mgd_graph *mesh_graph_graph(const struct mesh_graph *graph, const char *name);

/* Checks a graph that was changed after it was read. Makes the same checks as the reader. Returns
 * true if the graph is valid; false after errors, which are reported to `diag`. */
bool mesh_graph_valid(const struct mesh_graph *graph, struct diag *diag);

/* Returns the type of dimension `dim`; the default is LINE. */
enum dim_type mgd_dim_type(const struct mgd_topology *topology, uint32_t dim);

#endif
