/* The rows of the registries, declared as mesh/rows.def lists them. */
#ifndef MESH_CHOICE_ROWS_H
#define MESH_CHOICE_ROWS_H

#include "mesh/choice.h"

#define ROW(kind, name) extern const struct kind##_ops kind##_##name;
#include "mesh/rows.def"

#endif
