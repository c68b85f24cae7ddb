/* Limits the work of --robust (comparison.h). The limit counts events of the engine and not time,
 * because the number of reruns must not depend on the speed of the machine. */
#include <math.h>

#include "analysis/compare/comparison.h"

/* Events of all reruns of a comparison: less than a minute on two cores. Each run counts as
 * RUN_EVENTS additional events, which is about the work of starting a run. */
#define EVENTS_MOST 160e6
#define RUN_EVENTS  100e3

/* The work that --robust may spend on each kind of reruns, as a share of the work that is left for
 * the question. What one kind does not need is left for the next. */
static const double shares[AFFORD_COUNT] = {[AFFORD_COSTS] = 0.4,
	[AFFORD_NETWORK] = 0.25,
	[AFFORD_SINGLE] = 0.3,
	[AFFORD_CHOICES] = 0.4,
	[AFFORD_DRAWS] = 1};

void afford_begin(struct comparison *comparison)
{
	comparison->afford.left = EVENTS_MOST;
	for (uint32_t s = 0; s < comparison->subject_count; s++)
		if (!compare_is_part(comparison, &comparison->subjects[s].points))
			comparison->afford.questions += comparison->subjects[s].questions.count;
}

void afford_question(struct comparison *comparison)
{
	struct afford *afford = &comparison->afford;

	afford->left += afford->question;
	afford->question = afford->left / fmax(afford->questions, 1);
	afford->left -= afford->question;
	if (afford->questions > 0)
		afford->questions--;
}

uint32_t afford(struct comparison *comparison, enum afford_kind kind,
	const struct sweep_point *const *points, uint32_t count, uint32_t wanted, double slowness)
{
	struct afford *afford = &comparison->afford;
	double each = 0, most;
	uint32_t granted;

	for (uint32_t i = 0; i < count; i++)
		each += RUN_EVENTS + fmax(dataset_real_of(&points[i]->summary->dataset, "events",
						  points[i]->row),
					     0);
	each *= slowness;
	most = fmax(shares[kind] * afford->question, 0) / fmax(each, 1);
	granted = most < wanted ? (uint32_t)most : wanted;
	afford->question -= granted * each;
	return granted;
}
