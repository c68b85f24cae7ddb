/* Fuzzes the reader of a profiler's reports. Any input gives either errors with their places, or
 * operations. For operations, all programs that they name must exist, and it must be possible to
 * make calls from them. */
#include <stdint.h>

#include "base/ensure.h"
#include "bench/tools/import/op_report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_report(const struct op_report *report)
{
	ensure(report->count > 0, "a report without operations");
	for (uint32_t i = 0; i < report->count; i++) {
		const struct op_entry *entry = &report->entries[i];

		ensure(entry->program < report->program_count, "program %u of %u", entry->program,
			report->program_count);
		ensure(entry->device < report->device_count, "device %u of %u", entry->device,
			report->device_count);
		ensure(entry->kernel_ns <= 1000000000, "a kernel of %llu ns",
			(unsigned long long)entry->kernel_ns);
	}
	ensure(op_report_platform(report), "no platform");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag *diag = diag_new();
	struct op_report *report;
	struct arena arena;

	arena_init(&arena);
	report = op_report_read_text(
		"fuzz", (const char *)data, size, NULL, size % 2 ? "end" : NULL, &arena, diag);
	ensure(size == 0 || !report == (diag_errors(diag) > 0), "%zu errors and %s",
		diag_errors(diag), report ? "a report" : "no report");
	if (report)
		check_report(report);
	arena_fini(&arena);
	diag_free(diag);
	return 0;
}
