/* needs: simgrid
 * Tests rooflines on random operations. A roofline has several bounds of the time, such as
 * computing and memory. An operation must take exactly as long as the largest of its bounds, to the
 * nanosecond. It must never take less time with more work or fewer cores. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tools/models/model.h"
#include "check.h"

enum { DRAWS = 100 };

static uint64_t state = 7;

static uint64_t draw(uint64_t most)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return 1 + (state >> 33) % most;
}

static struct platform *open_platform(const char *name)
{
	struct diag *diag = diag_new();
	struct platform *platform = machine_platform(name, diag);

	diag_print(diag, stderr);
	diag_free(diag);
	assert_non_null(platform);
	return platform;
}

/* ---- bounds of drawn work ---- */

static void a_time_is_the_longest_of_its_bounds(void **unused)
{
	struct platform *platform = open_platform(MESHSIM_SOURCE_DIR "/platforms/t3k.yaml");
	struct roofline_machine machine;

	(void)unused;
	roofline_machine_init(&machine, platform);
	for (int i = 0; i < 1000; i++) {
		struct roofline_work work = {(double)draw(1000000), (double)draw(1000000),
			(double)draw(100000000), (double)draw(1000000), (double)draw(10000000),
			(uint32_t)draw(4), (uint32_t)draw(64), draw(2) == 1};
		double ns[ROOFLINE_BOUNDS], longest_ns = 0;
		enum roofline_bound longest;
		uint64_t time = roofline_time_ns(&machine, &work, ns, &longest);

		for (int b = 0; b < ROOFLINE_BOUNDS; b++) {
			check((double)time >= ns[b], "%llu ns, but its bound %d is %f ns",
				(unsigned long long)time, b, ns[b]);
			longest_ns = fmax(longest_ns, ns[b]);
		}
		check((double)time < longest_ns + 1, "%llu ns, but its longest bound is %f ns",
			(unsigned long long)time, longest_ns);
		check(ns[longest] >= longest_ns, "the longest bound is %f ns, not %f ns",
			longest_ns, ns[longest]);
	}
	platform_free(platform);
}

/* ---- operations of model files ---- */

/* Returns the run time of the program `name` in the scenario that a model file becomes. */
static uint64_t run_ns(const struct platform *platform, const char *file)
{
	struct diag *diag = diag_new();
	struct model *model = model_read_text("drawn.yaml", file, strlen(file), diag);
	struct text scenario = {0};
	unsigned long long ns = 0;
	const char *at;

	if (model)
		(void)model_write_scenario(model, "drawn.yaml", "t3k", platform, diag, &scenario);
	diag_print(diag, stderr);
	at = strstr(text_string(&scenario), "run_ns: ");
	check(at && sscanf(at, "run_ns: %llu", &ns) == 1, "no program of\n%s", file);
	text_fini(&scenario);
	model_free(model);
	diag_free(diag);
	return ns;
}

static const char head[] = "meshsim_model: 1\nname: drawn\ndescription: d\nsource: s\nplatform: "
			   "t3k\nlayer:\n";

struct extents {
	uint64_t a, b, c, cores;
};

static void matmul(char *out, size_t size, const struct extents *e)
{
	snprintf(out, size, "%s  - matmul: {name: m, shape: [%llu, %llu, %llu], cores: %llu}\n",
		head, (unsigned long long)e->a, (unsigned long long)e->b, (unsigned long long)e->c,
		(unsigned long long)e->cores);
}

static void attention(char *out, size_t size, const struct extents *e)
{
	snprintf(out, size,
		"%s  - attention: {name: a, users: 1, queries: %llu, context: %llu, heads: 8, "
		"kv_heads: 2, head: %llu, cores: %llu}\n",
		head, (unsigned long long)e->a, (unsigned long long)e->b,
		(unsigned long long)(e->c % 512 + 1), (unsigned long long)e->cores);
}

static void elementwise(char *out, size_t size, const struct extents *e)
{
	snprintf(out, size,
		"%s  - elementwise: {name: e, shape: [%llu, %llu], functions: [silu, multiply], "
		"inputs: 2, memory: dram, cores: %llu}\n",
		head, (unsigned long long)e->a, (unsigned long long)e->b,
		(unsigned long long)e->cores);
}

/* Draws operations, and lets each of their extents grow, or takes cores away. */
static void grow(void (*write)(char *, size_t, const struct extents *))
{
	struct platform *platform = open_platform(MESHSIM_SOURCE_DIR "/platforms/t3k.yaml");
	char small[512], large[512];

	for (int i = 0; i < DRAWS; i++) {
		struct extents e = {draw(2048), draw(2048), draw(2048), draw(56)}, more = e;
		uint64_t less_ns, more_ns;

		more.a += draw(4) == 1 ? draw(512) : 0;
		more.b += draw(4) == 1 ? draw(512) : 0;
		more.c = write == attention ? e.c : e.c + draw(512);
		more.cores -= draw(e.cores) - 1;
		write(small, sizeof small, &e);
		write(large, sizeof large, &more);
		less_ns = run_ns(platform, small);
		more_ns = run_ns(platform, large);
		check(more_ns >= less_ns,
			"%llu ns, but %llu ns with less work or more cores:\n%s%s",
			(unsigned long long)more_ns, (unsigned long long)less_ns, small, large);
	}
	platform_free(platform);
}

static void more_tiles_or_fewer_cores_make_no_matmul_faster(void **unused)
{
	(void)unused;
	grow(matmul);
}

static void more_tiles_or_fewer_cores_make_no_attention_faster(void **unused)
{
	(void)unused;
	grow(attention);
}

static void more_tiles_or_fewer_cores_make_no_function_faster(void **unused)
{
	(void)unused;
	grow(elementwise);
}

/* A matmul of 2048 x 2048 x 1024 elements, which are 64 x 64 x 32 tiles. It has 2,048 output tiles,
 * 64 on each of 32 cores. Each output tile is a sum of 64 products of tiles; a product takes half
 * the usual cycles (two of four phases). The weights are 2,048 tiles of 1,088 B. */
static void a_matmul_takes_the_cycles_of_its_tiles(void **unused)
{
	struct platform *platform = open_platform(MESHSIM_SOURCE_DIR "/platforms/t3k.yaml");
	struct roofline_machine machine;
	double matrix, dram, noc;
	uint64_t seen;
	char file[512];

	(void)unused;
	roofline_machine_init(&machine, platform);
	matmul(file, sizeof file, &(struct extents){2048, 2048, 1024, 32});
	matrix = 64 * 64 * machine.costs.tile_matmul / 2 /
		 (machine.clock_hz * machine.share.matrix) * 1e9;
	dram = 2048 * 1088 / (machine.dram_bytes_per_s * machine.share.dram_interleaved) * 1e9;
	noc = 64 * 8 * (2048 + 1088) / (machine.noc_bytes_per_s * machine.share.noc) * 1e9;
	seen = run_ns(platform, file);
	check(matrix > dram && matrix > noc, "%f ns of the matrix unit, %f of DRAM, %f of the NoC",
		matrix, dram, noc);
	check(seen == (uint64_t)ceil(matrix), "%llu ns, but its products take %f ns",
		(unsigned long long)seen, matrix);
	platform_free(platform);
}

/* A matmul with 32 rows, which are one row of tiles, on 8 cores. Each core computes 128 / 8 = 16
 * output tiles of this row. For them, the row of input tiles and 16 columns of weights must arrive
 * at the core. */
static void a_low_matmul_takes_the_bytes_that_arrive_at_a_core(void **unused)
{
	struct platform *platform = open_platform(MESHSIM_SOURCE_DIR "/platforms/t3k.yaml");
	struct roofline_machine machine;
	uint64_t seen;
	char file[512];
	double noc;

	(void)unused;
	roofline_machine_init(&machine, platform);
	matmul(file, sizeof file, &(struct extents){32, 1024, 4096, 8});
	noc = 32 * (2048 + 16 * 1088) / (machine.noc_bytes_per_s * machine.share.noc) * 1e9;
	seen = run_ns(platform, file);
	check(seen == (uint64_t)ceil(fmax(noc,
			      32 * 128 * 1088 /
				      (machine.dram_bytes_per_s * machine.share.dram_interleaved) *
				      1e9)),
		"%llu ns, but %f ns of the NoC", (unsigned long long)seen, noc);
	platform_free(platform);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_time_is_the_longest_of_its_bounds),
		cmocka_unit_test(more_tiles_or_fewer_cores_make_no_matmul_faster),
		cmocka_unit_test(more_tiles_or_fewer_cores_make_no_attention_faster),
		cmocka_unit_test(more_tiles_or_fewer_cores_make_no_function_faster),
		cmocka_unit_test(a_matmul_takes_the_cycles_of_its_tiles),
		cmocka_unit_test(a_low_matmul_takes_the_bytes_that_arrive_at_a_core),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
