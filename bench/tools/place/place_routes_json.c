/* Writes the control plane of a placement as JSON (`meshsim place --routes --json`). */
#include "place.h"

static void routes_put_routers(struct json *json, const struct chip_tables *tables)
{
	json_array_of(json, "routers");
	for (uint32_t i = 0; i < tables->router_count; i++) {
		const struct router *router = &tables->routers[i];

		json_object(json);
		json_unsigned_of(json, "channel", router->channel);
		json_text(json, "role", router_role_name(router->role));
		json_text(json, "direction", router_direction_name(router->direction));
		json_unsigned_of(json, "plane", router->plane);
		json_unsigned_of(json, "peer", router->peer);
		json_unsigned_of(json, "peer_channel", router->peer_channel);
		json_bool_of(json, "other_host", router->other_host);
		json_object_end(json);
	}
	json_array_end(json);
}

/* Writes a table of hops as one list of ports and one of virtual channels, of packets that begin at
 * the chip. A port is the number of its link in the list `ports`; -1: this chip; -2: none. */
static void routes_put_hops(struct json *json, const char *ports, const char *vcs,
	const struct hop *hops, uint32_t count)
{
	json_array_of(json, ports);
	for (uint32_t i = 0; i < count; i++)
		json_integer(json, hops[i].port == HOP_HERE   ? -1
				   : hops[i].port == HOP_NONE ? -2
							      : hops[i].port);
	json_array_end(json);
	json_array_of(json, vcs);
	for (uint32_t i = 0; i < count; i++)
		json_unsigned(json, hops[i].vc);
	json_array_end(json);
}

static void routes_put_chip(
	struct json *json, const struct place_files *files, const struct chip_tables *tables)
{
	const struct logical *logical = files->logical;
	struct text message = {0};

	json_object(json);
	json_unsigned_of(json, "mesh", logical->meshes[tables->mesh].id);
	json_unsigned_of(json, "chip", tables->chip);
	json_unsigned_of(json, "bytes", tables_write(tables, &message));
	text_fini(&message);
	routes_put_routers(json, tables);
	json_array_of(json, "ports");
	for (uint32_t i = 0; i < tables->port_count; i++) {
		uint32_t peer = tables->ports[i].peer;
		const struct logical_mesh *mesh = &logical->meshes[logical_mesh_of(logical, peer)];

		json_array(json);
		json_unsigned(json, mesh->id);
		json_unsigned(json, peer - mesh->first);
		json_array_end(json);
	}
	json_array_end(json);
	routes_put_hops(json, "within", "within_vcs", tables->within, tables->mesh_chips);
	routes_put_hops(json, "between", "between_vcs", tables->between, tables->mesh_count);
	json_array_of(json, "exits");
	for (uint32_t m = 0; m < tables->mesh_count; m++) {
		const struct router_exit *exit = &tables->exits[m];

		if (exit->device == TABLES_NONE)
			continue;
		json_object(json);
		json_unsigned_of(json, "mesh", logical->meshes[m].id);
		json_unsigned_of(json, "chip", exit->device - tables->first_device);
		json_unsigned_of(json, "channel", exit->channel);
		json_object_end(json);
	}
	json_array_end(json);
	json_object_end(json);
}

static void routes_put_meshes(
	struct json *json, const struct logical *logical, const struct control_plane *plane)
{
	json_array_of(json, "meshes");
	for (uint32_t m = 0; m < logical->mesh_count; m++) {
		struct route_lengths lengths = place_routes_lengths(plane, logical, m);

		json_object(json);
		json_unsigned_of(json, "mesh", logical->meshes[m].id);
		json_text(json, "scheme", control_scheme_name(control_plane_scheme(plane, m)));
		json_unsigned_of(json, "longest", lengths.longest);
		json_real_of(json, "mean", lengths.mean);
		json_object_end(json);
	}
	json_array_end(json);
}

void place_routes_json(
	struct json *json, const struct place_files *files, const struct place_routes *routes)
{
	struct control_facts facts;

	json_object_of(json, "routes");
	json_bool_of(json, "sound", routes->sound);
	json_text(json, "why", routes->sound ? NULL : text_string(&routes->why));
	if (routes->plane) {
		facts = control_plane_facts(routes->plane);
		json_unsigned_of(json, "virtual_channels", facts.vcs);
		json_unsigned_of(json, "trees", facts.trees);
		json_unsigned_of(json, "bytes", facts.bytes);
		routes_put_meshes(json, files->logical, routes->plane);
		json_array_of(json, "chips");
		for (uint32_t i = 0; i < files->logical->device_count; i++)
			routes_put_chip(json, files, control_plane_tables(routes->plane, i));
		json_array_end(json);
	}
	json_object_end(json);
}
