/* Operations of a mesh device's handle that only reports and checks need. They return the resources
 * and counters of the mesh, and the results that launches have left on cores. */
#include "mesh/handle.h"
#include "handle_mesh.h"

const struct mesh_resources *on_mesh_resources(const struct device_handle *handle)
{
	return mesh_device_resources(mesh_of(handle));
}

void on_mesh_counters(const struct device_handle *handle, struct mesh_counters *counters)
{
	mesh_device_counters(mesh_of(handle), counters);
}

enum status on_mesh_rest(struct device_handle *handle, int64_t deadline_ns)
{
	return device_row->drain(mesh_device_cluster(mesh_of(handle)), deadline_ns);
}

enum status on_mesh_core_result(struct device_handle *handle, uint16_t row, uint16_t column,
	uint32_t core, struct launch_result *result)
{
	struct mesh_device *mesh = mesh_of(handle);
	struct mesh_shape shape = mesh_device_shape(mesh);
	const struct chip_geometry *geometry = mesh_device_geometry(mesh);
	uint32_t workers = (uint32_t)geometry->worker_columns * geometry->worker_rows;
	uint8_t bytes[LAUNCH_RESULT_BYTES];
	enum status status;
	uint16_t tile;

	if (row >= shape.rows || column >= shape.columns ||
		core >= workers + mesh_ethernet_cores(mesh))
		return STATUS_OUT_OF_RANGE;
	tile = core < workers ? geometry->worker_tiles[core]
			      : mesh_ethernet_tile(mesh, core - workers);
	status = device_row->inspect(
		device_row->chip(mesh_device_cluster(mesh), mesh_device_chip(mesh, row, column)),
		tile, mesh_worker_result(mesh), sizeof bytes, bytes);
	if (status == STATUS_OK)
		launch_result_decode(bytes, result);
	return status;
}

enum status on_mesh_machine(const struct device_handle *handle, struct handle_machine *machine)
{
	const struct mesh_config *config = mesh_device_config(mesh_of(handle));

	*machine = (struct handle_machine){
		mesh_device_cluster(mesh_of(handle)), config->shape, config->offset};
	return STATUS_OK;
}
