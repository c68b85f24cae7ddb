/* Units of measured values, and whether more is better. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "decision.h"

struct unit {
	const char *name;
	double scale;
};

/* Units of time, in seconds. */
static const struct unit times[] = {{"s", 1}, {"sec", 1}, {"secs", 1}, {"second", 1},
	{"seconds", 1}, {"ms", 1e-3}, {"msec", 1e-3}, {"millisecond", 1e-3}, {"milliseconds", 1e-3},
	{"us", 1e-6}, {"µs", 1e-6}, {"μs", 1e-6}, {"usec", 1e-6}, {"microsecond", 1e-6},
	{"microseconds", 1e-6}, {"ns", 1e-9}, {"nsec", 1e-9}, {"nanosecond", 1e-9},
	{"nanoseconds", 1e-9}};

/* Units of rates, in bytes per second. "Mb" and "Gb" usually mean bits. */
static const struct unit rates[] = {{"B/s", 1}, {"KB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9},
	{"KiB/s", 1024}, {"MiB/s", 1048576}, {"GiB/s", 1073741824}, {"bit/s", 0.125},
	{"Mb/s", 1.25e5}, {"Gb/s", 1.25e8}, {"Mbit/s", 1.25e5}, {"Gbit/s", 1.25e8},
	{"Mbps", 1.25e5}, {"Gbps", 1.25e8}, {"MBps", 1e6}, {"GBps", 1e9}};

/* Words of units and metrics that show whether more or less is better. */
static const char more_is_better[] =
	"*/s|*/s/*|*/sec|*/second|per second|per "
	"sec|fps|bps|IOPS|Hz|kHz|MHz|QPS|RPS|TPS|ops|*FLOPS|"
	"speedup|throughput*|bandwidth*|rate|efficiency|bytes per second|tokens per s*";
static const char less_is_better[] =
	"cycle|cycles|clocks|ticks|time*|latency*|cost*|CPU*|power*|overhead*|*time|*latency|delay*"
	"|"
	"skew*|W|J|B|KB|KiB|MB|MiB|instructions|events|calls|packets|messages";

static const struct unit *find_unit(const struct unit *units, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(units[i].name, name) == 0)
			return &units[i];
	for (size_t i = 0; i < count; i++) /* "Us" is "us", but "Mb/s" is not "MB/s" */
		if (!strchr(name, '/') && !strstr(name, "bps") &&
			strcasecmp(units[i].name, name) == 0)
			return &units[i];
	return NULL;
}

bool measure_find(const char *unit, const char *metric, struct measure *measure)
{
	const struct unit *time = find_unit(times, sizeof times / sizeof *times, unit);
	const struct unit *rate = find_unit(rates, sizeof rates / sizeof *rates, unit);
	char number[NUMBER_BYTES];

	*measure = (struct measure){.base = unit, .scale = 1};
	if (time) {
		*measure = (struct measure){.base = "s", .scale = time->scale};
		return true;
	}
	if (rate) {
		*measure = (struct measure){
			.base = "B/s", .scale = rate->scale, .more_is_better = true};
		return true;
	}
	if (phrase_find(more_is_better, unit, number)) {
		measure->more_is_better = true;
		return true;
	}
	if (phrase_find(less_is_better, unit, number))
		return true;
	measure->more_is_better = phrase_find(more_is_better, metric, number);
	return measure->more_is_better || phrase_find(less_is_better, metric, number);
}
