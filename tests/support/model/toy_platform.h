/* A small machine for tests of model/platform: four chips in a row, two of them with PCIe. It has
 * the constants that model/platform itself uses, and the constants of struct toy_constants. */
#ifndef TEST_TOY_PLATFORM_H
#define TEST_TOY_PLATFORM_H

#include "platform/platform.h"

struct toy_constants {
	int64_t hop_ps;
	uint16_t lanes;
	double share;
	uint64_t window_bytes;
};

extern const struct constant_table toy_table;

/* The machine as YAML. The text is a valid file. */
extern const char toy_platform[];

/* Replaces the only occurrence of `what` in toy_platform by `with`. The caller frees the result. */
char *toy_platform_with(const char *what, const char *with);

/* Reads `text` as if it were the file "toy.yaml", and sets *tree to the resulting tree. Returns
 * NULL after errors. The caller must free the platform with platform_free(), and after that the
 * tree with tree_free(). */
struct platform *toy_platform_read(const char *text, struct diag *diag, struct tree **tree);

/* Works like toy_platform_read(), for another consumer that has constants in the file. */
struct platform *toy_platform_read_for(const char *text, const struct constant_table *table,
	struct diag *diag, struct tree **tree);

#endif
