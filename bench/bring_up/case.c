/* Makes the machine of a platform as a physical system, a mesh graph descriptor for all of it, and
 * the rank bindings and rank file that a user writes for it. */
#include <stdlib.h>
#include <string.h>

#include "bench/bring_up/bring_up.h"
#include "bench/scenario/hosts.h"

struct making {
	struct bring_up_case *made;
	const struct cluster_info *info; /* of one host */
	uint32_t hosts, links;		 /* links: between neighbours on two hosts */
	bool wraps, in_rows;
	uint32_t rows, columns; /* of one host */
	uint32_t *device_of;	/* [chip of a host] number of its PCIe device */
	uint32_t *next;		/* [chip] next free channel */
};

static void number_devices(struct making *making)
{
	const struct cluster_info *info = making->info;
	uint32_t count = 0;

	making->device_of =
		arena_array(&making->made->arena, info->chip_count, sizeof(*making->device_of));
	for (uint32_t i = 0; i < info->chip_count; i++)
		if (info->chips[i].has_pcie)
			making->device_of[i] = count++;
	for (uint32_t i = 0; i < info->chip_count; i++)
		if (!info->chips[i].has_pcie)
			making->device_of[i] = making->device_of[info->chips[i].gateway];
}

static void join_chips(struct making *making, uint32_t a, uint32_t b, uint32_t links)
{
	for (uint32_t i = 0; i < links; i++)
		(void)machine_add_channel(
			making->made->described, a, making->next[a]++, b, making->next[b]++);
}

/* Joins the last line of a host's chips to the first line of the next host's. */
static void join_hosts(struct making *making, uint32_t one, uint32_t other)
{
	const struct cluster_info *info = making->info;
	int last = (int)(making->in_rows ? making->rows : making->columns) - 1;

	for (uint32_t i = 0; i < info->chip_count; i++)
		for (uint32_t k = 0; k < info->chip_count; k++) {
			const struct chip_info *a = &info->chips[i], *b = &info->chips[k];
			int along_a = making->in_rows ? a->mesh_row : a->mesh_column;
			int along_b = making->in_rows ? b->mesh_row : b->mesh_column;
			int across_a = making->in_rows ? a->mesh_column : a->mesh_row;
			int across_b = making->in_rows ? b->mesh_column : b->mesh_row;

			if (along_a == last && along_b == 0 && across_a == across_b &&
				across_a >= 0)
				join_chips(making, one * info->chip_count + i,
					other * info->chip_count + k, making->links);
		}
}

static bool make_machine(struct making *making)
{
	const struct cluster_info *info = making->info;
	struct machine *machine = making->made->described = machine_new();
	bool good = true;

	making->next = arena_array(&making->made->arena, (size_t)making->hosts * info->chip_count,
		sizeof(*making->next));
	for (uint32_t host = 0; host < making->hosts; host++) {
		struct text name = {0};

		text_printf(&name, "host-%u", host);
		machine_host(machine, text_string(&name));
		text_fini(&name);
		for (uint32_t i = 0; i < info->chip_count && good; i++)
			good = machine_add_chip(machine,
				       (struct machine_chip){.id = (uint64_t)host * 4096 + i + 1,
					       .host = host,
					       .tray = making->device_of[i] + 1,
					       .location = info->chips[i].has_pcie ? 0 : 1,
					       .board = MACHINE_NONE,
					       .device = making->device_of[i],
					       .pcie = info->chips[i].has_pcie,
					       .place = {-1, -1, -1, -1},
					       .arch = ARCH_INVALID}) == STATUS_OK;
		for (uint32_t i = 0; i < info->connection_count; i++)
			join_chips(making, host * info->chip_count + info->connections[i].chip[0],
				host * info->chip_count + info->connections[i].chip[1],
				info->connections[i].links);
	}
	for (uint32_t host = 0; host + 1 < making->hosts; host++)
		join_hosts(making, host, host + 1);
	if (making->wraps && making->hosts > 2)
		join_hosts(making, making->hosts - 1, 0);
	machine_finish(machine);
	return good;
}

/* Returns the smallest number of channels of a link, among links that join hosts or others. */
static uint32_t least_channels(const struct machine *machine, bool all)
{
	uint32_t least = UINT32_MAX;

	for (uint32_t i = 0; i < machine->link_count; i++) {
		const struct machine_link *link = &machine->links[i];

		if (all || machine->chips[link->a].host == machine->chips[link->b].host)
			least = link->channels < least ? link->channels : least;
	}
	return least == UINT32_MAX ? 1 : least;
}

static void write_mesh(
	struct text *out, uint32_t rows, uint32_t columns, const uint32_t parts[2], uint32_t count)
{
	text_printf(out,
		"mesh_descriptors { name: \"M\" arch: WORMHOLE_B0\n"
		"  device_topology { dims: [ %u, %u ] dim_types: [ LINE, LINE ] }\n"
		"  host_topology { dims: [ %u, %u ] } channels { count: %u policy: STRICT } }\n",
		rows, columns, parts[0], parts[1], count);
}

static void write_graph(struct making *making, enum bring_up_meshes meshes)
{
	struct text *out = &making->made->graph_text;
	const struct machine *machine = making->made->described;
	uint32_t across = making->in_rows ? making->columns : making->rows;
	const uint32_t all[2] = {
		making->in_rows ? making->hosts : 1, making->in_rows ? 1 : making->hosts};

	if (meshes == BRING_UP_ONE_MESH) {
		write_mesh(out, making->rows * all[0], making->columns * all[1], all,
			least_channels(machine, true));
		text_append(
			out, "top_level_instance { mesh { mesh_descriptor: \"M\" mesh_id: 0 } }\n");
		return;
	}
	write_mesh(out, making->rows, making->columns, (const uint32_t[]){1, 1},
		least_channels(machine, false));
	text_append(out, "graph_descriptors { name: \"G\" type: \"POD\"\n");
	for (uint32_t i = 0; i < making->hosts; i++)
		text_printf(
			out, "  instances { mesh { mesh_descriptor: \"M\" mesh_id: %u } }\n", i);
	for (uint32_t i = 0; making->links && i < making->hosts; i++)
		if (i + 1 < making->hosts || (making->wraps && making->hosts > 2))
			text_printf(out,
				"  connections { nodes { mesh { mesh_descriptor: \"M\" mesh_id: %u "
				"} }"
				" nodes { mesh { mesh_descriptor: \"M\" mesh_id: %u } }"
				" channels { count: %u policy: STRICT } }\n",
				i, (i + 1) % making->hosts, across * making->links);
	text_append(
		out, "}\ntop_level_instance { graph { graph_descriptor: \"G\" graph_id: 0 } }\n");
}

/* Makes the groupings of the machine: the chips of each host may be a mesh (initialization
 * specification 5.2). */
static void group_hosts(struct bring_up_case *made)
{
	const struct machine *machine = made->described;
	struct place_set *sets = arena_array(&made->arena, machine->host_count + 1u, sizeof(*sets));
	uint32_t *chips = arena_array(&made->arena, machine->chip_count + 1u, sizeof(*chips));

	for (uint32_t i = 0; i < machine->chip_count; i++) {
		struct place_set *set = &sets[machine->chips[i].host];

		chips[i] = i;
		if (set->count++ > 0)
			continue;
		*set = (struct place_set){.name = machine->hosts[machine->chips[i].host].name,
			.chips = &chips[i],
			.count = 1,
			.above = {SOLVE_ANY, SOLVE_ANY, SOLVE_ANY}};
	}
	made->options.sets = sets;
	made->options.set_count = machine->host_count;
}

/* Makes the files that a user writes by hand, as one who makes no mistake. */
static bool write_files(struct bring_up_case *made, struct diag *diag)
{
	struct mesh_placement *placement =
		topology_place(made->logical, made->described, &made->options);
	struct text bindings = {0}, rankfile = {0};

	if (placement->verdict == SOLVE_FOUND) {
		bindings_write(made->logical, made->described, placement->image,
			"mesh_graph.textproto", &bindings);
		rankfile_write(made->logical, made->described, placement->image, &rankfile);
		made->bindings =
			bindings_read(tree_read_text("rank_bindings.yaml", text_string(&bindings),
					      bindings.length, diag),
				true, diag);
		made->rankfile = rankfile_read_text(
			"rankfile.txt", text_string(&rankfile), rankfile.length, diag);
		made->use_bindings = made->bindings;
		made->use_rankfile = made->rankfile;
	} else {
		diag_error(diag, (struct location){0},
			"the meshes do not fit the platform's machine: %s%s",
			made->logical->mesh_count == 1 && made->described->host_count > 1
				? "one mesh over all its hosts needs cables between them; ask for "
				  "a mesh for each host: "
				: "",
			placement->how);
	}
	mesh_placement_free(placement);
	text_fini(&bindings);
	text_fini(&rankfile);
	return made->bindings && made->rankfile;
}

/* Reads the machine, or makes it from the platform. */
static bool case_take_machine(
	struct making *making, const struct bring_up_source *source, struct diag *diag)
{
	if (source->psd) {
		making->made->described = machine_read_psd(
			tree_read_text_format_file(source->psd, diag), false, diag);
		return making->made->described != NULL;
	}
	if (source->asked) {
		struct text why = {0};

		making->made->described = machine_as_asked(making->made->logical, &why);
		if (!making->made->described)
			diag_error(diag, (struct location){0}, "%s", text_string(&why));
		text_fini(&why);
		return making->made->described != NULL;
	}
	number_devices(making);
	if (make_machine(making))
		return true;
	diag_error(diag, (struct location){0}, "%u hosts of %u chips are more than %d chips",
		making->hosts, making->info->chip_count, MACHINE_CHIPS_MAX);
	return false;
}

/* Reads the mesh graph descriptor, or makes it for the platform's machine. */
static bool case_take_graph(
	struct making *making, const struct bring_up_source *source, struct diag *diag)
{
	struct bring_up_case *made = making->made;

	if (source->mgd) {
		made->mesh_graph = mesh_graph_read_file(source->mgd, false, diag);
	} else {
		write_graph(making, source->meshes);
		made->mesh_graph = mesh_graph_read(
			tree_read_text_format("mesh_graph.textproto",
				text_string(&made->graph_text), made->graph_text.length, diag),
			true, diag);
	}
	if (made->mesh_graph)
		made->logical = logical_new(made->mesh_graph, diag);
	return made->logical != NULL;
}

bool bring_up_case_make(
	struct bring_up_case *made, const struct bring_up_source *source, struct diag *diag)
{
	const struct platform *platform = source->platform;
	const struct cluster_info *info = platform_host_cluster(platform, 0);
	struct making making = {.made = made,
		.info = info,
		.hosts = source->hosts ? source->hosts : machine_hosts(platform),
		.links = machine_links(platform),
		.wraps = machine_wraps(platform),
		.in_rows = machine_axis(platform) == HOSTS_IN_ROWS,
		.rows = info->mesh_rows,
		.columns = info->mesh_columns};

	*made = (struct bring_up_case){0};
	if ((source->mgd && !case_take_graph(&making, source, diag)) ||
		!case_take_machine(&making, source, diag) ||
		(!source->mgd && !case_take_graph(&making, source, diag)))
		return false;
	made->options.quick = true;
	made->options.pins = place_pins_of(made->logical, &made->arena);
	made->options.pin_count = made->logical->pin_count;
	if (!source->mgd && !source->psd && source->meshes == BRING_UP_MESH_EACH_HOST)
		group_hosts(made);
	return write_files(made, diag);
}

struct flow_job bring_up_job(const struct bring_up_case *made, enum flow_kind flow)
{
	struct flow_job job = {.kind = flow,
		.real = made->planted ? made->planted : made->described,
		.described = made->described,
		.logical = made->logical,
		.options = made->options,
		.mesh_graph = "mesh_graph.textproto",
		.manager_dies = made->manager_dies};

	if (flow_has_step(flow, FLOW_STEP_READ_FILES)) {
		job.bindings = made->use_bindings;
		job.rankfile = made->use_rankfile;
	} else if (flow_has_step(flow, FLOW_STEP_RETRIEVE)) {
		job.other_bindings =
			made->use_bindings == made->bindings ? NULL : made->use_bindings;
		job.other_rankfile =
			made->use_rankfile == made->rankfile ? NULL : made->use_rankfile;
	}
	return job;
}

void bring_up_case_free(struct bring_up_case *made)
{
	machine_free(made->described);
	machine_free(made->planted);
	logical_free(made->logical);
	mesh_graph_free(made->mesh_graph);
	bindings_free(made->bindings);
	rankfile_free(made->rankfile);
	text_fini(&made->graph_text);
	arena_fini(&made->arena);
}
