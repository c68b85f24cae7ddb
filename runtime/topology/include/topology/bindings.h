/* Rank bindings and Open MPI's rank file: which rank has which part of which mesh, on which host
 * and with which devices. Read as they are found, checked against a placement's descriptor,
 * written. */
#ifndef TOPOLOGY_BINDINGS_H
#define TOPOLOGY_BINDINGS_H

#include "base/diag.h"
#include "base/text.h"
#include "base/tree.h"
#include "topology/place.h"

struct binding {
	uint32_t rank, mesh;
	int64_t mesh_host_rank; /* -1: not said */
	bool has_devices;
	const uint32_t *devices; /* of PCIe, as TT_VISIBLE_DEVICES lists them */
	uint32_t device_count;
	struct location where;
};

/* A file that rank bindings name: the bindings of a sub-context, or the cluster descriptor of a
 * rank. */
struct binding_file {
	uint32_t id;		   /* of the sub-context or of the rank */
	const char *path;	   /* as it stands there */
	struct location where;	   /* of the path */
	struct bindings *bindings; /* of a sub-context, once they are read; owned. Else NULL */
};

struct bindings {
	const struct binding *bindings;
	uint32_t count;
	const char *mesh_graph;	       /* mesh_graph_desc_path, or NULL */
	struct binding_file *contexts; /* subcontext_id_to_rank_bindings */
	uint32_t context_count;
	struct binding_file *clusters; /* rank_to_cluster_mock_cluster_desc */
	uint32_t cluster_count;
	struct location where;
	struct arena arena;
};

enum { BINDING_FILES_MAX = 1024 }; /* that one file may name of a kind */

/* Takes what tree_read_file() or its like made of a file, NULL too. Files that it names are not
 * opened. NULL after errors, which are in `diag`. */
struct bindings *bindings_read(struct tree *tree, bool strict, struct diag *diag);
void bindings_free(struct bindings *bindings);

struct rankfile_line {
	uint32_t rank;
	const char *host;
	const char *slots; /* as they stand */
	uint32_t cores;	   /* how many these are; 0: all of a socket, or of the host */
	struct location where;
};

struct rankfile {
	struct rankfile_line *lines;
	uint32_t count;
	struct arena arena;
};

/* `rank N=HOST slot=LIST`, with comments. NULL after errors. */
struct rankfile *rankfile_read_file(const char *path, struct diag *diag);
struct rankfile *rankfile_read_text(
	const char *name, const char *text, size_t length, struct diag *diag);
void rankfile_free(struct rankfile *rankfile);

/* Whether bindings fit a descriptor: each rank of each mesh once, no other mesh. Which binding each
 * rank of the logical graph has goes to `of_rank`. False after errors. */
bool bindings_match(const struct bindings *bindings, const struct logical *logical,
	uint32_t *of_rank, struct diag *diag);

/* Chips that each rank of a logical graph may have by its bindings: on the host that the rank file
 * says (any, if it is NULL), of the devices that are visible. False after errors. */
bool bindings_domains(const struct bindings *bindings, const struct rankfile *rankfile,
	const uint32_t *of_rank, const struct logical *logical, const struct machine *machine,
	struct solve_domain *ranks, struct arena *arena, struct diag *diag);

/* Appends rank_bindings.yaml and rankfile.txt of a placement. `mesh_graph`: its path. */
void bindings_write(const struct logical *logical, const struct machine *machine,
	const uint32_t *image, const char *mesh_graph, struct text *out);
void rankfile_write(const struct logical *logical, const struct machine *machine,
	const uint32_t *image, struct text *out);

/* PCIe devices of a rank, in rising order; their number. `out` has room for those of all chips. */
uint32_t rank_devices(const struct logical *logical, const struct machine *machine,
	const uint32_t *image, uint32_t rank, uint32_t *out);

/* A chip of a rank: its host is the rank's. */
uint32_t rank_chip(const struct logical *logical, const uint32_t *image, uint32_t rank);

#endif
