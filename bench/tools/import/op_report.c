/* The importer of profiler's reports: chooses the machine, and lists the assumptions. */
#include <stdio.h>
#include <string.h>

#include "bench/scenario/hosts.h"
#include "bench/scenario/machine_constants.h"
#include "bench/tools/import/import.h"
#include "bench/tools/models/model.h"
#include "op_report_private.h"

const char *op_report_platform(const struct op_report *report)
{
	uint32_t devices = report->device_count;

	if (report->blackhole)
		return devices > 8   ? "blackhole-galaxy"
		       : devices > 4 ? "p150-x8"
		       : devices > 2 ? "p150-x4"
		       : devices > 1 ? "p300"
				     : "p150";
	return devices > 8 ? "galaxy" : devices > 2 ? "t3k" : devices > 1 ? "n300" : "n150";
}

/* The first line of a report names columns. */
static bool takes(const char *head, size_t length)
{
	size_t line = strcspn(head, "\n");
	const char *code = strstr(head, "OP CODE");

	(void)length;
	return code && (size_t)(code - head) < line;
}

static void say(struct text *notes, bool lacks, const char *what)
{
	if (lacks)
		text_printf(notes, "%s\n", what);
}

static void note_assumptions(const struct import_request *request, const struct op_report *report,
	const struct op_calls *calls, const char *machine, struct text *notes)
{
	unsigned lacks = report->lacks;

	text_printf(notes, "%u operations of %u programs on %u device%s, as %u calls, on %s\n",
		report->count, report->program_count, report->device_count,
		report->device_count == 1 ? "" : "s", calls->count, machine);
	text_printf(notes,
		"runtime arguments are not in a report: assumed %u for each core and kernel "
		"(--runtime-args)\n",
		request->runtime_args);
	if (lacks & OP_LACKS_CORES_TIMES)
		text_printf(notes,
			"no times of single cores (DEVICE KERNEL DURATION PER CORE MIN): assumed "
			"that the shortest core runs %u %% shorter (--imbalance)\n",
			request->imbalance_percent);
	say(notes, lacks & OP_LACKS_HASHES,
		"no hashes of kernels: operations with the same name, cores and tensors are taken "
		"as one program");
	say(notes, lacks & OP_LACKS_SIZES,
		"no MAX KERNEL SIZE: assumed kernel_bytes of 1024 on all processors");
	say(notes, lacks & OP_LACKS_HOST,
		"no HOST START TS: assumed that the application calls as fast as it can");
	say(notes, (lacks & OP_LACKS_ARCH) && !request->platform,
		"no DEVICE ARCH: the machine is that of the clock in the report (--platform)");
	say(notes, lacks & OP_LACKS_DEVICE, "no DEVICE ID: assumed one device");
	say(notes, lacks & OP_LACKS_TRACES,
		"no METAL TRACE ID: assumed that the host dispatches every operation");
	say(notes, lacks & OP_LACKS_ETHERNET, "kernels of Ethernet cores are left out");
	if (report->device_count > 1)
		text_append(notes, "a call of several devices takes the median of their times\n");
	if (calls->apart > 0)
		text_printf(notes,
			"%u operations are calls of single devices, since not all devices ran "
			"them\n",
			calls->apart);
}

/* True if programs use more cores than the machine leaves to them. On chips with Ethernet cores
 * that can dispatch, all Tensix cores are left then. */
static bool needs_ethernet(const struct op_report *report, const struct platform *platform)
{
	struct roofline_machine machine;
	uint32_t most = 0;

	roofline_machine_init(&machine, platform);
	for (uint32_t i = 0; i < report->program_count; i++)
		if (report->programs[i].cores > most)
			most = report->programs[i].cores;
	return !report->blackhole && report->device_count > 1 && most > machine.cores;
}

static bool fits(const struct op_report *report, const struct platform *platform,
	const char *machine, const char *path, struct diag *diag)
{
	struct mesh_shape shape = machine_shape(platform);

	if (report->device_count <= (uint32_t)shape.rows * shape.columns)
		return true;
	diag_error(diag, location_at(diag_source(diag, path, NULL, 0), 0, 0),
		"DEVICE ID %u, but platform %s has %u devices (--platform)",
		report->device_count - 1, machine, (unsigned)shape.rows * shape.columns);
	return false;
}

static bool op_report_import(const struct import_request *request, struct text *scenario,
	struct text *notes, struct diag *diag)
{
	struct platform *platform = NULL;
	struct op_report *report;
	const char *machine;
	struct arena arena;
	bool good = false;

	arena_init(&arena);
	report = op_report_read(request->path, request->from, request->to, &arena, diag);
	if (!report)
		goto out;
	machine = request->platform ? request->platform : op_report_platform(report);
	platform = machine_platform(machine, diag);
	if (platform && fits(report, platform, machine, request->path, diag)) {
		struct op_calls calls = op_calls_make(report, &arena);

		bool ethernet = needs_ethernet(report, platform);

		note_assumptions(request, report, &calls, machine, notes);
		say(notes, ethernet,
			"programs use all cores: assumed that Ethernet cores dispatch");
		op_report_write(report, &calls,
			&(struct op_writing){request, machine, text_string(notes),
				machine_shape(platform), ethernet},
			scenario, notes);
		good = true;
	}
out:
	platform_free(platform);
	arena_fini(&arena);
	return good;
}

const struct importer importer_op_report = {
	.name = "op-report",
	.description = "CSV reports of the device profiler of TT-Metalium",
	.takes = takes,
	.import = op_report_import,
};
