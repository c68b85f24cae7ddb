/* Probe of copies by one core, from and to cached and uncached memory. The figure, in bytes per
 * second, follows from the slope of the time over the size. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "bench/tools/measure/samples.h"
#include "probe.h"

enum { SIZES = 4, ROWS_MAX = 2048 };

struct kind {
	const char *name, *how;
	bool cold_source, cold_target;
	uint32_t bytes[SIZES];
};

static const struct kind kinds[] = {
	{"host.copy.cached.cached.bandwidth", "both in the second-level cache, 128 to 512 KiB",
		false, false, {1 << 17, 3 << 16, 1 << 18, 1 << 19}},
	{"host.copy.cached.uncached_source.bandwidth",
		"to memory that is in no cache, 16 KiB to 1 MiB", false, true,
		{1 << 14, 1 << 16, 1 << 18, 1 << 20}},
	{"host.copy.uncached_source.cached.bandwidth",
		"from memory that is in no cache, 16 KiB to 1 MiB", true, false,
		{1 << 14, 1 << 16, 1 << 18, 1 << 20}},
	{"host.copy.uncached_source.uncached_source.bandwidth", "both in no cache, 64 KiB to 4 MiB",
		true, true, {1 << 16, 1 << 18, 1 << 20, 1 << 22}},
};

struct buffers {
	uint8_t *in, *out;
};

/* Copies one size for the duration of a round. Returns ns of CPU time per copy. */
static double copy_ns(
	const struct buffers *buffers, const struct kind *kind, uint32_t bytes, int64_t round_ns)
{
	int64_t copying_ns = 0, until_ns = clock_now_ns() + round_ns;
	uint32_t copies = 0;

	do {
		uint32_t runs = kind->cold_source || kind->cold_target ? 1 : 16;
		int64_t begin_ns;

		if (kind->cold_source)
			cool(buffers->in, bytes);
		if (kind->cold_target)
			cool(buffers->out, bytes);
		begin_ns = clock_thread_ns();
		for (uint32_t i = 0; i < runs; i++) {
			memcpy(buffers->out, buffers->in, bytes);
			clock_keep(buffers->out);
		}
		copying_ns += clock_thread_ns() - begin_ns;
		copies += runs;
	} while (clock_now_ns() < until_ns);
	return (double)copying_ns / copies;
}

static void copies_measure(
	struct probing *probing, const struct kind *kind, const struct buffers *buffers)
{
	static struct regression_row rows[ROWS_MAX];
	struct regression line;
	uint32_t count = 0;
	bool good;

	if ((kind->cold_source || kind->cold_target) && !cool(buffers->in, 0)) {
		probe_refuse(probing, kind->name, kind->how,
			"this processor does not let programs empty its caches");
		return;
	}
	ensure(probing->pace->rounds * SIZES <= ROWS_MAX, "too many rounds");
	for (uint32_t size = 0; size < SIZES; size++)
		(void)copy_ns(buffers, kind, kind->bytes[size], probing->pace->round_ns);
	for (uint32_t round = 0; round < probing->pace->rounds; round++)
		for (uint32_t size = 0; size < SIZES; size++)
			rows[count++] = (struct regression_row){.x = {1, kind->bytes[size]},
				.y = copy_ns(
					buffers, kind, kind->bytes[size], probing->pace->round_ns),
				.round = round};
	good = regression_fit(rows, count, 2, &line);
	probe_rate(probing, kind->name, good ? &line : NULL, 1, kind->how);
}

static void copies_run(struct probing *probing)
{
	struct buffers buffers = {allocate(1, 1 << 22), allocate(1, 1 << 22)};

	memset(buffers.in, 1, 1 << 22);
	memset(buffers.out, 2, 1 << 22);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		copies_measure(probing, &kinds[i], &buffers);
	free(buffers.in);
	free(buffers.out);
}

const struct probe probe_copies = {
	"copies", "memory copied by one core, within its cache and beyond", copies_run};
