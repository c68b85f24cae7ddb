/* Functions and structs that the readers of other projects' files share: reading ids, warnings
 * about links, checks of descriptors and groupings, and the contents of UMD cluster descriptors.
 * Only for files of this folder. */
#ifndef TOPOLOGY_READ_PRIVATE_H
#define TOPOLOGY_READ_PRIVATE_H

#include "base/schema.h"
#include "topology/machine.h"
#include "topology/mesh_graph.h"
#include "topology/groupings.h"

/* Returns the tolerance that schema_bind_foreign() needs for protobuf's text format, in which a
 * list of one item looks like a single value. */
unsigned read_tolerance(bool strict);

/* The .bind function of a field whose member is a uint64_t: reads an id of 64 bits. */
void read_id(const struct schema_field *field, const struct tree_node *node, void *member,
	const struct schema_context *context);

/* Reads the number of 64 bits in `text`. Returns false if it is not a number. */
bool read_id_text(const char *text, uint64_t *out);

/* Reads the number of 32 bits in `text`. Returns false if it is not a number. */
bool read_number_text(const char *text, uint32_t *out);

/* Reports a warning for each pair of chips with channels that only one end lists. */
void read_say_claims(const struct machine *machine, struct diag *diag);

#define READ_ID(type, member, key, ...)                                                            \
	SCHEMA_CUSTOM(type, member, key, read_id, .json = "{\"type\":\"integer\"}", __VA_ARGS__)

/* mesh_graph_check.c: checks that involve more than one field. Errors go to `diag`. */
void mesh_graph_check(const struct mesh_graph *graph, struct diag *diag);

/* mesh_graph_check_graphs.c: checks graphs, their instances and connections. */
void mesh_graph_check_graphs(const struct mesh_graph *graph, struct diag *diag);

/* Parts that the readers of groupings share. */

/* groupings_yaml.c */
void groupings_bind_yaml(
	const struct tree_node *root, struct groupings *groupings, bool strict, struct diag *diag);

/* groupings_check.c: checks references, circles, and required groupings. */
void groupings_check(const struct groupings *groupings, struct diag *diag);

/* A UMD cluster descriptor as its file contains it. Only for files of this folder. */

/* The value that a map of chips has for a chip, not decoded. */
struct per_chip {
	const char *key;
	const struct tree_node *value;
};

/* The number of a chip and its id, in a map of chips. */
struct chip_number {
	const char *key;
	uint32_t number;
	struct location where;
};

struct chip_id {
	const char *key;
	uint64_t id;
	struct location where;
};

/* The place of a chip: x, y, rack, shelf. */
struct chip_place {
	const char *key;
	uint16_t at[4];
	struct location where;
};

struct chip_harvest {
	const char *key;
	struct machine_mask masks[HARVEST_KINDS];
	const struct tree_node *translation;
	struct location where;
};

/* An end of a connection, or another entry in the list of a connection. */
struct cluster_end {
	uint32_t chip, channel;
	uint64_t remote;
	bool routing;
	const struct tree_node *chip_node, *remote_node;
	struct location where;
};

struct cluster_connection {
	struct cluster_end ends[3];
	uint32_t count;
};

/* A part of a board's entry. Each part is a map with one key. */
struct cluster_board_part {
	uint64_t id;
	const char *type;
	const uint32_t *chips;
	uint32_t chip_count;
	struct location where;
};

struct cluster_board {
	struct cluster_board_part parts[4];
	uint32_t count;
};

struct cluster {
	const struct per_chip *arch, *bus_ids, *pci, *types;
	const struct chip_place *chips;
	const struct chip_id *ids;
	const struct chip_number *locations;
	const struct chip_harvest *harvesting;
	uint32_t arch_count, chip_count, id_count, harvesting_count, bus_id_count, location_count,
		pci_count, type_count;
	const struct cluster_connection *connections, *remote;
	uint32_t connection_count, remote_count;
	const struct tree_node *mmio, *remote_mmio, *io, *schema, *cluster_id;
	const struct cluster_board *boards;
	uint32_t board_count;
	struct location where;
};

extern const struct schema cluster_schema;

#endif
