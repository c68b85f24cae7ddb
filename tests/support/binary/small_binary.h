/* A small model binary for tests. */
#ifndef TESTS_SMALL_BINARY_H
#define TESTS_SMALL_BINARY_H

#include "binary/model_binary.h"
#include "world/device.h"

enum { SMALL_ELEMENTS = 32 * 32 };

/* A binary of one program that adds a constant to its input; small_with_cost() adds a program whose
 * operation has a cost. */
struct small {
	struct model_binary binary;
	struct model_tensor tensors[3];
	struct model_operation operation;
	struct model_program program, programs[2];
	struct model_cost cost;
	struct model_operation timed;
	struct model_tensor four[4];
	uint32_t made;
	struct model_values constant, golden[2];
	uint32_t input, output;
	float values[SMALL_ELEMENTS];
};

/* Returns the chips of its machine. */
struct chip_geometry small_geometry(void);

/* small_init() makes the binary with one program. small_with_cost() makes it with two. */
void small_init(struct small *small);
void small_with_cost(struct small *small);

#endif
