/* label: full  timeout: 120
 * Tests mappers on 10,000 random tensors, meshes and dimensions. Lowering a mapper to a layout must
 * give every device the slice of the tensor that the mapper defines; the test computes this slice
 * by its own index arithmetic. Lowering must reject exactly the cases that the limits in the
 * specification exclude, and packing must accept these cases. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "random_mapper.h"
#include "spread_scatter.h"

enum { SEEDS = 10000, BYTES_MAX = 4 * TRIAL_ELEMENTS_MAX };

static uint8_t whole[BYTES_MAX], global[BYTES_MAX], local[BYTES_MAX], back[BYTES_MAX];

static void check_lowering(const struct mapper_trial *trial, const struct mapper_lowering *lowering)
{
	uint64_t bytes = lowering->config.size_bytes;
	uint64_t copies = 1, held = 0;
	struct mesh_spread spread;
	struct text why = {0};

	if (lowering->packed) {
		uint64_t shard = mapper_shard_bytes(lowering);

		memset(back, 0, bytes);
		for (uint32_t i = 0; i < mapper_shards(lowering); i++) {
			mapper_pack(&trial->tensor, lowering, i, whole, global + i * shard);
			mapper_unpack(&trial->tensor, lowering, i, global + i * shard, back);
		}
		check(memcmp(back, whole, bytes) == 0, "unpacked data differ");
		check_equal(lowering->copied_bytes % bytes, 0);
		copies = lowering->copied_bytes / bytes;
	} else {
		memcpy(global, whole, bytes);
	}
	check(mesh_spread_init(&spread, &lowering->config, trial->mesh.rows, trial->mesh.columns,
		      &why) == STATUS_OK,
		"%s", text_string(&why));
	memset(back, 0, bytes);
	for (uint32_t row = 0; row < trial->mesh.rows; row++)
		for (uint32_t column = 0; column < trial->mesh.columns; column++) {
			mesh_spread_gather(&spread, row, column, global, local);
			held += spread.device_bytes;
			trial_check_device(trial, lowering, row, column, whole, local);
			spread_scatter(&spread, row, column, local, back);
		}
	check(!lowering->packed || held == copies * bytes, "a block for each device");
	check(memcmp(back, global, bytes) == 0, "data that come back differ");
}

int main(void)
{
	uint32_t lowered = 0, packed = 0, refused[MAPPER_REFUSAL_COUNT] = {0};

	for (uint32_t i = 0; i < BYTES_MAX; i++)
		whole[i] = (uint8_t)(i * 2654435761u >> 11);
	for (uint32_t seed = 0; seed < SEEDS; seed++) {
		struct mapper_lowering lowering;
		struct stream stream;
		struct text why = {0};
		struct mapper_trial trial;
		enum mapper_refusal refusal, limit;

		stream_init(&stream, seed, "layout/mapper");
		trial_draw(&stream, TRIAL_ELEMENTS_MAX, &trial);
		limit = trial_expected(&trial);
		refusal = trial_lower(&trial, false, &lowering, &why);
		check(refusal == limit, "seed %u: %s, expected %s", seed,
			mapper_refusal_name(refusal), mapper_refusal_name(limit));
		check_equal(why.length > 0, refusal != MAPPER_NONE);
		refused[refusal]++;
		if (refusal == MAPPER_NONE) {
			check_lowering(&trial, &lowering);
			lowered++;
		}
		refusal = trial_lower(&trial, true, &lowering, NULL);
		check_equal(
			refusal, limit == MAPPER_ND || limit == MAPPER_ROWS ? MAPPER_NONE : limit);
		if (refusal == MAPPER_NONE && lowering.packed) {
			check_lowering(&trial, &lowering);
			packed++;
		}
		text_fini(&why);
	}
	for (int i = MAPPER_DIM; i < MAPPER_REFUSAL_COUNT; i++)
		check_less(0, refused[i]);
	check_less(1000, lowered);
	check_less(500, packed);
	printf("%d mappers: %u lowered, %u packed\n", SEEDS, lowered, packed);
	return 0;
}
