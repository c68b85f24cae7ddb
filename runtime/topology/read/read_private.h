/* Shared by the readers of the room: how foreign files are opened and bound. Private to it. */
#ifndef TOPOLOGY_READ_PRIVATE_H
#define TOPOLOGY_READ_PRIVATE_H

#include "base/schema.h"
#include "topology/machine.h"
#include "topology/mesh_graph.h"
#include "topology/groupings.h"

/* Tolerance of schema_bind_foreign() for text format, where one value is a list of one. */
unsigned read_tolerance(bool strict);

/* An id of 64 bits: .bind of a field whose member is a uint64_t. */
void read_id(const struct schema_field *field, const struct tree_node *node, void *member,
	const struct schema_context *context);

/* The value of such a text; false if it is not a number. */
bool read_id_text(const char *text, uint64_t *out);

/* A number of 32 bits. */
bool read_number_text(const char *text, uint32_t *out);

/* Warns of channels that only one end lists, one warning per pair of chips. */
void read_say_claims(const struct machine *machine, struct diag *diag);

#define READ_ID(type, member, key, ...)                                                            \
	SCHEMA_CUSTOM(type, member, key, read_id, .json = "{\"type\":\"integer\"}", __VA_ARGS__)

/* mesh_graph_check.c: checks that involve more than one field. Errors go to `diag`. */
void mesh_graph_check(const struct mesh_graph *graph, struct diag *diag);

/* mesh_graph_check_graphs.c: graphs, their instances and connections. */
void mesh_graph_check_graphs(const struct mesh_graph *graph, struct diag *diag);

/* Shared parts of the readers of groupings. */

/* groupings_yaml.c */
void groupings_bind_yaml(
	const struct tree_node *root, struct groupings *groupings, bool strict, struct diag *diag);

/* groupings_check.c: references, circles, and required groupings. */
void groupings_check(const struct groupings *groupings, struct diag *diag);

#endif
