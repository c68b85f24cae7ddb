/* Chooses the subjects that have best points, and the main one of them (best.h). */
#include <string.h>

#include "analysis/compare/best.h"

/* Returns the time that the subject takes in the first good run of a sweep, in ps. */
static double best_main_time(const struct sweep_points *points)
{
	const struct sweep_point *point = points->at;

	while (point < points->at + points->count && !point->good)
		point++;
	if (point == points->at + points->count)
		return 0;
	return point->runs[0].figures[FIGURE_MAKESPAN] > 0
		       ? point->runs[0].figures[FIGURE_MAKESPAN]
		       : sweep_point_value(points, point) * (double)point->operations /
				 point->seeds;
}

/* True if the scenario itself calls a repeat "iteration". */
static bool best_main_is_named(const struct sweep_points *points)
{
	return points->of_loop && strcmp(points->label, SWEEP_ITERATION) == 0;
}

/* A loop is the main subject, and not the whole run, if it takes more than this part of the run. */
#define LOOP_LEAST 0.5

uint32_t best_main(const struct comparison *comparison)
{
	double longest = 0;
	uint32_t main = 0;
	bool loop = false;

	for (uint32_t s = 0; s < comparison->subject_count; s++) {
		const struct sweep_points *points = &comparison->subjects[s].points;
		double time = best_main_time(points) * (points->run ? LOOP_LEAST : 1);

		if (compare_is_part(comparison, points))
			continue;
		if (best_main_is_named(points))
			return s;
		if ((loop && !points->of_loop) || (loop == points->of_loop && time <= longest))
			continue;
		loop = points->of_loop;
		longest = time;
		main = s;
	}
	return main;
}

bool best_is_asked(const struct comparison *comparison, uint32_t subject, uint32_t main)
{
	return subject == main || (comparison->subjects[main].points.of_loop &&
					  comparison->subjects[subject].points.of_loop);
}
