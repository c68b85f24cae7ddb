/* Tensors on one or several hosts (see hosts_tensors.h). */
#include "hosts_tensors.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/hash.h"
#include "check.h"
#include "base/diag.h"
#include "layout/layout_text.h"
#include "mesh_case.h"

/* Three kinds of layouts. The first kind replicates a tensor, the second has a part of it on every
 * device, and the third has parts on only some devices, because its grid is smaller than the mesh.
 * The tensors are in DRAM or on workers, with or without tiles. */
static const char *const layouts[] = {
	"tensor<4x4x64x64xf32, #tt.layout<(d0, d1, d2, d3) -> (d0, d1, d2, d3), undef, <4x4x2x2>, "
	"memref<1x1x1x1x!tt.tile<32 x 32, f32>, #tt.memory_space<l1>>>>",
	"tensor<3x2x16x30xbf16, #tt.layout<(d0, d1, d2, d3) -> (d0, d1, d2, d3), undef, <3x2x1x2>, "
	"memref<1x1x16x15xbf16, #tt.memory_space<dram>>>>",
	"tensor<10x8x20xu16, #tt.layout<(d0, d1, d2) -> (d0, d1, d2), undef, <10x2x2>, "
	"memref<1x4x10xu16, #tt.memory_space<dram>>>>",
	"tensor<40x36xf32, #tt.layout<(d0, d1) -> (d0, d1), undef, <2x3>, "
	"memref<20x12xf32, #tt.memory_space<l1>>>>",
};

enum { TENSORS = sizeof layouts / sizeof *layouts };

struct one_tensor {
	struct layout layout;
	struct handle_tensor *tensor;
	uint8_t *data, *back;
	uint64_t bytes;
};

static void make(struct device_handle *device, const char *text, struct one_tensor *made)
{
	struct diag *diag = diag_new();
	struct text why = {0};
	enum status status;
	bool encoded;

	check(layout_parse("layout", text, strlen(text), diag, &made->layout, &encoded), "%s",
		text);
	diag_free(diag);
	made->bytes =
		layout_volume(&made->layout.tensor) * element_bytes(made->layout.tensor_element);
	made->data = allocate(1, made->bytes);
	made->back = allocate(1, made->bytes);
	status = device->ops->tensor_new(device, &made->layout, &why, &made->tensor);
	check(status == STATUS_OK, "%s: %s", text, text_string(&why));
	text_fini(&why);
}

static void write_and_read(
	struct device_handle *device, struct one_tensor *of, struct handle_call call, uint64_t seed)
{
	const struct tensor_source source = {.bytes = of->data};
	const struct tensor_sink sink = {.bytes = of->back};

	mesh_case_fill(of->data, (uint32_t)of->bytes, (uint32_t)seed);
	memset(of->back, 0, of->bytes);
	check_status(device->ops->write_tensor(device, call, of->tensor, &source), STATUS_OK);
	check_status(device->ops->read_tensor(device, call, of->tensor, &sink), STATUS_OK);
	check(memcmp(of->back, of->data, of->bytes) == 0, "another tensor than was written");
}

/* Hashes the buffer, with its padding, as programs see it. */
static uint64_t hash_buffer(
	struct device_handle *device, const struct one_tensor *of, struct handle_call call)
{
	struct handle_buffer *buffer = device->ops->tensor_buffer(of->tensor);
	struct device_range range = device->ops->tensor_read_range(of->tensor);
	uint64_t bytes = device->ops->buffer_device_bytes(buffer), hash = 0;
	uint8_t *part = allocate(1, bytes);

	for (uint16_t row = range.row0; row <= range.row1; row++)
		for (uint16_t column = range.column0; column <= range.column1; column++) {
			check_status(
				device->ops->read_shard(device, call, buffer, row, column, part),
				STATUS_OK);
			for (uint64_t i = 0; i < bytes; i++)
				hash = hash_mix(hash ^ part[i]);
		}
	free(part);
	return hash_mix(hash ^ device_range_count(range));
}

static void check_refusals(struct device_handle *device, const struct one_tensor *of)
{
	const struct tensor_source source = {.bytes = of->data};
	const struct tensor_sink sink = {.bytes = of->back};
	const struct handle_call call = {.queue = 1};
	struct handle_trace *trace;

	check_status(device->ops->trace_begin(device, 1, NULL), STATUS_OK);
	check_status(device->ops->write_tensor(device, call, of->tensor, &source), STATUS_INVALID);
	check_status(device->ops->read_tensor(device, call, of->tensor, &sink), STATUS_INVALID);
	check_status(device->ops->trace_end(device, 1, NULL, &trace), STATUS_INVALID);
}

uint64_t hosts_tensors_run(struct device_handle *device, struct stream *stream)
{
	struct one_tensor tensors[TENSORS];
	uint64_t hash = 0;

	for (uint32_t i = 0; i < TENSORS; i++)
		make(device, layouts[i], &tensors[i]);
	for (uint32_t i = 0; i < 2 * TENSORS; i++) {
		struct handle_call call = {.queue = (uint32_t)stream_below(stream, 2)};

		write_and_read(device, &tensors[i % TENSORS], call, stream_next(stream) % 100000);
		call.blocking = true;
		hash = hash_mix(hash ^ hash_buffer(device, &tensors[i % TENSORS], call));
	}
	check_refusals(device, &tensors[0]);
	for (uint32_t i = 0; i < TENSORS; i++) {
		device->ops->tensor_free(tensors[i].tensor);
		free(tensors[i].data);
		free(tensors[i].back);
	}
	return hash;
}
