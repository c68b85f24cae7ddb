/* Placements for tests of the control plane: a mesh graph descriptor, and a machine that is wired
 * as it asks, some of whose links and chips can be taken away. */
#ifndef SUPPORT_PLANES_H
#define SUPPORT_PLANES_H

#include "base/stream.h"
#include "bring_up/control_plane.h"

struct planes_case {
	struct diag *diag;
	struct mesh_graph *graph;
	struct logical *logical;
	struct machine *machine;
	uint32_t *image;
	struct control_loss *lost;
	uint32_t lost_count;
};

/* Reads a descriptor, and wires a machine as it asks: device i is chip i with id 1000 + i; each
 * rank is a host. Ends the test if the descriptor is not valid. */
void planes_begin(struct planes_case *planes, const char *descriptor);
void planes_end(struct planes_case *planes);

/* Takes away each link within meshes with a probability, from a stream. */
void planes_lose_links(struct planes_case *planes, struct stream *stream, double probability);

/* Takes away all channels between two devices. */
void planes_lose_link(struct planes_case *planes, uint32_t a, uint32_t b);

/* Makes the control plane, with at most `vcs_max` VCs (0: no bound). */
struct control_plane *planes_make(
	const struct planes_case *planes, uint32_t vcs_max, struct text *why);

/* Makes the control plane and checks it; fails the test with the reason if it is not sound. */
struct control_plane *planes_make_sound(const struct planes_case *planes, uint32_t vcs_max);

/* Appends the descriptor of a mesh of rows x columns, with hosts of host_rows x host_columns. */
void planes_mesh_text(struct text *out, const char *name, uint32_t rows, uint32_t columns,
	bool ring_columns, bool ring_rows, uint32_t host_rows, uint32_t host_columns);

/* Appends instances of mesh `name`, and connections of the pairs [2 * i], [2 * i + 1] of meshes. */
void planes_graph_text(struct text *out, const char *name, uint32_t meshes, const uint32_t *pairs,
	uint32_t pair_count, uint32_t channels);

#endif
