/* The registry of importers, and how a file finds its row (import.h). */
#include "bench/tools/import/import.h"

#include <string.h>

#include "base/file/file.h"
#include "bench/tools/import/chakra.h"

#define X(name) extern const struct importer importer_##name;
#include "bench/tools/import/importers.def"
#undef X

static const struct importer *const importers[] = {
#define X(name) &importer_##name,
#include "bench/tools/import/importers.def"
#undef X
	NULL};

const struct importer *importer_at(size_t index)
{
	return importers[index];
}

const struct importer *importer_named(const char *name)
{
	size_t i = 0;

	while (importers[i] && strcmp(importers[i]->name, name) != 0)
		i++;
	return importers[i];
}

const struct importer *importer_of(const char *path, struct diag *diag)
{
	const struct source *source = diag_source(diag, path, NULL, 0);
	struct text head = {0}, why = {0};
	const struct importer *found = NULL;
	struct arena arena = {0};
	const char *first = chakra_first_file(path, &arena);

	if (!file_read(first ? first : path, IMPORT_HEAD_BYTES, &head, &why)) {
		diag_error(diag, location_at(source, 0, 0), "cannot read: %s", text_string(&why));
	} else {
		for (size_t i = 0; importers[i] && !found; i++)
			if (importers[i]->takes(text_string(&head), head.length))
				found = importers[i];
		if (!found)
			diag_error(diag, location_at(source, 1, 1),
				"none of the known formats: a profiler's report is a CSV file "
				"whose first line names the columns, among them 'OP CODE'; a "
				"Chakra "
				"trace is files NAME.RANK.et");
	}
	text_fini(&head);
	text_fini(&why);
	arena_fini(&arena);
	return found;
}
