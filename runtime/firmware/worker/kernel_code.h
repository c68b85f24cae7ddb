/* Texts of executing kernels, decoded once for all workers of a chip that run them, and found by
 * their bytes. Private to the room. */
#ifndef FIRMWARE_WORKER_KERNEL_CODE_H
#define FIRMWARE_WORKER_KERNEL_CODE_H

#include <stdbool.h>

#include "command/kernel_program.h"

struct kernel_code {
	uint32_t users; /* processors that run it */
	bool kept;	/* in the table; else it is freed with its last user */
	uint64_t hash;
	uint32_t bytes;
	uint8_t *text;
	struct kernel_instruction instruction[];
};

enum { KERNEL_CODES = 32 };

/* One per chip; all zeros is an empty table. */
struct kernel_codes {
	struct kernel_code *code[KERNEL_CODES];
};

/* Returns the code of a text, with a reference for the caller; NULL if kernel_program_check()
 * rejects it. */
struct kernel_code *kernel_code_find(
	struct kernel_codes *codes, const uint8_t *text, uint32_t bytes);

/* Releases the reference. */
void kernel_code_release(struct kernel_code *code);

/* Frees all codes without users. */
void kernel_codes_fini(struct kernel_codes *codes);

#endif
