/* Copies of ranges that lay in two pieces (struct sparse_joins). */
#ifndef JOINS_H
#define JOINS_H

#include <stdbool.h>

#include "base/sparse.h"

/* Looks for a copy of join->first and join->second. If there is one, sets join->whole to it, with a
 * reference for the caller, and returns true. */
bool sparse_join_find(const struct sparse_joins *joins, struct sparse_join *join);

/* Takes references to the three spans of the join, in place of those of the oldest one. */
void sparse_join_keep(struct sparse_joins *joins, const struct sparse_join *join);

#endif
