/* The tables of element types and of fills. */
#include "layout/element.h"

#include <string.h>

#include "base/refuse.h"

static const struct {
	const char *name;
	uint32_t bytes;
} elements[ELEMENT_COUNT] = {
#define X(name, text, bytes) {text, bytes},
#include "layout/element.def"
#undef X
};

static const char *const fills[FILL_COUNT] = {"undef", "zero", "one", "inf", "neginf"};

const char *element_name(enum element element)
{
	return elements[element].name;
}

const char *fill_name(enum fill fill)
{
	return fills[fill];
}

uint32_t element_bytes(enum element element)
{
	return elements[element].bytes;
}

bool element_is_block(enum element element)
{
	return elements[element].bytes == 0;
}

uint32_t element_tile_bytes(enum element element, uint32_t height, uint32_t width)
{
	if (element == ELEMENT_BFP_BF4)
		return height * width / ELEMENT_BLOCK + height * width / 2;
	if (element_is_block(element))
		return height * width / ELEMENT_BLOCK + height * width;
	return height * width * elements[element].bytes;
}

enum status element_fill(enum element element, enum fill fill, uint32_t *bits, struct text *why)
{
	/* bit patterns of 1 and of infinity in each floating-point type; block formats are not
	 * listed, because fill values are inserted as f32 before a block is packed */
	static const struct {
		enum element element;
		uint32_t one, inf, sign;
	} floats[] = {
		{ELEMENT_F32, 0x3f800000, 0x7f800000, 0x80000000},
		{ELEMENT_F16, 0x3c00, 0x7c00, 0x8000},
		{ELEMENT_BF16, 0x3f80, 0x7f80, 0x8000},
	};

	*bits = fill == FILL_ONE;
	for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
		if (floats[i].element != element)
			continue;
		if (fill == FILL_ONE)
			*bits = floats[i].one;
		else if (fill == FILL_INF || fill == FILL_NEGINF)
			*bits = floats[i].inf | (fill == FILL_NEGINF ? floats[i].sign : 0);
		return STATUS_OK;
	}
	if (fill != FILL_INF && fill != FILL_NEGINF)
		return STATUS_OK;
	if (element_is_block(element))
		return refuse(why, STATUS_INVALID,
			"%s padding would take the shared exponent of the %s data beside it",
			fills[fill], elements[element].name);
	return refuse(
		why, STATUS_INVALID, "%s has no value %s", elements[element].name, fills[fill]);
}

bool element_converts(enum element from, enum element to)
{
	bool from_float = from == ELEMENT_F32 || from == ELEMENT_BF16 || from == ELEMENT_BFP_BF8;
	bool to_float = to == ELEMENT_F32 || to == ELEMENT_BF16 || to == ELEMENT_BFP_BF8;

	return from == to || (from_float && to_float);
}
