/* Runs a test on a mesh device (mesh_case.h) in the native or the simulated world (row.h). The test
 * runs in a child process, because a process can run only one simulation. */
#ifndef TEST_MESH_ROWS_H
#define TEST_MESH_ROWS_H

#include "mesh_case.h"
#include "row.h"

/* Makes test->info from test->cluster_config, and calls row->run() in a child process, which calls
 * `body`. The body must open the mesh device with mesh_case_attach(), and close it. If the child
 * does not succeed within minutes, the test fails. The message contains the row's name and the text
 * of `format`, which must be different for each case. */
__attribute__((format(printf, 4, 5))) void mesh_row_run(const struct row *row,
	struct mesh_case *test, void (*body)(struct cluster *cluster), const char *format, ...);

#endif
