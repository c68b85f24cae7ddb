/* Runs the probes and collects their figures (measure.h). */
#include "bench/tools/measure/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/text.h"
#include "probe.h"
#include "world/native/native.h"

static const uint32_t all_sizes[] = {64, 256, 1024, 4096, 16384, 65536, 262144, 1 << 20, 0},
		      few_sizes[] = {64, 4096, 65536, 0}, all_members[] = {1, 2, 4, 8, 0},
		      few_members[] = {1, 2, 0};

static const struct pace long_pace = {.rounds = 25,
	.round_ns = 400000,
	.bursts = 11,
	.events = 400,
	.exchanges_max = 1000,
	.exchanges_ns = 40000000,
	.sizes = all_sizes,
	.members = all_members};

static const struct pace quick_pace = {.rounds = 7,
	.round_ns = 50000,
	.bursts = 3,
	.events = 40,
	.exchanges_max = 40,
	.exchanges_ns = 5000000,
	.sizes = few_sizes,
	.members = few_members};

/* ---- the machine ---- */

/* "model name" of the first processor in /proc/cpuinfo. */
static const char *processor_name(struct arena *arena)
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	const char *name = "unknown processor";
	char line[512];

	while (file && fgets(line, sizeof line, file)) {
		char *value = strchr(line, ':');

		if (strncmp(line, "model name", 10) != 0 || !value)
			continue;
		value += 1 + strspn(value + 1, " ");
		value[strcspn(value, "\n")] = '\0';
		name = text_plain(value, true, arena);
		break;
	}
	if (file)
		fclose(file);
	return name;
}

static void machine_describe(struct measurement *out)
{
	struct utsname kernel;
	time_t now = time(NULL);
	char date[16];

	ensure(uname(&kernel) == 0, "no kernel");
	strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
	out->machine = (struct machine_text){.processor = processor_name(&out->arena),
		.kernel = arena_printf(&out->arena, "%s %.*s", kernel.sysname,
			(int)strcspn(kernel.release, "-+_ "), kernel.release),
		.date = arena_string(&out->arena, date),
		.cores = world->core_count(0)};
}

/* ---- all of it ---- */

static bool measure_is_wanted(const struct measure_options *options, const struct probe *probe)
{
	for (uint32_t i = 0; i < options->probe_count; i++)
		if (strcmp(options->probes[i], probe->name) == 0)
			return true;
	return options->probe_count == 0;
}

struct measurement *measure_run(const struct measure_options *options)
{
	struct measurement *out = allocate(1, sizeof *out);
	const struct pace *pace = options->quick ? &quick_pace : &long_pace;

	arena_init(&out->arena);
	out->quick = options->quick;
	world = &native_world;
	native_world_start(NULL);
	machine_describe(out);
	for (uint32_t i = 0; probe_at(i); i++) {
		struct probing probing = {out, pace, probe_at(i), options};

		if (!measure_is_wanted(options, probing.probe))
			continue;
		probe_say(&probing, "");
		probing.probe->run(&probing);
	}
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	return out;
}

void measurement_free(struct measurement *measurement)
{
	if (!measurement)
		return;
	arena_fini(&measurement->arena);
	free(measurement);
}

const struct figure *measurement_find(const struct measurement *measurement, const char *name)
{
	for (uint32_t i = 0; i < measurement->figure_count; i++)
		if (strcmp(measurement->figures[i].name, name) == 0)
			return &measurement->figures[i];
	return NULL;
}

const char *measure_probe_name(uint32_t index)
{
	return probe_at(index) ? probe_at(index)->name : NULL;
}

const char *measure_probe_what(uint32_t index)
{
	return probe_at(index) ? probe_at(index)->what : NULL;
}
