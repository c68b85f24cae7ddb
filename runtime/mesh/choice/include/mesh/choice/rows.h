/* Declares the variants of all design choices that mesh/rows.def lists. */
#ifndef MESH_CHOICE_ROWS_H
#define MESH_CHOICE_ROWS_H

#include "mesh/choice.h"

#define ROW(kind, name) extern const struct kind##_ops kind##_##name;
#include "mesh/rows.def"

#endif
