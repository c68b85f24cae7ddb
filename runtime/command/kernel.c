/* Kernel binaries and their images: converts headers to bytes and back. Decoding checks every byte
 * of a header. */
#include "command/kernel.h"

#include "base/ensure.h"
#include "base/hash.h"

#include <stdbool.h>
#include <string.h>

static enum status kernel_check(const struct kernel *kernel)
{
	bool program = kernel->flags & KERNEL_PROGRAM;

	if ((kernel->flags & ~(KERNEL_COPIED | KERNEL_PROGRAM)) != 0 ||
		kernel->text_offset % COMMAND_ALIGN != 0 || kernel->text_bytes % COMMAND_ALIGN != 0)
		return STATUS_INVALID;
	if (program ? kernel->steps != 1 || kernel->cycles != 0 || kernel->text_bytes == 0
		    : kernel->first_argument != 0 || kernel->first_common != 0)
		return STATUS_INVALID;
	if (kernel->processor >= PROCESSOR_COUNT || kernel->steps == 0 ||
		kernel->cycles >> 48 != 0 || kernel->text_bytes > KERNEL_TEXT_MAX)
		return STATUS_OUT_OF_RANGE;
	return STATUS_OK;
}

void kernel_encode(const struct kernel *kernel, uint8_t bytes[KERNEL_HEADER_BYTES])
{
	ensure(kernel_check(kernel) == STATUS_OK, "kernel of processor %d is malformed",
		(int)kernel->processor);
	memset(bytes, 0, KERNEL_HEADER_BYTES);
	bytes_put32(bytes, KERNEL_MAGIC);
	bytes[4] = (uint8_t)kernel->processor;
	bytes[5] = kernel->flags;
	bytes_put16(bytes + 6, kernel->steps);
	bytes_put64(bytes + 8, kernel->cycles);
	bytes_put32(bytes + 16, kernel->text_offset);
	bytes_put32(bytes + 20, kernel->text_bytes);
	bytes_put16(bytes + 24, kernel->first_argument);
	bytes_put16(bytes + 26, kernel->first_common);
}

enum status kernel_decode(const uint8_t bytes[KERNEL_HEADER_BYTES], struct kernel *kernel)
{
	if (bytes_get32(bytes) != KERNEL_MAGIC || bytes_get32(bytes + 28) != 0)
		return STATUS_INVALID;
	if (bytes[4] >= PROCESSOR_COUNT)
		return STATUS_OUT_OF_RANGE;
	kernel->processor = bytes[4];
	kernel->flags = bytes[5];
	kernel->steps = bytes_get16(bytes + 6);
	kernel->cycles = bytes_get64(bytes + 8);
	kernel->text_offset = bytes_get32(bytes + 16);
	kernel->text_bytes = bytes_get32(bytes + 20);
	kernel->first_argument = bytes_get16(bytes + 24);
	kernel->first_common = bytes_get16(bytes + 26);
	kernel->text = NULL;
	return kernel_check(kernel);
}

uint32_t kernel_image_bytes(const struct kernel *kernels, uint32_t count)
{
	uint32_t bytes = count * KERNEL_HEADER_BYTES;

	for (uint32_t i = 0; i < count; i++)
		bytes += command_padded(kernels[i].text_bytes);
	return bytes;
}

static void text_fill(uint8_t *text, uint32_t bytes, uint64_t seed)
{
	for (uint32_t at = 0; at < bytes; at += 8)
		bytes_put64(text + at, hash_mix(seed + at));
}

void kernel_image_write(struct kernel *kernels, uint32_t count, uint64_t seed, uint8_t *out,
	struct launch_message *message)
{
	uint32_t text = count * KERNEL_HEADER_BYTES;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t header = i * KERNEL_HEADER_BYTES, given = kernels[i].text_bytes;

		kernels[i].text_bytes = command_padded(given);
		kernels[i].text_offset = text - header;
		kernel_encode(&kernels[i], out + header);
		if (kernels[i].flags & KERNEL_PROGRAM) {
			memcpy(out + text, kernels[i].text, given);
			memset(out + text + given, 0, kernels[i].text_bytes - given);
		} else {
			text_fill(out + text, kernels[i].text_bytes, hash_mix(seed) + i);
		}
		text += kernels[i].text_bytes;
		if (message == NULL)
			continue;
		ensure(!(message->processors >> kernels[i].processor & 1),
			"two kernels for processor %d", (int)kernels[i].processor);
		message->processors |= (uint8_t)(1 << kernels[i].processor);
		message->kernel_offset[kernels[i].processor] = header;
	}
}
