/* Random variation of costs (constants.h). The gamma distribution is approximated by the method of
 * Wilson and Hilferty. It needs only a normal variate, a square root and products, so results are
 * bit-identical on every machine. The compiler must not combine products and sums of this file into
 * fused multiply-adds, because these would change the bits. */
#include "host_private.h"

#include <math.h>

#include "base/ensure.h"

/* If a charge has more extras than this, their mean sum is used and none of them is drawn. */
enum { TAILS_DRAWN = 16 };

static int64_t tails(struct stream *stream, const struct host_noise *noise, uint64_t units)
{
	double expected = noise->tail_probability * (double)units;
	uint64_t count = (uint64_t)expected;
	if (stream_unit(stream) < expected - (double)count)
		count++;
	if (count > TAILS_DRAWN)
		return (int64_t)count * noise->tail_ps;
	int64_t sum_ps = 0;
	for (uint64_t i = 0; i < count; i++)
		sum_ps += (int64_t)(2.0 * (double)noise->tail_ps * stream_unit(stream));
	return sum_ps;
}

int64_t noise_draw(
	struct stream *stream, const struct host_noise *noise, int64_t mean_ps, uint64_t units)
{
	int64_t cost_ps = mean_ps;
	if (units == 0)
		return 0;
	ensure(noise->variation >= 0.0 && noise->variation <= 1.0, "variation %g",
		noise->variation);
	if (noise->variation > 0.0) {
		double spread = noise->variation * noise->variation / (9.0 * (double)units);
		double root = 1.0 - spread + stream_normal(stream) * sqrt(spread);
		double factor = root > 0.0 ? root * root * root : 0.0;
		cost_ps = (int64_t)((double)mean_ps * factor + 0.5);
	}
	if (noise->tail_probability > 0.0)
		cost_ps += tails(stream, noise, units);
	return cost_ps;
}
