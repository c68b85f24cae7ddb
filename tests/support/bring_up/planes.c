/* Makes placements for tests of the control plane. */
#include "planes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "test.h"
#include "topology/place.h"

void planes_begin(struct planes_case *planes, const char *descriptor)
{
	struct text why = {0};

	*planes = (struct planes_case){.diag = diag_new()};
	planes->graph = mesh_graph_read(
		tree_read_text_format("mgd", descriptor, strlen(descriptor), planes->diag), false,
		planes->diag);
	planes->logical = planes->graph ? logical_new(planes->graph, planes->diag) : NULL;
	if (!planes->logical)
		diag_print(planes->diag, stderr);
	assert_non_null(planes->logical);
	planes->machine = machine_as_asked(planes->logical, &why);
	if (!planes->machine)
		fail_msg("%s", text_string(&why));
	planes->image = allocate(planes->logical->device_count, sizeof(*planes->image));
	for (uint32_t i = 0; i < planes->logical->device_count; i++)
		planes->image[i] = i;
	planes->lost =
		allocate((size_t)planes->machine->link_count * 256 + 1, sizeof(*planes->lost));
}

void planes_end(struct planes_case *planes)
{
	free(planes->image);
	free(planes->lost);
	machine_free(planes->machine);
	logical_free(planes->logical);
	mesh_graph_free(planes->graph);
	diag_free(planes->diag);
}

static void lose(struct planes_case *planes, const struct machine_link *link)
{
	for (uint32_t i = 0; i < link->channels; i++)
		planes->lost[planes->lost_count++] = (struct control_loss){
			link->a, planes->machine->cables[link->first_cable + i].channel_a};
}

void planes_lose_link(struct planes_case *planes, uint32_t a, uint32_t b)
{
	const struct machine_link *link = machine_link_of(planes->machine, a, b);

	assert_non_null(link);
	lose(planes, link);
}

void planes_lose_links(struct planes_case *planes, struct stream *stream, double probability)
{
	for (uint32_t i = 0; i < planes->machine->link_count; i++) {
		const struct machine_link *link = &planes->machine->links[i];

		if (logical_mesh_of(planes->logical, link->a) ==
				logical_mesh_of(planes->logical, link->b) &&
			stream_unit(stream) < probability)
			lose(planes, link);
	}
}

struct control_plane *planes_make(
	const struct planes_case *planes, uint32_t vcs_max, struct text *why)
{
	return control_plane_new(planes->logical, planes->machine, planes->image,
		&(struct control_options){
			.vcs_max = vcs_max, .lost = planes->lost, .lost_count = planes->lost_count},
		why);
}

struct control_plane *planes_make_sound(const struct planes_case *planes, uint32_t vcs_max)
{
	struct text why = {0};
	struct control_plane *plane = planes_make(planes, vcs_max, &why);

	if (!plane || control_plane_check(control_plane_all(plane), planes->logical->device_count,
			      &why) != STATUS_OK)
		fail_msg("not sound: %s", text_string(&why));
	text_fini(&why);
	return plane;
}

void planes_mesh_text(struct text *out, const char *name, uint32_t rows, uint32_t columns,
	bool ring_columns, bool ring_rows, uint32_t host_rows, uint32_t host_columns)
{
	text_printf(out,
		"mesh_descriptors { name: \"%s\" arch: BLACKHOLE\n"
		"  device_topology { dims: [%u, %u] dim_types: [%s, %s] }\n"
		"  host_topology { dims: [%u, %u] } channels { count: 2 } }\n",
		name, rows, columns, ring_columns ? "RING" : "LINE", ring_rows ? "RING" : "LINE",
		host_rows, host_columns);
}

void planes_graph_text(struct text *out, const char *name, uint32_t meshes, const uint32_t *pairs,
	uint32_t pair_count, uint32_t channels)
{
	text_append(out, "graph_descriptors { name: \"G\" type: \"FABRIC\"\n");
	for (uint32_t i = 0; i < meshes; i++)
		text_printf(out, "  instances { mesh { mesh_descriptor: \"%s\" mesh_id: %u } }\n",
			name, i);
	for (uint32_t i = 0; i < pair_count; i++)
		text_printf(out,
			"  connections { nodes { mesh { mesh_descriptor: \"%s\" mesh_id: %u } }\n"
			"    nodes { mesh { mesh_descriptor: \"%s\" mesh_id: %u } }\n"
			"    channels { count: %u } }\n",
			name, pairs[2 * i], name, pairs[2 * i + 1], channels);
	text_append(out, "}\n");
	text_append(out, "top_level_instance { graph { graph_descriptor: \"G\" graph_id: 0 } }\n");
}
