/* A mesh case on a row of world.h and device.h, in a child process: a process can do only one
 * simulation. Refuses to say what became of the child but by failing. */
#ifndef TEST_MESH_ROWS_H
#define TEST_MESH_ROWS_H

#include "mesh_case.h"
#include "row.h"

/* In a child of its own: makes test->info of test->cluster_config, and runs body(cluster) on the
 * row, as row->run(); the body attaches the case and closes it. Unless the child ends well within
 * minutes the test fails, with the row's name and `format`, which tells cases apart. */
__attribute__((format(printf, 4, 5))) void mesh_row_run(const struct row *row,
	struct mesh_case *test, void (*body)(struct cluster *cluster), const char *format, ...);

#endif
