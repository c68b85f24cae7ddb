/* Chooses units in which values are easy to read (measure.h). */
#include "bench/tools/measure/measure.h"

#include <math.h>
#include <string.h>

static const struct {
	const char *from, *unit;
	double least; /* least value for which the unit is chosen, in `from` */
} units[] = {
	{"ps", "ms", 1e9},
	{"ps", "us", 1e6},
	{"ps", "ns", 1e3},
	{"B/s", "GB/s", 1e9},
	{"B/s", "MB/s", 1e6},
	{"B", "MiB", 1048576},
	{"B", "KiB", 1024},
};

struct readable unit_readable(double value, const char *unit)
{
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(units[i].from, unit) == 0 && fabs(value) >= units[i].least)
			return (struct readable){units[i].unit, 1 / units[i].least};
	return (struct readable){unit, 1};
}
