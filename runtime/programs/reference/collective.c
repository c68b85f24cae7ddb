/* Computes the results of collectives (programs/reference/reference.h). Copies the elements that
 * each device receives, and adds elements in the order in which they travel along the route. */
#include "programs/reference/reference.h"

#include <string.h>

#include "base/ensure.h"
#include "base/refuse.h"
#include "layout/data/convert.h"

static const char *const names[COLLECTIVE_OP_COUNT] = {
	"all-gather", "reduce-scatter", "all-reduce", "all-to-all", "broadcast"};

const char *collective_op_name(enum collective_op op)
{
	return names[op];
}

static bool adds(enum collective_op op)
{
	return op == COLLECTIVE_REDUCE_SCATTER || op == COLLECTIVE_ALL_REDUCE;
}

enum status collective_check(const struct collective *collective, struct text *why)
{
	const char *name = names[collective->op], *element = element_name(collective->element);

	if (collective->devices < 1 || collective->devices > COLLECTIVE_DEVICES_MAX)
		return refuse(why, STATUS_INVALID, "%s of %u devices: 1 to %d are possible", name,
			collective->devices, COLLECTIVE_DEVICES_MAX);
	if (collective->links < 1 || collective->links > COLLECTIVE_LINKS_MAX)
		return refuse(why, STATUS_INVALID, "%s over %u links: 1 to %d are possible", name,
			collective->links, COLLECTIVE_LINKS_MAX);
	if (collective->root >= collective->devices)
		return refuse(why, STATUS_INVALID, "%s from device %u of %u", name,
			collective->root, collective->devices);
	if (element_is_block(collective->element) ||
		(adds(collective->op) && collective->element != ELEMENT_F32 &&
			collective->element != ELEMENT_BF16))
		return refuse(why, STATUS_INVALID, "%s of %s elements", name, element);
	if (collective->chunk_bytes == 0 ||
		collective->chunk_bytes % element_bytes(collective->element) != 0)
		return refuse(why, STATUS_INVALID, "%s in chunks of %llu B: not whole %s elements",
			name, (unsigned long long)collective->chunk_bytes, element);
	return STATUS_OK;
}

struct collective_part collective_part(const struct collective *collective, uint32_t device)
{
	uint64_t each = collective->elements / collective->devices;
	uint64_t larger = collective->elements % collective->devices;

	return (struct collective_part){
		.first = device * each + (device < larger ? device : larger),
		.elements = each + (device < larger),
	};
}

uint64_t collective_result_elements(const struct collective *collective, uint32_t device)
{
	switch (collective->op) {
	case COLLECTIVE_ALL_GATHER:
		return collective->devices * collective->elements;
	case COLLECTIVE_REDUCE_SCATTER:
		return collective_part(collective, device).elements;
	case COLLECTIVE_ALL_TO_ALL:
		return collective->devices * collective_part(collective, device).elements;
	default:
		return collective->elements;
	}
}

uint32_t collective_reach(const struct collective *collective, uint32_t device,
	enum collective_direction direction, uint32_t half)
{
	uint32_t others = collective->devices - 1;
	bool up = direction == COLLECTIVE_UP;

	if (!collective->ring)
		return up ? others - device : device;
	if (collective->one_way)
		return up ? others : 0;
	return others / 2 + (others % 2 == 1 && up == (half == 0));
}

uint32_t collective_sums_reach(const struct collective *collective, uint32_t device,
	enum collective_direction direction, uint32_t half)
{
	if (collective->ring && collective->one_way)
		return direction == COLLECTIVE_DOWN ? collective->devices - 1 : 0;
	return collective_reach(collective, device, direction, half);
}

uint64_t collective_half(const struct collective *collective, uint64_t elements)
{
	return collective->ring && collective->one_way ? elements : (elements + 1) / 2;
}

/* ---- sums ---- */

struct sums {
	const struct collective *collective;
	const void *const *inputs;
	uint32_t owner;
};

static float input_at(const struct sums *sums, uint32_t device, uint64_t element)
{
	const uint8_t *bytes = sums->inputs[device];
	float value;

	if (sums->collective->element == ELEMENT_BF16)
		convert_from_bf16((const uint16_t *)(const void *)bytes + element, &value, 1);
	else
		memcpy(&value, bytes + element * sizeof value, sizeof value);
	return value;
}

/* Returns `value` + `more`, rounded to the element type as each device does. */
static float added(const struct sums *sums, float value, float more)
{
	float sum = value + more;

	if (sums->collective->element == ELEMENT_BF16)
		convert_round_to_bf16(&sum, 1);
	return sum;
}

/* Returns `own` plus the sum that the owner receives from `direction`. */
static float with_chain(const struct sums *sums, enum collective_direction direction, uint32_t half,
	uint64_t element, float own)
{
	const struct collective *collective = sums->collective;
	uint32_t length = collective_sums_reach(collective, sums->owner, direction, half);
	float chain = 0;

	if (length == 0)
		return own;
	for (uint32_t far = length; far > 0; far--) {
		uint32_t step = direction == COLLECTIVE_UP ? far : collective->devices - far;
		uint32_t device = (sums->owner + step) % collective->devices;
		float value = input_at(sums, device, element);

		chain = far == length ? value : added(sums, chain, value);
	}
	return added(sums, own, chain);
}

/* Writes the owner's part of the sum to `out`. */
static void add_part(const struct sums *sums, uint8_t *out)
{
	struct collective_part part = collective_part(sums->collective, sums->owner);
	uint32_t bytes = element_bytes(sums->collective->element);

	for (uint64_t i = 0; i < part.elements; i++) {
		uint32_t half = i >= collective_half(sums->collective, part.elements);
		uint64_t element = part.first + i;
		float sum = input_at(sums, sums->owner, element);

		sum = with_chain(sums, COLLECTIVE_DOWN, half, element, sum);
		sum = with_chain(sums, COLLECTIVE_UP, half, element, sum);
		convert_elements(ELEMENT_F32, &sum, sums->collective->element, out + i * bytes, 1);
	}
}

/* ---- results ---- */

static void collective_gather(
	const struct collective *collective, const void *const *inputs, uint8_t *out)
{
	uint64_t bytes = collective->elements * element_bytes(collective->element);

	for (uint32_t i = 0; i < collective->devices; i++)
		memcpy(out + i * bytes, inputs[i], bytes);
}

static void collective_take_parts(const struct collective *collective, const void *const *inputs,
	uint32_t device, uint8_t *out)
{
	struct collective_part part = collective_part(collective, device);
	uint64_t bytes = element_bytes(collective->element);

	for (uint32_t i = 0; i < collective->devices; i++)
		memcpy(out + i * part.elements * bytes,
			(const uint8_t *)inputs[i] + part.first * bytes, part.elements * bytes);
}

/* Writes all parts of the sum, one after another. */
static void add_all(const struct collective *collective, const void *const *inputs, uint8_t *out)
{
	uint64_t bytes = element_bytes(collective->element);
	struct sums sums = {.collective = collective, .inputs = inputs};

	for (sums.owner = 0; sums.owner < collective->devices; sums.owner++)
		add_part(&sums, out + collective_part(collective, sums.owner).first * bytes);
}

void collective_results(
	const struct collective *collective, const void *const *inputs, void *const *results)
{
	uint64_t bytes = collective->elements * element_bytes(collective->element);
	struct sums sums = {.collective = collective, .inputs = inputs};

	ensure(collective_check(collective, NULL) == STATUS_OK, "%s", names[collective->op]);
	for (uint32_t i = 0; i < collective->devices; i++) {
		sums.owner = i;
		if (collective->op == COLLECTIVE_ALL_GATHER)
			collective_gather(collective, inputs, results[i]);
		else if (collective->op == COLLECTIVE_REDUCE_SCATTER)
			add_part(&sums, results[i]);
		else if (collective->op == COLLECTIVE_ALL_TO_ALL)
			collective_take_parts(collective, inputs, i, results[i]);
		else if (collective->op == COLLECTIVE_BROADCAST)
			memcpy(results[i], inputs[collective->root], bytes);
		else if (i == 0)
			add_all(collective, inputs, results[0]);
		else
			memcpy(results[i], results[0], bytes);
	}
}
