/* Decodes the texts of kernels, and keeps the decoded instructions (worker_private.h). */
#include "worker_private.h"

#include "base/allocate.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static void code_free(struct kernel_code *code)
{
	if (code != NULL)
		free(code->text);
	free(code);
}

static struct kernel_code *code_new(const uint8_t *text, uint32_t bytes, uint64_t hash)
{
	uint32_t count = bytes / KERNEL_INSTRUCTION_BYTES;
	struct kernel_code *code;

	if (kernel_program_check(text, bytes, NULL) != STATUS_OK)
		return NULL;
	code = allocate(1, sizeof *code + count * sizeof code->instruction[0]);
	code->kept = true;
	code->hash = hash;
	code->bytes = bytes;
	code->text = allocate(bytes, 1);
	memcpy(code->text, text, bytes);
	for (uint32_t i = 0; i < count; i++)
		(void)kernel_instruction_decode(
			text + i * KERNEL_INSTRUCTION_BYTES, &code->instruction[i]);
	return code;
}

struct kernel_code *kernel_code_find(
	struct kernel_codes *codes, const uint8_t *text, uint32_t bytes)
{
	uint64_t hash = hash_bytes(text, bytes);
	struct kernel_code **place = &codes->code[hash % KERNEL_CODES], *code = *place;

	if (code == NULL || code->hash != hash || code->bytes != bytes ||
		memcmp(code->text, text, bytes) != 0) {
		struct kernel_code *fresh = code_new(text, bytes, hash);

		if (fresh == NULL)
			return NULL;
		if (code != NULL && code->users > 0)
			code->kept = false;
		else
			code_free(code);
		*place = code = fresh;
	}
	code->users++;
	return code;
}

void kernel_code_release(struct kernel_code *code)
{
	if (--code->users == 0 && !code->kept)
		code_free(code);
}

void kernel_codes_fini(struct kernel_codes *codes)
{
	for (uint32_t i = 0; i < KERNEL_CODES; i++)
		code_free(codes->code[i]);
}
