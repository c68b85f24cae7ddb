/* Corrects the probabilities of a question's options by reruns (joint_private.h). A rerun is a
 * simulation with the costs of one draw. Reruns take long, so only a few draws are rerun. For each
 * design, a line is fitted through the reruns: it predicts the margin in a rerun from the margin
 * that was estimated without a run (to first order). The residuals of the line show how large the
 * error of such a prediction is. The line gives the probabilities for all draws. The reruns then
 * correct only the remaining error. */
#include <math.h>
#include <string.h>

#include "base/stream.h"
#include "joint_private.h"

/* For each draw, TRIED residuals of reruns are chosen at random. A random number is added to each
 * of them, so that values between the residuals of the reruns occur, too. The standard deviation of
 * this number is SMOOTHED times the standard deviation of the residuals. */
enum { TRIED = 16, SEED = 1 };
#define SMOOTHED 0.4

/* Margins are equal if their logarithms differ by less than this. */
#define EQUAL 1e-12

/* The line of a design: the logarithm of its margin to the first design is `at` + `slope` * the
 * logarithm of the first-order margin. */
struct joint_line {
	double at, slope, deviation, scatter;
};

struct joint_fit {
	const struct joint_reruns *reruns;
	const double *foreseen; /* values to first order, in the order of reruns->values */
	struct joint_line lines[JOINT_DESIGNS_MAX];
	struct stream stream;
};

static double margin_log(const double *values, uint32_t design)
{
	return log(values[design] / values[0]);
}

static const double *run_at(const struct joint_fit *fit, uint32_t draw)
{
	return &fit->reruns->values[(size_t)draw * fit->reruns->designs];
}

static const double *order_at(const struct joint_fit *fit, uint32_t draw)
{
	return &fit->foreseen[(size_t)draw * fit->reruns->designs];
}

static double residual_of(const struct joint_fit *fit, uint32_t draw, uint32_t design)
{
	const struct joint_line *line = &fit->lines[design];

	return margin_log(run_at(fit, draw), design) - line->at -
	       line->slope * margin_log(order_at(fit, draw), design);
}

/* For one design, fits a line by least squares: the margin in the rerun of a draw, as a function of
 * the first-order estimate of this margin. If the estimate is the same in all draws, sets the slope
 * to 1. */
static void line_fit(struct joint_fit *fit, uint32_t design)
{
	struct joint_line *line = &fit->lines[design];
	uint32_t draws = fit->reruns->draws;
	double x = 0, y = 0, xx = 0, xy = 0, square = 0;

	for (uint32_t i = 0; i < draws; i++) {
		x += margin_log(order_at(fit, i), design) / draws;
		y += margin_log(run_at(fit, i), design) / draws;
	}
	for (uint32_t i = 0; i < draws; i++) {
		double off = margin_log(order_at(fit, i), design) - x;
		xx += off * off;
		xy += off * (margin_log(run_at(fit, i), design) - y);
	}
	line->slope = xx > EQUAL ? xy / xx : 1;
	line->at = y - line->slope * x;
	for (uint32_t i = 0; i < draws; i++) {
		double residual = residual_of(fit, i, design);
		square += residual * residual;
	}
	line->deviation = sqrt(square / (draws > 2 ? draws - 2 : 1));
}

/* Returns the probability that a design costs more than the first design. The logarithm of the
 * margin of this design has a normal distribution with the mean `margin` and the standard
 * deviation `scatter`. */
static double behind(double margin, double scatter)
{
	if (scatter > 0)
		return 0.5 * erfc(-margin / scatter / sqrt(2));
	return fabs(margin) < EQUAL ? 0.5 : margin > 0;
}

/* Adds to wins[design] the probability that the design is the best with these margins, multiplied
 * by `weight`. Computes the probability of the first design exactly, and returns it. For the other
 * designs, draws at random which of them is best, and gives this design all of the remaining
 * probability. */
static double wins_add(struct joint_fit *fit, const double *margins, double weight, double *wins)
{
	double first = 1, least = INFINITY;
	uint32_t second = 1;

	for (uint32_t d = 1; d < fit->reruns->designs; d++) {
		double scatter = fit->lines[d].scatter, seen = margins[d];
		first *= behind(margins[d], scatter);
		if (scatter > 0)
			seen += scatter * stream_normal(&fit->stream);
		if (seen < least) {
			least = seen;
			second = d;
		}
	}
	wins[0] += weight * first;
	wins[second] += weight * (1 - first);
	return first;
}

/* For one draw, predicts from the lines (struct joint_line) how probable it is that each design
 * wins. Adds these probabilities, multiplied by `weight`, to `wins`. `order` has the values of the
 * draw to first order. Uses the residuals of TRIED random reruns, but not the residual of rerun
 * `own`, which is the rerun of this draw. Returns the variance of the first design's probability
 * over these residuals. */
static double foresee(
	struct joint_fit *fit, const double *order, uint32_t own, double weight, double *wins)
{
	uint32_t draws = fit->reruns->draws;
	double margins[JOINT_DESIGNS_MAX] = {0}, sum = 0, square = 0;

	for (int i = 0; i < TRIED; i++) {
		uint32_t of = (uint32_t)stream_below(&fit->stream, draws);
		double first;
		if (of == own)
			of = (of + 1) % draws;
		for (uint32_t d = 1; d < fit->reruns->designs; d++) {
			const struct joint_line *line = &fit->lines[d];
			margins[d] = line->at + line->slope * margin_log(order, d) +
				     residual_of(fit, of, d) +
				     SMOOTHED * line->deviation * stream_normal(&fit->stream);
		}
		first = wins_add(fit, margins, weight / TRIED, wins);
		sum += first;
		square += first * first;
	}
	return (square - sum * sum / TRIED) / (TRIED - 1);
}

/* Computes the values of the designs in a draw of joint_times(). */
static void joint_order_of(const struct joint_fit *fit, const struct joint_space *space,
	uint32_t draw, double order[JOINT_DESIGNS_MAX])
{
	for (uint32_t d = 0; d < fit->reruns->designs; d++)
		order[d] = space->times[(size_t)fit->reruns->of[d] * space->draws + draw];
}

struct joint_corrected joint_correct(const struct joint_model *model,
	const struct joint_reruns *reruns, const double *foreseen, const struct joint_space *space)
{
	struct joint_fit fit = {.reruns = reruns, .foreseen = foreseen};
	struct joint_corrected corrected = {.chances = {0}};
	double order[JOINT_DESIGNS_MAX], left = 0, sum = 0, seen = 0;

	stream_init(&fit.stream, SEED, "joint/residuals");
	for (uint32_t d = 1; d < reruns->designs; d++) {
		line_fit(&fit, d);
		fit.lines[d].scatter = model->scatter[reruns->of[d]];
	}
	for (uint32_t i = 0; i < space->draws; i++) {
		joint_order_of(&fit, space, i, order);
		left += foresee(&fit, order, UINT32_MAX, 1.0 / space->draws, corrected.chances) /
			space->draws;
	}
	for (uint32_t i = 0; i < reruns->draws; i++) {
		double margins[JOINT_DESIGNS_MAX] = {0}, wins[JOINT_DESIGNS_MAX] = {0}, off;
		for (uint32_t d = 1; d < reruns->designs; d++)
			margins[d] = margin_log(run_at(&fit, i), d);
		wins_add(&fit, margins, 1, wins);
		foresee(&fit, order_at(&fit, i), i, -1, wins);
		for (uint32_t d = 0; d < reruns->designs; d++)
			corrected.chances[d] += wins[d] / reruns->draws;
		off = wins[0];
		seen += off * off / reruns->draws;
	}
	for (uint32_t d = 0; d < reruns->designs; d++)
		sum += corrected.chances[d] = fmin(fmax(corrected.chances[d], 0), 1);
	for (uint32_t d = 0; d < reruns->designs; d++)
		corrected.chances[d] /= sum;
	corrected.variance = fmax(left, seen);
	return corrected;
}
