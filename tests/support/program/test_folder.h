/* The files of a group of tests in its temporary folder (shell.h). */
#ifndef TEST_TEST_FOLDER_H
#define TEST_TEST_FOLDER_H

#include "shell.h"

/* Teardown in place of shell_folder_remove(): fails if a test left something in the folder. */
int test_folder_remove_empty(void **state);

/* Path of a file in the folder; the last four are valid. */
const char *test_path(const char *name);

/* A whole file as text; the caller frees it. Fails the test if it cannot be read or is empty. */
char *test_read_file(const char *path);

#endif
