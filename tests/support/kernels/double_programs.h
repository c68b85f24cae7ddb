/* References in doubles (double_reference.h): one function for each program of the library. A
 * function reads the same ports as its program. It computes the ports that the program writes, and
 * the largest error that their elements may have. Only files of this folder use this header. */
#ifndef TEST_DOUBLE_PROGRAMS_H
#define TEST_DOUBLE_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "programs/library.h"

/* A matrix, and the largest error that its elements may have: `units` units in the last place of
 * the element, plus `absolute`. */
struct doubles {
	uint64_t rows, columns;
	bool in_rows; /* true: in rows; false: in tiles */
	double *at;
	double units, absolute;
};

struct doubled {
	const struct library_row *row;
	const struct library_use *use;
	struct doubles ports[LIBRARY_PORTS_MAX];
};

/* If the program applies a function to each element, computes its result in doubles and returns
 * true. Otherwise computes nothing and returns false. */
bool double_unary(struct doubled *doubled);

void double_softmax(struct doubled *doubled);
void double_layer_norm(struct doubled *doubled);
void double_rms_norm(struct doubled *doubled);
void double_linear(struct doubled *doubled);
void double_conv2d(struct doubled *doubled);
void double_matmul(struct doubled *doubled);
void double_transpose(struct doubled *doubled);
void double_concat(struct doubled *doubled);
void double_concat_rows(struct doubled *doubled);
void double_slice(struct doubled *doubled);
void double_attention(struct doubled *doubled);
void double_rotary(struct doubled *doubled);

#endif
