/* Converts the keys of library programs to the structs of the program library. If the library
 * reports an error, finds the key that causes it (step_make.h). */
#include <string.h>

#include "base/ensure.h"
#include "bench/scenario/step_make.h"

static const struct port_keys *library_port(const struct program_keys *keys, const char *port)
{
	uint32_t i = 0;

	while (i < keys->buffer_count && strcmp(keys->buffers[i].port, port) != 0)
		i++;
	ensure(i < keys->buffer_count, "no buffer for '%s'", port);
	return &keys->buffers[i];
}

static struct library_image image_of(const struct image_keys *keys)
{
	struct library_image image;

	memcpy(image.size, keys->size, sizeof image.size);
	memcpy(image.kernel, keys->kernel, sizeof image.kernel);
	memcpy(image.stride, keys->stride, sizeof image.stride);
	memcpy(image.padding, keys->padding, sizeof image.padding);
	memcpy(image.dilation, keys->dilation, sizeof image.dilation);
	image.groups = keys->groups;
	return image;
}

void step_library_use(
	const struct step_maker *maker, const struct program_keys *keys, struct library_use *use)
{
	const struct library_row *row = library_row(keys->library - 1);
	struct device_range range = devices_range(keys->devices, maker->shape);

	*use = (struct library_use){.cores = keys->cores,
		.element = (enum element)keys->element,
		.devices = {(uint16_t)(range.row1 - range.row0 + 1),
			(uint16_t)(range.column1 - range.column0 + 1)}};
	memcpy(use->tiles, keys->tiles, keys->tiles_count * sizeof *keys->tiles);
	memcpy(use->slice, keys->slice, sizeof use->slice);
	if (keys->image)
		use->image = image_of(keys->image);
	for (uint32_t i = 0; i < row->port_count; i++)
		use->buffers[i] = maker->buffer(
			maker->context, library_port(keys, row->ports[i].name)->buffer);
}

struct location step_library_blame(
	const struct program_keys *keys, const struct library_blame *blame, enum status status)
{
	const struct library_row *row = library_row(keys->library - 1);
	bool of_element = blame->input == LIBRARY_OF_ELEMENT;
	struct location given = of_element ? keys->element_where : keys->tiles_where;

	if (blame->input == LIBRARY_OF_CORES)
		return keys->cores_where;
	if (blame->input == LIBRARY_OF_SLICE)
		return keys->slice_where;
	if (blame->input == LIBRARY_OF_IMAGE)
		return keys->image_where;
	if (blame->input == LIBRARY_OF_PROGRAM)
		return status == STATUS_NO_SPACE && given.line ? given : keys->library_where;
	if (blame->input != LIBRARY_OF_BUFFER && given.line)
		return given;
	return library_port(keys, row->ports[blame->port].name)->where;
}
