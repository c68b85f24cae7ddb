/* The operations of a mesh device's handle that are not in handle_mesh.c, which has the table of
 * all operations. */
#ifndef MESH_HANDLE_MESH_H
#define MESH_HANDLE_MESH_H

#include "mesh/handle.h"

struct mesh_handle {
	struct device_handle handle;
	struct mesh_device *mesh;
};

static inline struct mesh_device *mesh_of(const struct device_handle *handle)
{
	return ((const struct mesh_handle *)handle)->mesh;
}

/* Operations for reports and checks: handle_mesh_checks.c. */
const struct mesh_resources *on_mesh_resources(const struct device_handle *handle);
void on_mesh_counters(const struct device_handle *handle, struct mesh_counters *counters);
enum status on_mesh_rest(struct device_handle *handle, int64_t deadline_ns);
enum status on_mesh_core_result(struct device_handle *handle, uint16_t row, uint16_t column,
	uint32_t core, struct launch_result *result);
enum status on_mesh_machine(const struct device_handle *handle, struct handle_machine *machine);

/* Operations that divide devices into sub-devices: handle_mesh_sub_devices.c. */
enum status on_mesh_sub_devices_load(
	struct device_handle *handle, const struct sub_devices_config *config, struct text *why);
enum status on_mesh_sub_devices_clear(struct device_handle *handle, struct text *why);
enum status on_mesh_sub_devices_create(struct device_handle *handle,
	const struct sub_devices_config *config, uint32_t *division, struct text *why);
enum status on_mesh_sub_devices_switch(
	struct device_handle *handle, uint32_t division, uint32_t queue, struct text *why);
struct allocator_usage on_mesh_sub_device_usage(
	const struct device_handle *handle, uint32_t sub_device);

#endif
