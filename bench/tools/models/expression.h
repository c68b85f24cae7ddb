/* Sizes in model files. A size is an integer, the name of another size, or an expression such as
 * "(heads + 2 * kv_heads) * head / 4", with sums, differences, products and quotients without a
 * remainder. */
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

/* Returns the value of an expression, from 1 to `most`. After an error, returns 1 with a located
 * error in `diag`. It is an error if the expression is empty or has an unknown name, if a quotient
 * has a remainder, or if the value is out of range. */
uint64_t expression_value(const struct expression *expression, const struct sizes *sizes,
	uint64_t most, struct diag *diag);

#endif
