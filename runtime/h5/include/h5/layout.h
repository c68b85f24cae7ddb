/* The layout version of result files, for writers and readers. Increase it when a column or table
 * is added, removed or changes its meaning. Tables that exist only in runs with a new key do not
 * need a new version: no reader requires them. */
#ifndef H5_LAYOUT_H
#define H5_LAYOUT_H

enum { RESULTS_LAYOUT_VERSION = 10 };

#endif
