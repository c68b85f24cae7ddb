/* Saves data that steps read (key `save`): keeps the data of each read, and makes a table of them
 * for the result file. A step that runs several times saves the data of its last run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/arena.h"
#include "client_private.h"
#include "layout/data/convert.h"

struct client_saved {
	struct client_saved *next;
	const char *name;
	enum element element; /* of `data` */
	struct layout_shape shape;
	uint64_t count;
	uint8_t *data; /* [count] elements, the last dimension varies fastest */
};

/* A row of the table of what a step saved. */
struct saved_value {
	double value;
};

static const struct column value_columns[] = {COLUMN(struct saved_value, value, "1")};

void *client_save(struct client *client, const char *name, enum element element,
	const struct layout_shape *shape)
{
	struct client_saved **at = &client->saved, *made;

	while (*at && strcmp((*at)->name, name) != 0)
		at = &(*at)->next;
	if (*at)
		return (*at)->data;
	made = allocate(1, sizeof *made);
	made->name = name;
	made->element = element;
	made->shape = *shape;
	made->count = layout_volume(shape);
	made->data = allocate(made->count, element_bytes(element));
	*at = made;
	return made->data;
}

/* Returns the value of a float of 16 bits with an exponent of 5 bits. */
static double half_value(uint16_t bits)
{
	int exponent = bits >> 10 & 0x1f;
	double fraction = (bits & 0x3ff) / 1024.0;
	double value = exponent ? (1 + fraction) : fraction;

	if (exponent == 0x1f)
		value = bits & 0x3ff ? (double)NAN : (double)INFINITY;
	else
		value = ldexp(value, (exponent ? exponent : 1) - 15);
	return bits & 0x8000 ? -value : value;
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
		return half_value(number.u16_);
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
		for (const struct client_saved *saved = client_of_mesh(first, i)->saved; saved;
			saved = saved->next) {
			struct saved_row *row = &rows[count++];

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
