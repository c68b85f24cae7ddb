/* Writes fitted constants into a platform file (see fit.h). Does not change other lines. */
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "bench/tools/reference/fit.h"

/* Finds the map of a constant, from '{' to '}', at or after its line. */
static bool find_map(const char *text, uint32_t line, size_t *from, size_t *to)
{
	const char *at = text, *start, *end;

	for (uint32_t i = 1; at && i < line; i++)
		at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
	start = at ? strstr(at, "{value:") : NULL;
	end = start ? strchr(start, '}') : NULL;
	if (!end)
		return false;
	*from = (size_t)(start - text);
	*to = (size_t)(end - text) + 1;
	return true;
}

/* Returns the number of columns before `at` in its line. */
static int column_of(const char *text, size_t at)
{
	int column = 0;

	while (at > 0 && text[at - 1] != '\n') {
		at--;
		column++;
	}
	return column;
}

/* Replaces one constant in the file. Begin with the last constant of the file, because replacing a
 * constant can move the lines after it. */
static bool fit_write_replace(
	const struct fit *fit, const struct fit_constant *constant, struct text *file)
{
	const char *text = text_string(file);
	struct text changed;
	size_t from, to;

	if (!find_map(text, constant->line, &from, &to))
		return false;
	text_init(&changed);
	text_append_bytes(&changed, file->bytes, from);
	text_printf(&changed,
		"{value: %.4g, unit: %s, kind: fitted,\n%*ssource: \"calibrate --fit on %u "
		"published figures: median %.2f %%, worst %.2f %%\"}",
		constant->after, constant->unit, column_of(text, from) + 1, "",
		fit->errors_after.rows - fit->errors_after.refused, 100 * fit->errors_after.median,
		100 * fit->errors_after.worst);
	text_append(&changed, file->bytes + to);
	text_fini(file);
	*file = changed;
	return true;
}

static bool stands_in(const struct fit_constant *constant, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t length = strlen(name);

	return strncmp(constant->place, name, length) == 0 && constant->place[length] == ':';
}

static int fit_write_by_line(const void *a, const void *b)
{
	const struct fit_constant *const *x = a, *const *y = b;

	return ((*x)->line < (*y)->line) - ((*x)->line > (*y)->line);
}

static bool is_platform(const char *head, size_t length)
{
	(void)length;
	return output_has_line(head, "meshsim_platform:");
}

const struct output_kind fit_output = {"platform file of meshsim", false, is_platform};

bool fit_write(
	const struct fit *fit, const char *from, const char *to, uint32_t *left, struct text *why)
{
	const struct fit_constant *here[FIT_CONSTANTS_MAX];
	struct text text = {0}, reason = {0};
	uint32_t count = 0;
	bool good = file_read(from, FILE_BYTES_MAX, &text, &reason);

	if (!good)
		text_printf(why, "cannot read %s: %s", from, text_string(&reason));
	text_fini(&reason);
	for (uint32_t i = 0; i < fit->count; i++)
		if (stands_in(&fit->constants[i], from))
			here[count++] = &fit->constants[i];
	*left = fit->count - count;
	qsort(here, count, sizeof *here, fit_write_by_line);
	for (uint32_t i = 0; good && i < count; i++) {
		good = fit_write_replace(fit, here[i], &text);
		if (!good)
			text_printf(
				why, "cannot write %s: %s has no map there", to, here[i]->place);
	}
	good = good && output_write(to, &fit_output, &text, why);
	text_fini(&text);
	return good;
}
