/* Sizes in model files: integers, names of other sizes, and sums, differences, products and exact
 * quotients of them, such as "(heads + 2 * kv_heads) * head / 4". */
#ifndef BENCH_TOOLS_MODELS_EXPRESSION_H
#define BENCH_TOOLS_MODELS_EXPRESSION_H

#include "base/schema.h"

enum { EXPRESSION_BYTES_MAX = 256, EXPRESSION_DEPTH_MAX = 16 };
#define EXPRESSION_VALUE_MAX ((int64_t)1 << 40)

/* The text of a size. `text` is NULL if the key is missing. */
struct expression {
	const char *text;
	struct location where;
};

/* Values of sizes by name. */
struct size_value {
	const char *name;
	uint64_t value;
};

struct sizes {
	struct size_value *at;
	uint32_t count;
};

/* Binds a scalar to a struct expression, for SCHEMA_CUSTOM. */
void expression_bind(const struct schema_field *field, const struct tree_node *node, void *member,
	const struct schema_context *context);

/* Computes an expression. Returns its value, from 1 to `most`. Returns 1 after an error, which is
 * in `diag` with its location: no expression, an unknown name, a quotient with a remainder, or a
 * value that is out of range. */
uint64_t expression_value(const struct expression *expression, const struct sizes *sizes,
	uint64_t most, struct diag *diag);

#endif
