/* What collectives over a line or a ring of devices have to give, and what they send: which
 * elements are where in the end, in which order they are added, and the bytes over each link.
 * Nothing runs here, and nothing takes time: a program whose result or whose links differ is wrong.
 *
 * The way of the bytes. Devices are numbered along the line; UP is towards the next number, and on
 * a ring from the last to the first. What is for all, and sums that are for one, go up and down as
 * far as there are devices; on a ring as far as half of the others. With an even number of devices
 * one is equally far both ways: the first half of the elements (the larger one) reaches it upwards,
 * the second downwards. Chunks of each half are dealt to the links of a hop in turn, from link 0
 * on. A device sends what it was sent, so that each hop sees each element at most once.
 *
 * Parts. An input of which each device keeps a part is cut into one for each device, as equal as
 * can be, larger ones first. */
#ifndef PROGRAMS_REFERENCE_COLLECTIVE_H
#define PROGRAMS_REFERENCE_COLLECTIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "layout/element.h"

enum collective_op {
	COLLECTIVE_ALL_GATHER,	   /* everybody has all inputs, one behind the other */
	COLLECTIVE_REDUCE_SCATTER, /* device d has the sum of all inputs' part d */
	COLLECTIVE_ALL_REDUCE, /* everybody has the sum of all inputs: the two after each other */
	COLLECTIVE_ALL_TO_ALL, /* device d has part d of all inputs, one behind the other */
	COLLECTIVE_BROADCAST,  /* everybody has the root's input */
	COLLECTIVE_OP_COUNT
};

enum collective_direction { COLLECTIVE_DOWN, COLLECTIVE_UP, COLLECTIVE_DIRECTION_COUNT };

enum { COLLECTIVE_LINKS_MAX = 4, COLLECTIVE_DEVICES_MAX = 1 << 16 };

struct collective {
	enum collective_op op;
	enum element element; /* not of blocks; sums: f32 or bf16 */
	bool ring;
	uint32_t devices, links; /* links of each hop, each way */
	uint32_t root;		 /* of a broadcast; else 0 */
	uint64_t elements;	 /* of each device's input */
	uint64_t chunk_bytes;	 /* of what goes over one link in one piece: whole elements */
};

/* "all-gather" */
const char *collective_op_name(enum collective_op op);

/* INVALID with why if a number is out of its limits or the elements do not fit the operation. The
 * functions below assert it. */
enum status collective_check(const struct collective *collective, struct text *why);

/* Of an input cut into a part for each device: where part `device` begins and how many elements it
 * has. */
struct collective_part {
	uint64_t first, elements;
};
struct collective_part collective_part(const struct collective *collective, uint32_t device);

/* Elements of a device's result. */
uint64_t collective_result_elements(const struct collective *collective, uint32_t device);

/* Results of all devices from their inputs: arrays of `devices`, at multiples of 4. A sum begins
 * with the device's own element; to it is added what came from below, then what came from above,
 * each of these the sum of a chain that began with its farthest device; every sum is rounded to the
 * element's type. */
void collective_results(
	const struct collective *collective, const void *const *inputs, void *const *results);

/* Payload that `device` sends to its neighbour in this direction over this link, in bytes. */
uint64_t collective_link_bytes(const struct collective *collective, uint32_t device,
	enum collective_direction direction, uint32_t link);

/* How many devices beyond `device` get what it sends to all in this direction, of the first or
 * second half (0, 1) of the elements; and so many devices' sums come to it from there. */
uint32_t collective_reach(const struct collective *collective, uint32_t device,
	enum collective_direction direction, uint32_t half);

#endif
