/* A mesh case on a row of world.h and device.h, in a child process, since a process can run only
 * one simulation. */
#ifndef TEST_MESH_ROWS_H
#define TEST_MESH_ROWS_H

#include "mesh_case.h"
#include "row.h"

/* In a child process: makes test->info from test->cluster_config, and runs body(cluster) on the
 * row, like row->run(); the body attaches the case and closes it. Unless the child succeeds within
 * minutes, the test fails with the row's name and the text of `format`, which distinguishes
 * cases. */
__attribute__((format(printf, 4, 5))) void mesh_row_run(const struct row *row,
	struct mesh_case *test, void (*body)(struct cluster *cluster), const char *format, ...);

#endif
