/* Prints diagnostics into memory. A failed comparison prints both texts in full. */
#include "test.h"

#include "diag_text.h"

#include <stdlib.h>
#include <string.h>

char *diag_text(const struct diag *diag)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	assert_non_null(out);
	diag_print(diag, out);
	fclose(out);
	return text;
}

void assert_diag_prints(const struct diag *diag, const char *expected)
{
	char *printed = diag_text(diag);
	bool same = strcmp(printed, expected) == 0;

	if (!same)
		print_error("--- expected\n%s--- printed\n%s---\n", expected, printed);
	free(printed);
	assert_true(same);
}
