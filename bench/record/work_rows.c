/* Work as rows of a result file (see bench/record/recorder.h). */
#include "bench/record/recorder.h"

#include <stdio.h>

#include "wire/codec.h"

enum { CODING_ROWS = 3 * 2 * WORK_CODECS };

/* Adds rows for the codecs that were used. */
static uint32_t codings(const struct work_counts *counts, struct work_row *rows)
{
	uint32_t used = 0;

	for (size_t i = 0; wire_codec_row(i) != NULL; i++)
		for (int reads = 0; reads < 2; reads++) {
			const struct wire_codec *codec = wire_codec_row(i);
			const struct work_coded *coded = &counts->coded[codec->id][reads];
			const char *verb = reads ? "read" : "write";
			const uint64_t units[] = {coded->commands, coded->words, coded->bytes};
			static const char *const names[] = {"command", "argument", "byte"};

			for (int unit = 0; unit < 3 && coded->commands > 0; unit++, used++) {
				snprintf(rows[used].work, sizeof rows[used].work, "%s %s %s", verb,
					codec->entry.name, names[unit]);
				snprintf(rows[used].unit, sizeof rows[used].unit, "one %s",
					names[unit]);
				rows[used].units = units[unit];
			}
		}
	return used;
}

uint32_t work_rows(
	const struct work_counts *counts, struct arena *arena, const struct work_row **made)
{
	static const char *const memory[MEMORY_KIND_COUNT] = {
		"cached", "uncached_source", "pinned", "write_combining"};
	struct work_row *rows = arena_array(arena,
		WORK_KIND_COUNT + MEMORY_KIND_COUNT * MEMORY_KIND_COUNT + CODING_ROWS,
		sizeof *rows);
	uint32_t count = 0;

	for (int i = 0; i < WORK_KIND_COUNT; i++, count++) {
		snprintf(rows[count].work, sizeof rows[count].work, "%s", work_kind_name(i));
		snprintf(rows[count].unit, sizeof rows[count].unit, "%s", work_kind_unit(i));
		rows[count].units = counts->units[i];
	}
	for (int from = 0; from < MEMORY_KIND_COUNT; from++) {
		for (int to = 0; to < MEMORY_KIND_COUNT; to++, count++) {
			snprintf(rows[count].work, sizeof rows[count].work, "copy %s>%s",
				memory[from], memory[to]);
			snprintf(rows[count].unit, sizeof rows[count].unit, "one byte copied");
			rows[count].units = counts->copied_bytes[from][to];
		}
	}
	*made = rows;
	return count + codings(counts, rows + count);
}
