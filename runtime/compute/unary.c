/* Functions of one value, which hardware computes in place on its vector unit. Except for
 * reciprocals, this code computes in double precision. It has no branches, and computes only sums,
 * products, quotients and square roots, in a fixed order. These operations have the same results on
 * all machines. This code calls no other functions of the C library, because the last bits of their
 * results differ between machines. */
#include <math.h>
#include <string.h>

#include "base/ensure.h"
#include "compute/operations.h"
#include "compute/registers.h"

/* exp(x) is computed only for x between -EXPONENT_MOST and EXPONENT_MOST. For x outside of these
 * bounds, the result in float32 is infinite or zero in any case. */
#define EXPONENT_MOST 700.0

/* For values below this limit, the results of gelu and silu are too small for a float32, and are
 * set to -0. */
#define TAIL -150.0f

enum { PIECE = 64 /* number of values that are computed in parallel */ };

static double within(double value, double least, double most)
{
	value = value < least ? least : value;
	return value > most ? most : value;
}

/* exp(x) is computed as scale * (1 + rest). For this, x is split into a whole multiple of ln 2 and
 * a small remainder. The multiple gives `scale`, which is a power of two. A power series in the
 * remainder gives `rest`. */
struct exponential {
	double scale, rest;
};

static inline struct exponential unary_exponential(double x)
{
	const double rounds = 0x1.8p52, of_ln2 = 0x1.62e42fefap-1,
		     below_ln2 = 0x1.cf79abc9e3b39p-41;
	static const double series[] = {1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800,
		1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5,
		1.0};
	double clamped = within(x, -EXPONENT_MOST, EXPONENT_MOST), sum = 0, r;
	double rounded = clamped * 0x1.71547652b82fep0 + rounds, whole = rounded - rounds;
	struct exponential made;
	uint64_t bits;

	r = (clamped - whole * of_ln2) - whole * below_ln2;
	for (uint32_t i = 0; i < sizeof series / sizeof *series; i++)
		sum = sum * r + series[i];
	memcpy(&bits, &rounded, sizeof bits);
	bits = (bits + 1023) << 52;
	memcpy(&made.scale, &bits, sizeof bits);
	made.rest = sum * r;
	return made;
}

static inline double unary_exp(double x)
{
	struct exponential made = unary_exponential(x);

	return made.scale + made.scale * made.rest;
}

static inline double unary_tanh(double x)
{
	double size = x < 0 ? -x : x, grown;
	struct exponential made = unary_exponential(within(2 * size, 0, 50));

	grown = (made.scale - 1) + made.scale * made.rest; /* exp(2 |x|) - 1 */
	grown = grown / (grown + 2);
	return x < 0 ? -grown : x > 0 ? grown : x;
}

/* Computes 1 - erf(z) for PIECE values z >= 0 in parallel. The result is t exp(-z^2 + p(t)) with t
 * = 2 / (2 + z), where p is a fitted sum of Chebyshev polynomials. The relative error is below
 * 1e-11. */
static void unary_erfc(const double z[PIECE], double out[PIECE])
{
	static const double p[] = {-1.3026537197817096, 0.64196979235649042, 0.019476473204185697,
		-0.0095615147868085309, -0.0009465953444820891, 0.00036683949785276003,
		4.2523324806962622e-5, -2.0278578112636996e-5, -1.6242900045066463e-6,
		1.3036558354165144e-6, 1.5626441893389478e-8, -8.5238096076560025e-8,
		6.5290545750447595e-9, 5.0593433986920119e-9, -9.9136410819052565e-10,
		-2.2736511743089481e-10, 9.6467853694133019e-11, 2.3941419482876734e-12};
	double t[PIECE], now[PIECE] = {0}, before[PIECE] = {0};

	for (uint32_t i = 0; i < PIECE; i++)
		t[i] = 2 / (2 + z[i]);
	for (uint32_t k = sizeof p / sizeof *p - 1; k > 0; k--)
		for (uint32_t i = 0; i < PIECE; i++) {
			double next = (4 * t[i] - 2) * now[i] - before[i] + p[k];

			before[i] = now[i];
			now[i] = next;
		}
	for (uint32_t i = 0; i < PIECE; i++)
		out[i] = t[i] * unary_exp(-z[i] * z[i] + 0.5 * (p[0] + (4 * t[i] - 2) * now[i]) -
					  before[i]);
}

/* Sets each value to x times the probability that a normally distributed value is below x. */
static void unary_gelu(const float from[PIECE], float values[PIECE])
{
	double size[PIECE], tail[PIECE];

	for (uint32_t i = 0; i < PIECE; i++)
		size[i] = (double)(from[i] < 0 ? -from[i] : from[i]) * 0x1.6a09e667f3bcdp-1;
	unary_erfc(size, tail);
	for (uint32_t i = 0; i < PIECE; i++) {
		double x = (double)from[i], share = 0.5 * tail[i];

		values[i] = (float)(x * (x < 0 ? share : 1 - share));
	}
}

static inline double unary_silu(double x)
{
	return x / (1 + unary_exp(-x));
}

#define EACH(values, from, function)                                                               \
	for (uint32_t i = 0; i < PIECE; i++)                                                       \
	(values)[i] = (float)function((double)(from)[i])

static void unary_apply(enum compute_unary op, float *values)
{
	float from[PIECE];

	memcpy(from, values, sizeof from);
	switch (op) {
	case COMPUTE_EXP:
		EACH(values, from, unary_exp);
		break;
	case COMPUTE_RECIPROCAL:
		for (uint32_t i = 0; i < PIECE; i++)
			values[i] = 1 / from[i];
		break;
	case COMPUTE_SQRT:
		EACH(values, from, sqrt);
		break;
	case COMPUTE_GELU:
		unary_gelu(from, values);
		break;
	case COMPUTE_SILU:
		EACH(values, from, unary_silu);
		break;
	case COMPUTE_TANH:
		EACH(values, from, unary_tanh);
		break;
	default:
		ensure(false, "function %d", (int)op);
	}
	if (op == COMPUTE_GELU || op == COMPUTE_SILU)
		for (uint32_t i = 0; i < PIECE; i++)
			values[i] = from[i] < TAIL ? -0.0f : values[i];
}

void compute_unary(struct compute_registers *registers, uint32_t to, enum compute_unary op)
{
	float *values = registers_at(registers, to);

	for (uint32_t i = 0; i < COMPUTE_ELEMENTS; i += PIECE)
		unary_apply(op, values + i);
	registers_round(registers, values, COMPUTE_ELEMENTS);
}

void compute_scale(struct compute_registers *registers, uint32_t to, float factor)
{
	float *values = registers_at(registers, to);

	for (uint32_t i = 0; i < COMPUTE_ELEMENTS; i++)
		values[i] *= factor;
	registers_round(registers, values, COMPUTE_ELEMENTS);
}

void compute_offset(struct compute_registers *registers, uint32_t to, float summand)
{
	float *values = registers_at(registers, to);

	for (uint32_t i = 0; i < COMPUTE_ELEMENTS; i++)
		values[i] += summand;
	registers_round(registers, values, COMPUTE_ELEMENTS);
}
