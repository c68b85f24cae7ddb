/* Operations of a mesh device's handle that divide its devices into sub-devices. */
#include "mesh/handle.h"
#include "mesh/sub_device.h"
#include "handle_mesh.h"

enum status on_mesh_sub_devices_load(
	struct device_handle *handle, const struct sub_devices_config *config, struct text *why)
{
	return sub_devices_load(mesh_of(handle), config, why);
}

enum status on_mesh_sub_devices_clear(struct device_handle *handle, struct text *why)
{
	return sub_devices_clear(mesh_of(handle), why);
}

enum status on_mesh_sub_devices_create(struct device_handle *handle,
	const struct sub_devices_config *config, uint32_t *division, struct text *why)
{
	return sub_devices_create(mesh_of(handle), config, division, why);
}

enum status on_mesh_sub_devices_switch(
	struct device_handle *handle, uint32_t division, uint32_t queue, struct text *why)
{
	return sub_devices_switch(mesh_of(handle), division, queue, why);
}

struct allocator_usage on_mesh_sub_device_usage(
	const struct device_handle *handle, uint32_t sub_device)
{
	return sub_device_usage(mesh_of(handle), sub_device);
}
