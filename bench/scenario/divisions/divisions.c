/* Divisions of a scenario into sub-devices, and the steps that load them. */
#include "bench/scenario/key_structs.h"

#include <string.h>

#include "bench/scenario/scenario.h"

const struct schema close_schema = {.name = "close_mesh",
	.size = sizeof(struct turn_step),
	.help = "finishes the mesh and closes it, once nothing is under way on any mesh; buffers, "
		"events and traces are gone"};
const struct schema open_schema = {.name = "open_mesh",
	.size = sizeof(struct turn_step),
	.help = "opens a mesh that is closed; one whose first such step this is begins closed. "
		"Takes "
		"no time unless runtime.bring_up is timed"};
const struct schema clear_schema = {.name = "clear_sub_devices",
	.size = sizeof(struct load_step),
	.help = "as load_sub_devices, but devices are whole again"};

uint32_t divisions_count(const struct runtime_keys *keys)
{
	return (keys->sub_device_count > 0) + keys->division_count;
}

uint32_t division_initial(const struct runtime_keys *keys)
{
	return keys->sub_device_count > 0 ? 1 : DIVISION_WHOLE;
}

struct division_keys division_at(const struct runtime_keys *keys, uint32_t division)
{
	if (division == division_initial(keys))
		return (struct division_keys){.name = "initial",
			.sub_devices = keys->sub_devices,
			.sub_device_count = keys->sub_device_count,
			.l1_bytes = keys->sub_device_l1_bytes};
	return keys->divisions[division - division_initial(keys) - 1];
}

uint32_t division_number(const struct runtime_keys *keys, const char *name)
{
	for (uint32_t i = 1; i <= divisions_count(keys); i++)
		if (strcmp(division_at(keys, i).name, name) == 0)
			return i;
	return DIVISION_WHOLE;
}

uint32_t sub_devices_before(const struct runtime_keys *keys, uint32_t division)
{
	uint32_t count = 0;

	for (uint32_t i = 1; i < division; i++)
		count += division_at(keys, i).sub_device_count;
	return count;
}

uint32_t sub_devices_all(const struct runtime_keys *keys)
{
	return sub_devices_before(keys, divisions_count(keys) + 1);
}

uint32_t sub_device_division(const struct runtime_keys *keys, uint32_t number)
{
	uint32_t division = DIVISION_WHOLE;

	while (division < divisions_count(keys) && sub_devices_before(keys, division + 1) < number)
		division++;
	return division;
}

uint32_t sub_device_index(const struct runtime_keys *keys, uint32_t number)
{
	return number - sub_devices_before(keys, sub_device_division(keys, number));
}

const struct sub_device_keys *sub_device_at(const struct runtime_keys *keys, uint32_t number)
{
	uint32_t division = sub_device_division(keys, number);

	return &division_at(keys, division)
			.sub_devices[number - 1 - sub_devices_before(keys, division)];
}
