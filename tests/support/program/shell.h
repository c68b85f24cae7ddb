/* A folder of its own for a test program, files in it, and shell commands that know the program
 * under test. */
#ifndef SUPPORT_SHELL_H
#define SUPPORT_SHELL_H

#include <stdio.h>

/* Its path while the tests run: group setup and teardown of cmocka. The second removes all in it.
 */
extern char shell_folder[256];
int shell_folder_make(void **state);
int shell_folder_remove(void **state);

/* Removes it in their place; fails if a test left something in it. */
int shell_folder_remove_empty(void **state);

/* Makes it and goes there: for messages that name files without a folder. */
int shell_folder_enter(void **state);

/* Path of a file in it; the last eight are valid. */
const char *test_path(const char *name);

/* A whole file as text; the caller frees it. Fails the test if it cannot be read or is empty. */
char *test_read_file(const char *path);

/* Runs a command with "$MESHSIM_BINARY" and "$MESHSIM_SOURCE_DIR" in its environment, which it has
 * to quote: a checkout may stand in a folder whose name has blanks. The exit code; -1 for a signal.
 */
int shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, its standard output to be read; closed by pclose(). */
FILE *shell_open(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
