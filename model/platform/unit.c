/* Units of constants: conversion between units of the same dimension (time, size, rate, frequency,
 * share), and default bounds. A unit that is not listed here can be converted only to itself. */
#include <string.h>

#include "private.h"

struct unit {
	const char *name;
	const char *dimension;
	double scale;
};

static const struct unit units[] = {
	{"ps", "time", 1},
	{"ns", "time", 1e3},
	{"us", "time", 1e6},
	{"ms", "time", 1e9},
	{"s", "time", 1e12},
	{"B", "size", 1},
	{"KiB", "size", 1024},
	{"MiB", "size", 1048576},
	{"GiB", "size", 1073741824},
	{"KB", "size", 1e3},
	{"MB", "size", 1e6},
	{"GB", "size", 1e9},
	{"B/s", "rate", 1},
	{"KB/s", "rate", 1e3},
	{"MB/s", "rate", 1e6},
	{"GB/s", "rate", 1e9},
	{"Hz", "frequency", 1},
	{"kHz", "frequency", 1e3},
	{"MHz", "frequency", 1e6},
	{"GHz", "frequency", 1e9},
	{"ratio", "share", 1},
	{"percent", "share", 0.01},
};

static const struct unit *unit_find(const char *name)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(units[i].name, name) == 0)
			return &units[i];
	return NULL;
}

bool unit_convert(double value, const char *from, const char *to, double *out)
{
	const struct unit *source = unit_find(from), *target = unit_find(to);

	if (strcmp(from, to) == 0) {
		*out = value;
		return true;
	}
	if (!source || !target || strcmp(source->dimension, target->dimension) != 0)
		return false;
	*out = value * source->scale / target->scale;
	return true;
}

const char *unit_alike(const char *unit, size_t index)
{
	const struct unit *known = unit_find(unit);

	if (!known)
		return index == 0 ? unit : NULL;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(units[i].dimension, known->dimension) == 0 && index-- == 0)
			return units[i].name;
	return NULL;
}

/* Default bounds of constants, by unit. They are wide enough for any machine. They are narrow
 * enough that the sum of many times stays below 2^63 ps. */
static const struct {
	const char *unit;
	double least, most;
} bounds[] = {
	{"ps", 0, 1e12}, /* picoseconds in a second */
	{"cycles", 0, 1e9},
	{"B", 0, 1e15},
	{"B/s", 1e6, 1e15},
	{"B/cycle", 1e-3, 1e6},
	{"Hz", 1e6, 1e11},
	{"count", 0, 1e6},
	{"ratio", 0, 1e3},
};

void unit_bounds(const char *unit, double *least, double *most)
{
	*least = *most = 0;
	for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++)
		if (unit_convert(bounds[i].least, bounds[i].unit, unit, least) &&
			unit_convert(bounds[i].most, bounds[i].unit, unit, most))
			return;
}
