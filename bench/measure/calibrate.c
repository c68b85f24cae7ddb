/* The command, see calibrate.h. Refuses to measure for a platform that cannot be read. */
#include "bench/measure/calibrate.h"

#include <string.h>

#include "base/nearest.h"
#include "base/output.h"
#include "bench/measure/print.h"
#include "bench/run/runner.h"
#include "bench/scenario/machine_constants.h"

static bool is_platform(const char *head, size_t length)
{
	(void)length;
	return output_has_line(head, "meshsim_platform:");
}

static const struct output_kind overlay_output = {"platform file of meshsim", false, is_platform};

static void say_names(struct text *why)
{
	for (uint32_t i = 0; measure_probe_name(i); i++)
		text_printf(why, "%s%s", i ? ", " : " of ", measure_probe_name(i));
}

bool calibrate_host_check(
	struct calibrate_host *calibrate, char **probes, uint32_t count, struct text *why)
{
	for (uint32_t i = 0; i < count; i++) {
		struct nearest nearest;
		bool known = false;

		nearest_start(&nearest, probes[i]);
		for (uint32_t at = 0; measure_probe_name(at); at++) {
			known |= strcmp(measure_probe_name(at), probes[i]) == 0;
			nearest_offer(&nearest, measure_probe_name(at));
		}
		if (known)
			continue;
		text_printf(why, "--probe: no probe '%s'", probes[i]);
		if (nearest.best)
			text_printf(why, ", did you mean '%s'?", nearest.best);
		else
			say_names(why);
		return false;
	}
	calibrate->measure.probes = (const char *const *)probes;
	calibrate->measure.probe_count = count;
	return true;
}

static bool write_layer(const struct calibrate_host *calibrate, const char *base,
	const struct platform *platform, const struct measurement *measurement)
{
	struct text layer = {0};
	uint32_t count = overlay_write(measurement, base, platform, &layer);
	bool good = output_write_or_say(calibrate->output, &overlay_output, &layer);

	if (good)
		fprintf(stderr, "%s: %u constants of %s\n", calibrate->output, count, base);
	text_fini(&layer);
	return good;
}

int calibrate_host(const struct calibrate_host *calibrate)
{
	const char *base = calibrate->platform ? calibrate->platform : "n150";
	struct measurement *measurement = NULL;
	struct diag *diag = diag_new();
	struct platform *platform;
	int code = EXIT_BAD_INPUT;

	platform = machine_platform(base, diag);
	if (!platform ||
		(calibrate->output && !output_check_or_say(calibrate->output, &overlay_output)))
		goto out;
	measurement = measure_run(&calibrate->measure);
	if (calibrate->json)
		measurement_print_json(measurement, stdout);
	else
		measurement_print(measurement, stdout);
	if (!calibrate->output || write_layer(calibrate, base, platform, measurement))
		code = EXIT_GOOD;
out:
	diag_print(diag, stderr);
	measurement_free(measurement);
	platform_free(platform);
	diag_free(diag);
	return code;
}
