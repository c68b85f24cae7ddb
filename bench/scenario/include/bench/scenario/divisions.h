/* Sub-devices of a scenario, and its divisions: sets of sub-devices that steps load one after the
 * other (spec 3.1.2, 3.3.4). */
#ifndef BENCH_SCENARIO_DIVISIONS_H
#define BENCH_SCENARIO_DIVISIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/tree.h"

struct runtime_keys;

/* Cores of every device that run programs independently of the other cores. */
struct sub_device_keys {
	const char *name;
	uint8_t cores[2], offset[2]; /* size [columns, rows]; first core [column, row] */
	uint32_t cores_count, offset_count;
	bool ethernet; /* the sub-device also has all Ethernet cores */
	struct location where, cores_where;
};

struct division_keys {
	const char *name;
	struct sub_device_keys *sub_devices;
	uint32_t sub_device_count;
	uint32_t l1_bytes; /* part of each worker's L1 for its sub-device alone */
	struct location where;
};

/* A step that loads a division, or makes devices whole again. */
struct load_step {
	const char *name;  /* NULL: whole devices */
	uint32_t division; /* set by the check */
};

/* Divisions have numbers from 1: first runtime.sub_devices if it is given, then the divisions in
 * runtime.divisions. The runtime gives them the same numbers. DIVISION_WHOLE stands for devices
 * that are not divided. */

/* Returns the number of divisions. */
uint32_t divisions_count(const struct runtime_keys *keys);

/* Returns a division. The name of runtime.sub_devices is "initial". */
struct division_keys division_at(const struct runtime_keys *keys, uint32_t division);

/* Returns the division that is loaded when a mesh opens. */
uint32_t division_initial(const struct runtime_keys *keys);

/* Returns the number of a division, or DIVISION_WHOLE if the name is unknown. */
uint32_t division_number(const struct runtime_keys *keys, const char *name);

/* Sub-devices have numbers from 1, which continue from one division to the next. sub_devices_all()
 * returns how many sub-devices all divisions have. For the number of a sub-device, sub_device_at()
 * returns the sub-device, sub_device_division() returns its division, and sub_device_index()
 * returns its index in this division, from 1. The index for number 0 is 0. */
uint32_t sub_devices_all(const struct runtime_keys *keys);
const struct sub_device_keys *sub_device_at(const struct runtime_keys *keys, uint32_t number);
uint32_t sub_device_division(const struct runtime_keys *keys, uint32_t number);
uint32_t sub_device_index(const struct runtime_keys *keys, uint32_t number);

/* Returns the number of sub-devices of all divisions before a division. */
uint32_t sub_devices_before(const struct runtime_keys *keys, uint32_t division);

#endif
