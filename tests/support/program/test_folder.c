/* Files of tests, see test_folder.h. */
#define _GNU_SOURCE
#include "test_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

int test_folder_remove_empty(void **state)
{
	(void)state;
	return rmdir(shell_folder);
}

const char *test_path(const char *name)
{
	static char paths[4][400];
	static int next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", shell_folder, name);
	return path;
}

char *test_read_file(const char *path)
{
	char *text = NULL;
	size_t size = 0;
	FILE *file = fopen(path, "r");

	if (!file || getdelim(&text, &size, '\0', file) < 0)
		fail_msg("cannot read %s", path);
	fclose(file);
	return text;
}
