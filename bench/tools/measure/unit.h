/* Chooses a unit in which a value is easy to read. Private to the room. */
#ifndef BENCH_TOOLS_MEASURE_UNIT_H
#define BENCH_TOOLS_MEASURE_UNIT_H

struct readable {
	const char *unit;
	double scale; /* factor from the figure's unit to this one */
};

/* For a value in "ps", "B/s" or "B"; any other unit stays as it is. */
struct readable unit_readable(double value, const char *unit);

#endif
