/* Makes numbers in the data of write_buffer steps, for programs that compute (key `values`). */
#include <string.h>

#include "client_private.h"
#include "layout/element.h"

enum { EXPONENT = 120, POWERS = 7, TILE_SIDE = 32 }; /* numbers from 1/128 to below 2 */

static void make_f32(uint8_t *data, uint64_t bytes)
{
	for (uint64_t at = 0; at + 4 <= bytes; at += 4) {
		uint32_t bits;

		memcpy(&bits, data + at, sizeof bits);
		bits = (bits & 0x807fffff) | (EXPONENT + (bits >> 23 & POWERS)) << 23;
		memcpy(data + at, &bits, sizeof bits);
	}
}

static void make_bf16(uint8_t *data, uint64_t bytes)
{
	for (uint64_t at = 0; at + 2 <= bytes; at += 2) {
		uint16_t bits;

		memcpy(&bits, data + at, sizeof bits);
		bits = (uint16_t)((bits & 0x807f) | (EXPONENT + (bits >> 7 & POWERS)) << 7);
		memcpy(data + at, &bits, sizeof bits);
	}
}

/* A tile begins with the exponents of its blocks. All following bits are numbers. */
static void values_make_blocks(enum element element, uint8_t *data, uint64_t bytes)
{
	uint32_t tile = element_tile_bytes(element, TILE_SIDE, TILE_SIDE);
	uint32_t exponents = TILE_SIDE * TILE_SIDE / ELEMENT_BLOCK;

	for (uint64_t at = 0; at < bytes; at++)
		if (at % tile < exponents)
			data[at] = (uint8_t)(EXPONENT + (data[at] & POWERS));
}

void client_make_values(uint32_t values, uint8_t *data, uint64_t bytes)
{
	switch (values) {
	case STEP_F32:
		make_f32(data, bytes);
		break;
	case STEP_BF16:
		make_bf16(data, bytes);
		break;
	case STEP_BFP8:
		values_make_blocks(ELEMENT_BFP_BF8, data, bytes);
		break;
	case STEP_BFP4:
		values_make_blocks(ELEMENT_BFP_BF4, data, bytes);
		break;
	default: /* STEP_BITS */
		break;
	}
}
