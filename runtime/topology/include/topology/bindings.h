/* Rank bindings and Open MPI's rank file. Rank bindings assign to each rank its mesh, its host
 * within the mesh, and its devices; a rank file assigns a host and cores to each rank. The
 * functions here read, write and check both files. The functions that read do not compare a file
 * with a mesh graph descriptor; bindings_match() and bindings_domains() do this. */
#ifndef TOPOLOGY_BINDINGS_H
#define TOPOLOGY_BINDINGS_H

#include "base/diag.h"
#include "base/text.h"
#include "base/tree.h"
#include "topology/place.h"

struct binding {
	uint32_t rank, mesh;
	int64_t mesh_host_rank; /* -1: the file does not give it */
	bool has_devices;
	const uint32_t *devices; /* numbers of PCIe devices, as in TT_VISIBLE_DEVICES */
	uint32_t device_count;
	struct location where;
};

/* Another file to which a file of rank bindings refers by its path. It contains the rank bindings
 * of a sub-context, or the cluster descriptor of a rank. */
struct binding_file {
	uint32_t id;		   /* id of the sub-context, or number of the rank */
	const char *path;	   /* path as the file contains it */
	struct location where;	   /* position of the path in the file */
	struct bindings *bindings; /* sub-context: the bindings in its file, which belong to this
				    * struct; NULL until they are read */
};

struct bindings {
	const struct binding *bindings;
	uint32_t count;
	const char *mesh_graph;	       /* value of mesh_graph_desc_path, or NULL */
	struct binding_file *contexts; /* files of subcontext_id_to_rank_bindings */
	uint32_t context_count;
	struct binding_file *clusters; /* files of rank_to_cluster_mock_cluster_desc */
	uint32_t cluster_count;
	struct location where;
	struct arena arena;
};

/* maximum number of files of one kind that one file may name */
enum { BINDING_FILES_MAX = 1024 };

/* Converts a tree, read by tree_read_file() or a similar function, to rank bindings, and frees the
 * tree. Does not open files whose paths are in the tree. Unknown keys are warnings; if `strict` is
 * set, they are errors. Returns NULL if `tree` is NULL, or after errors, which are reported to
 * `diag`. */
struct bindings *bindings_read(struct tree *tree, bool strict, struct diag *diag);
void bindings_free(struct bindings *bindings);

struct rankfile_line {
	uint32_t rank;
	const char *host;
	const char *slots; /* the slots as the file contains them */
	uint32_t cores;	   /* number of cores; 0: all cores of a socket, or of the host */
	struct location where;
};

struct rankfile {
	struct rankfile_line *lines;
	uint32_t count;
	struct arena arena;
};

/* Read a rank file, which has lines `rank N=HOST slot=LIST` and comments. Return NULL after
 * errors. */
struct rankfile *rankfile_read_file(const char *path, struct diag *diag);
struct rankfile *rankfile_read_text(
	const char *name, const char *text, size_t length, struct diag *diag);
void rankfile_free(struct rankfile *rankfile);

/* Checks that bindings agree with a descriptor: the bindings must contain each rank of each mesh
 * once, and no rank of another mesh. Sets of_rank[i] to the index of the binding of rank i of the
 * logical graph. Returns true on success, false after errors. */
bool bindings_match(const struct bindings *bindings, const struct logical *logical,
	uint32_t *of_rank, struct diag *diag);

/* Sets ranks[i] to the chips that rank i of a logical graph may use. These are the chips of the
 * devices that are visible to the rank according to its binding. If `rankfile` is not NULL, only
 * chips on the host that it names for the rank count. Returns true on success, false after errors.
 */
bool bindings_domains(const struct bindings *bindings, const struct rankfile *rankfile,
	const uint32_t *of_rank, const struct logical *logical, const struct machine *machine,
	struct solve_domain *ranks, struct arena *arena, struct diag *diag);

/* Append the files of a placement to `out`: bindings_write() appends rank_bindings.yaml, and
 * rankfile_write() appends rankfile.txt. `mesh_graph` is the path of the descriptor. */
void bindings_write(const struct logical *logical, const struct machine *machine,
	const uint32_t *image, const char *mesh_graph, struct text *out);
void rankfile_write(const struct logical *logical, const struct machine *machine,
	const uint32_t *image, struct text *out);

/* Writes the PCIe devices of a rank to `out`, in ascending order, and returns their number. `out`
 * must have room for as many devices as the machine has chips. */
uint32_t rank_devices(const struct logical *logical, const struct machine *machine,
	const uint32_t *image, uint32_t rank, uint32_t *out);

/* Returns a chip of a rank. The rank is on the host of this chip. */
uint32_t rank_chip(const struct logical *logical, const uint32_t *image, uint32_t rank);

#endif
