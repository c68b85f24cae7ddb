/* The programs of double_reference.h, one function each: from the ports that a program reads, they
 * compute those that it writes, and how far these may be off. Only for files of this folder. */
#ifndef TEST_DOUBLE_PROGRAMS_H
#define TEST_DOUBLE_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "programs/library.h"

/* A matrix, and how far its elements may be off: `units` in the last place of each, and `absolute`.
 */
struct doubles {
	uint64_t rows, columns;
	double *at;
	double units, absolute;
};

struct doubled {
	const struct library_row *row;
	const struct library_use *use;
	struct doubles ports[LIBRARY_PORTS_MAX];
};

/* Functions of each element. Returns false, and computes nothing, if the program is none. */
bool double_unary(struct doubled *doubled);

void double_softmax(struct doubled *doubled);
void double_layer_norm(struct doubled *doubled);
void double_rms_norm(struct doubled *doubled);
void double_linear(struct doubled *doubled);
void double_matmul(struct doubled *doubled);
void double_transpose(struct doubled *doubled);
void double_concat(struct doubled *doubled);
void double_concat_rows(struct doubled *doubled);
void double_slice(struct doubled *doubled);
void double_attention(struct doubled *doubled);
void double_rotary(struct doubled *doubled);

#endif
