/* The expected results of collectives over a line or a ring of devices, and the bytes they send:
 * the device and position of each element, the order of additions, and the bytes over each link.
 * The functions simulate nothing and take no simulated time. A program with a different result or
 * different link traffic is wrong.
 *
 * Routing. Devices are numbered along the line. UP means towards the next number; on a ring, also
 * from the last device to the first. On a line, the data of a device travel to both ends of the
 * line, and a sum for a device is collected from both ends. On a ring, data travel to half of the
 * other devices in each direction, and a sum is collected from half of them in each direction. If
 * the number of devices is even, one device is equally far in both directions: the first half of
 * the elements (the larger half) reaches this device upwards, the second half downwards. The chunks
 * of each half are assigned to the links of a hop in turn, starting at link 0. A device forwards
 * what it receives, so each hop carries each element at most once.
 *
 * Parts. If each device keeps a part of an input, the input is cut into one part per device. The
 * parts differ by at most one element; larger parts come first. */
#ifndef PROGRAMS_REFERENCE_REFERENCE_H
#define PROGRAMS_REFERENCE_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "compute/operations.h"
#include "layout/element.h"

/* The expected results of programs on tiles: operations on whole row-major matrices. They are
 * computed tile by tile in the same order as on cores, so that a program's result can be compared
 * byte for byte. The functions simulate nothing and take no simulated time.
 *
 * Matrices may have any size. Tiles at the right and bottom edges are padded with values that do
 * not change the result, and the padding is removed again. Each tile of a result is computed by one
 * core, so results are the same for every grid of cores. See flow 7 of the specification. */

/* A matrix with row-major elements without gaps, f32 or bf16, aligned to 2 bytes. If it is a
 * result, the functions write its elements. */
struct matrix {
	enum element element;
	uint64_t rows, columns; /* at least 1 */
	void *bytes;
};

/* Copies a matrix and converts it to the element type of `out`. Both must have the same extents. */
void matrix_copy(const struct matrix *in, enum element registers, struct matrix *out);

/* Computes out = left op right, element by element. If `broadcast` is COMPUTE_EACH, `right` has the
 * size of `left`. Otherwise `right` is one row with as many columns as `left`, one column with as
 * many rows as `left`, or one element. `out` always has the size of `left`. */
void matrix_binary(enum compute_binary op, const struct matrix *left, const struct matrix *right,
	enum compute_broadcast broadcast, enum element registers, struct matrix *out);

/* How a product is accumulated along its inner dimension. `registers` is the element type of the
 * registers. If the inner dimension is longer than `block` tiles, the sums are stored in memory
 * after every `block` tiles, with element type `partial`, and accumulation continues from the
 * stored values. If `block` is 0, sums are never stored in between. */
struct matrix_order {
	enum element registers, partial;
	uint64_t block;
};

/* Computes out = left times right; the extents are M x K, K x N and M x N. */
void matrix_multiply(const struct matrix *left, const struct matrix *right,
	const struct matrix_order *order, struct matrix *out);

/* Reduces elements to their sum or maximum: each row to one element (`out` is one column), each
 * column to one element (`out` is one row), or all elements to one (`out` is one element). Tiles
 * are reduced in one register, first from the left, then from the top; see compute_reduce(). */
void matrix_reduce(enum compute_reduction op, enum compute_along along, const struct matrix *in,
	enum element registers, struct matrix *out);

enum collective_op {
	COLLECTIVE_ALL_GATHER,	   /* every device gets all inputs, one after another */
	COLLECTIVE_REDUCE_SCATTER, /* device d gets the sum of part d of all inputs */
	COLLECTIVE_ALL_REDUCE,	   /* every device gets the sum of all inputs; done as a
				    * reduce-scatter followed by an all-gather */
	COLLECTIVE_ALL_TO_ALL,	   /* device d gets part d of all inputs, one after another */
	COLLECTIVE_BROADCAST,	   /* every device gets the root's input */
	COLLECTIVE_OP_COUNT
};

enum collective_direction { COLLECTIVE_DOWN, COLLECTIVE_UP, COLLECTIVE_DIRECTION_COUNT };

enum { COLLECTIVE_LINKS_MAX = 4, COLLECTIVE_DEVICES_MAX = 1 << 16 };

struct collective {
	enum collective_op op;
	enum element element; /* element type, not a block format; for sums f32 or bf16 */
	bool ring;
	/* numbers of devices, and of links of each hop in each direction */
	uint32_t devices, links;
	uint32_t root;	      /* broadcast: number of the root; otherwise 0 */
	uint64_t elements;    /* number of elements in each device's input */
	uint64_t chunk_bytes; /* number of bytes that one link sends in one piece; a whole number of
			       * elements */
	bool one_way; /* only of rings: all elements go up, and are not divided into halves */
};

/* Returns the name of an operation, for example "all-gather". */
const char *collective_op_name(enum collective_op op);

/* Returns OK. Returns INVALID, with a reason in `why`, if a number is out of range, or if the
 * elements do not fit the operation. The functions below assert that collective_check() returns
 * OK. */
enum status collective_check(const struct collective *collective, struct text *why);

/* One of the parts into which an input is cut, one for each device: its first element, and its
 * number of elements. */
struct collective_part {
	uint64_t first, elements;
};
struct collective_part collective_part(const struct collective *collective, uint32_t device);

/* Returns the number of elements in a device's result. */
uint64_t collective_result_elements(const struct collective *collective, uint32_t device);

/* Computes the results of all devices from their inputs. `inputs` and `results` are arrays with one
 * pointer per device, to memory that is aligned to 4 B. A result starts with the device's own
 * element. First the sum that arrives in direction COLLECTIVE_UP is added, then the sum that
 * arrives in direction COLLECTIVE_DOWN. Each of these sums starts at the device that is farthest
 * away. After each addition, the sum is rounded to the element type. */
void collective_results(
	const struct collective *collective, const void *const *inputs, void *const *results);

/* Returns the number of payload bytes that `device` sends to its neighbour in this direction over
 * this link. */
uint64_t collective_link_bytes(const struct collective *collective, uint32_t device,
	enum collective_direction direction, uint32_t link);

/* The elements of an item are divided into half 0 and half 1. On a ring, one device may be equally
 * far away in both directions: half 0 goes to it in one direction, and half 1 in the other. Returns
 * the number of elements in half 0; on a one-way ring, half 0 has all elements. */
uint64_t collective_half(const struct collective *collective, uint64_t elements);

/* Returns the number of devices in the given direction to which `device` sends elements of this
 * half, if it sends to all devices. */
uint32_t collective_reach(const struct collective *collective, uint32_t device,
	enum collective_direction direction, uint32_t half);

/* In the direction `direction`, each device on the way to `device` adds its own elements of the
 * half `half`. Returns the number of devices whose elements are in the sum that arrives at
 * `device`. */
uint32_t collective_sums_reach(const struct collective *collective, uint32_t device,
	enum collective_direction direction, uint32_t half);

#endif
