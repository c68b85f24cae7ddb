/* A folder for the files of a test program, and shell commands that can run the program under
 * test. */
#ifndef SUPPORT_SHELL_H
#define SUPPORT_SHELL_H

#include <stdio.h>

/* shell_folder is the path of the folder while the tests run. shell_folder_make() and
 * shell_folder_remove() are the group setup and the group teardown for cmocka. The teardown removes
 * the folder with its contents. */
extern char shell_folder[256];
int shell_folder_make(void **state);
int shell_folder_remove(void **state);

/* Another teardown, which fails if a test has left files in the folder. */
int shell_folder_remove_empty(void **state);

/* A group setup like shell_folder_make() that also makes the folder the current directory. Messages
 * then contain file names without a folder. */
int shell_folder_enter(void **state);

/* Returns the path of a file in the folder. The results of the last eight calls are valid. */
const char *test_path(const char *name);

/* Reads a whole file as text. The caller frees the text. Fails the test if the file cannot be read
 * or is empty. */
char *test_read_file(const char *path);

/* Runs a command with "$MESHSIM_BINARY" and "$MESHSIM_SOURCE_DIR" in its environment. The command
 * must quote these variables, because the path of a checkout may contain blanks. Returns the exit
 * code, or -1 if a signal ended the command. */
int shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Works like shell(), but returns the standard output for reading. Close it with pclose(). */
FILE *shell_open(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
