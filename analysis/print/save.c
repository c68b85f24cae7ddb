/* Whole files, see save.h. Refuses to leave half of one. */
#include "analysis/print/save.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool write_file(const char *path, const struct text *text)
{
	FILE *file = fopen(path, "w");
	bool good;

	if (!file)
		return false;
	good = fwrite(text_string(text), 1, text->length, file) == text->length;
	good = fflush(file) == 0 && fsync(fileno(file)) == 0 && good;
	return fclose(file) == 0 && good;
}

bool save_text(const char *path, const struct text *text)
{
	struct text temporary;
	bool good;

	text_init(&temporary);
	text_printf(&temporary, "%s.new-%ld", path, (long)getpid());
	good = write_file(text_string(&temporary), text) &&
	       rename(text_string(&temporary), path) == 0;
	if (!good) {
		fprintf(stderr, "meshsim: %s: cannot write: %s\n", path, strerror(errno));
		unlink(text_string(&temporary));
	}
	text_fini(&temporary);
	return good;
}
