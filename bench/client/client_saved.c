/* Saves data that steps read (key `save`). Keeps the data of each read, and makes a table of these
 * data for the result file. If a step runs several times, the data of its last run are saved. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/arena.h"
#include "bench/scenario/step_layout.h"
#include "client_private.h"
#include "layout/data/convert.h"

struct client_saved {
	struct client_saved *next;
	const char *name;
	enum element element; /* of `data` */
	struct layout_shape shape;
	uint64_t count;
	bool complete; /* false: the data were not read, or their read failed */
	bool tiled;    /* `data` is in the order of tiles of 32x32 */
	uint8_t *data; /* the `count` elements; the last dimension varies fastest, unless `tiled` is
			* set */
};

/* A row of the table with the values that a step saved. */
struct saved_value {
	double value;
};

static const struct column value_columns[] = {COLUMN(struct saved_value, value, "1")};

static struct client_saved *client_saved_find(const struct client *client, const char *name)
{
	struct client_saved *at = client->saved;

	while (at && strcmp(at->name, name) != 0)
		at = at->next;
	return at;
}

void *client_save(struct client *client, const char *name, enum element element,
	const struct layout_shape *shape)
{
	struct client_saved *made = client_saved_find(client, name), **at = &client->saved;

	if (made) {
		made->complete = false;
		return made->data;
	}
	made = allocate(1, sizeof *made);
	made->name = name;
	made->element = element;
	made->shape = *shape;
	made->count = layout_volume(shape);
	made->data = allocate(made->count, element_bytes(element));
	while (*at)
		at = &(*at)->next;
	*at = made;
	return made->data;
}

static const struct tile_shape whole_tile = {32, 32};

/* The matrices of a tensor. A matrix has the last two dimensions of the tensor. */
struct matrices {
	uint64_t rows, columns, count, tiled_bytes; /* bytes of one matrix in tiles */
};

static struct matrices matrices_of(const struct layout_shape *shape, uint32_t element_bytes)
{
	struct matrices of = {.rows = shape->rank > 1 ? shape->size[shape->rank - 2] : 1,
		.columns = shape->size[shape->rank - 1]};

	of.count = layout_volume(shape) / (of.rows * of.columns);
	of.tiled_bytes = tiled_bytes(of.rows, of.columns, whole_tile, element_bytes);
	return of;
}

/* Returns true if a read of `bytes` bytes returns a whole tensor that is stored in tiles; then also
 * sets *shape to the tensor's shape. Such data are saved row by row. All other data are saved in
 * the order of the buffer: for example parts of a tensor, tensors that are split over devices, and
 * block formats. */
static bool is_tiled(const struct write_step *keys, enum element element, uint64_t bytes,
	struct layout_shape *shape)
{
	struct matrices of;

	if (!keys->tiled || keys->shape_rank == 0 || keys->shape_rank > LAYOUT_RANK_MAX ||
		keys->spread != STEP_REPLICATED || keys->element != (uint32_t)element)
		return false;
	*shape = (struct layout_shape){.rank = keys->shape_rank};
	memcpy(shape->size, keys->shape, keys->shape_rank * sizeof *shape->size);
	of = matrices_of(shape, element_bytes(element));
	return of.count * of.tiled_bytes == bytes;
}

void *client_save_buffer(
	struct client *client, const char *name, const struct write_step *keys, uint64_t bytes)
{
	enum element element = step_saved_element(keys);
	const struct layout_shape flat = {1, {bytes / element_bytes(element)}};
	void *data = client_save(client, name, element, &flat);
	struct client_saved *saved = client_saved_find(client, name);

	saved->tiled = is_tiled(keys, element, bytes, &saved->shape);
	return data;
}

void client_saved_complete(struct client *client, const char *name)
{
	client_saved_find(client, name)->complete = true;
}

/* Changes the order of the elements from that of tiles to that of rows. */
static void put_in_rows(struct client_saved *saved)
{
	uint32_t bytes = element_bytes(saved->element);
	struct matrices of = matrices_of(&saved->shape, bytes);
	uint64_t each = of.rows * of.columns * bytes;
	uint8_t *rows = allocate(of.count, each);

	for (uint64_t i = 0; i < of.count; i++)
		untilize_padded(saved->data + i * of.tiled_bytes, rows + i * each, of.rows,
			of.columns, whole_tile, bytes);
	free(saved->data);
	saved->data = rows;
	saved->count = layout_volume(&saved->shape);
	saved->tiled = false;
}

#define VALUE_OF(type) (memcpy(&number.type##_, at, sizeof number.type##_), (double)number.type##_)

static double value_at(const struct client_saved *saved, uint64_t index)
{
	const uint8_t *at = saved->data + index * element_bytes(saved->element);
	union {
		float f32_;
		uint16_t u16_;
		int32_t i32_;
		uint32_t u32_;
		int16_t i16_;
	} number;

	switch (saved->element) {
	case ELEMENT_F32:
		return VALUE_OF(f32);
	case ELEMENT_BF16:
		memcpy(&number.u16_, at, sizeof number.u16_);
		convert_from_bf16(&number.u16_, &number.f32_, 1);
		return (double)number.f32_;
	case ELEMENT_F16:
		memcpy(&number.u16_, at, sizeof number.u16_);
		convert_from_f16(&number.u16_, &number.f32_, 1);
		return (double)number.f32_;
	case ELEMENT_I32:
		return VALUE_OF(i32);
	case ELEMENT_U32:
		return VALUE_OF(u32);
	case ELEMENT_I16:
		return VALUE_OF(i16);
	case ELEMENT_U16:
		return VALUE_OF(u16);
	case ELEMENT_I8:
		return (double)(int8_t)*at;
	default:
		return (double)*at;
	}
}

static void shape_text(const struct layout_shape *shape, char *out, size_t size)
{
	size_t length = 0;

	for (uint32_t i = 0; i < shape->rank && length < size; i++)
		length += (size_t)snprintf(out + length, size - length, "%s%llu", i ? " x " : "",
			(unsigned long long)shape->size[i]);
}

static void record_one(
	const struct client_saved *saved, struct run_record *record, struct arena *arena)
{
	struct saved_value *values = arena_array(arena, saved->count, sizeof *values);
	struct table table = {.name = arena_printf(arena, "saved_%s", saved->name),
		.columns = value_columns,
		.column_count = 1,
		.row_bytes = sizeof *values};

	for (uint64_t i = 0; i < saved->count; i++)
		values[i].value = value_at(saved, i);
	record_table(record, table, values, saved->count);
}

void client_saved_record(struct client *first, struct run_record *record, struct arena *arena)
{
	struct saved_row *rows = arena_array(arena, SCENARIO_SAVED_MAX, sizeof *rows);
	uint32_t count = 0;

	for (uint32_t i = 0; first->first && i < client_count(first); i++)
		for (struct client_saved *saved = client_of_mesh(first, i)->saved; saved;
			saved = saved->next) {
			struct saved_row *row = &rows[count];

			if (!saved->complete)
				continue;
			count++;
			if (saved->tiled)
				put_in_rows(saved);
			snprintf(row->name, sizeof row->name, "%s", saved->name);
			snprintf(row->element, sizeof row->element, "%s",
				element_name(saved->element));
			shape_text(&saved->shape, row->shape, sizeof row->shape);
			row->count = saved->count;
			record_one(saved, record, arena);
		}
	if (count > 0)
		record_table(record, results_saved(), rows, count);
}
