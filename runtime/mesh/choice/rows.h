/* The rows of the registries, declared as forward.def, completion.def and threads.def list them. */
#ifndef MESH_CHOICE_ROWS_H
#define MESH_CHOICE_ROWS_H

#include "mesh/choice.h"

#define X(name) extern const struct forward_ops forward_##name;
#include "forward.def"
#undef X

#define X(name) extern const struct completion_ops completion_##name;
#include "completion.def"
#undef X

#define X(name) extern const struct threads_ops threads_##name;
#include "threads.def"
#undef X

#endif
