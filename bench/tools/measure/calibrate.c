/* The command `meshsim calibrate --host` (measure.h). */
#include "bench/tools/measure/measure.h"

#include <string.h>

#include "base/file/file.h"
#include "base/nearest.h"
#include "base/output.h"
#include "base/tree.h"
#include "bench/run/runner.h"
#include "bench/scenario/machine_constants.h"

static bool is_platform(const char *head, size_t length)
{
	(void)length;
	return output_has_line(head, "meshsim_platform:");
}

/* True if the file is a platform, or a part of one, which is recognized by its sections. */
static bool is_part(const char *head, size_t length)
{
	return is_platform(head, length) || output_has_line(head, "transports:") ||
	       output_has_line(head, "codecs:") || output_has_line(head, "host:");
}

static const struct output_kind overlay_output = {"platform file of meshsim", false, is_platform},
				part_output = {"part of meshsim's platforms", false, is_part};

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

/* Reads the file again, since it may have changed during the measurement, and writes it. */
static bool calibrate_write_part(const struct calibrate_host *calibrate,
	const struct platform *platform, const struct measurement *measurement, struct diag *diag)
{
	struct tree *tree = tree_read_file(calibrate->into, diag);
	struct text file = {0};
	bool good = tree && file_read_or_say(calibrate->into, FILE_BYTES_MAX, &file, diag);

	if (good) {
		uint32_t count = part_write(measurement, platform, tree, &file);

		good = output_write_or_say(calibrate->into, &part_output, &file);
		if (good)
			fprintf(stderr, "%s: %u constants\n", calibrate->into, count);
	}
	text_fini(&file);
	tree_free(tree);
	return good;
}

/* Checks that the output files can be written, before time is spent on measuring. */
static bool outputs_good(const struct calibrate_host *calibrate, struct diag *diag)
{
	struct tree *part = NULL;

	if (calibrate->output && !output_check_or_say(calibrate->output, &overlay_output))
		return false;
	if (!calibrate->into)
		return true;
	part = tree_read_file(calibrate->into, diag);
	tree_free(part);
	return part && output_check_or_say(calibrate->into, &part_output);
}

int calibrate_host(const struct calibrate_host *calibrate)
{
	const char *other = calibrate->into ? "galaxy-x2" : "n150";
	const char *base = calibrate->platform ? calibrate->platform : other;
	struct measure_options options = calibrate->measure;
	struct measurement *measurement = NULL;
	struct diag *diag = diag_new();
	struct platform *platform;
	int code = EXIT_BAD_INPUT;

	platform = machine_platform(base, diag);
	if (!platform || !outputs_good(calibrate, diag))
		goto out;
	options.apart =
		platform_hosts(platform) && platform_hosts(platform)->cores == PLATFORM_CORES_OWN;
	measurement = measure_run(&options);
	if (calibrate->json)
		measurement_print_json(measurement, stdout);
	else
		measurement_print(measurement, stdout);
	if ((!calibrate->output || write_layer(calibrate, base, platform, measurement)) &&
		(!calibrate->into || calibrate_write_part(calibrate, platform, measurement, diag)))
		code = EXIT_GOOD;
out:
	diag_print(diag, stderr);
	measurement_free(measurement);
	platform_free(platform);
	diag_free(diag);
	return code;
}
