/* A mesh case on a row of world.h and device.h. It runs in a child process, because a process can
 * run only one simulation. */
#ifndef TEST_MESH_ROWS_H
#define TEST_MESH_ROWS_H

#include "mesh_case.h"
#include "row.h"

/* Makes test->info from test->cluster_config in a child process, and runs body(cluster) on the row,
 * like row->run(). The body attaches the case and closes it. If the child does not succeed within
 * minutes, the test fails with the row's name and the text of `format`, which tells cases apart. */
__attribute__((format(printf, 4, 5))) void mesh_row_run(const struct row *row,
	struct mesh_case *test, void (*body)(struct cluster *cluster), const char *format, ...);

#endif
