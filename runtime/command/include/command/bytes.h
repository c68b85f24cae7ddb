/* Reads and writes numbers in the bytes of commands. Numbers are little-endian, and each number is
 * read and written separately, so the bytes have the same meaning on every machine. */
#ifndef COMMAND_BYTES_H
#define COMMAND_BYTES_H

#include <stdint.h>

enum {
	COMMAND_BYTES = 16, /* bytes of the header of most commands */
	/* bytes of one unit, to which every command and its data are padded */
	COMMAND_ALIGN = 16,
};

/* Returns `length` rounded up to whole units. */
static inline uint32_t command_padded(uint32_t length)
{
	return (length + COMMAND_ALIGN - 1) & ~(uint32_t)(COMMAND_ALIGN - 1);
}

static inline void bytes_put8(uint8_t *at, uint8_t value)
{
	at[0] = value;
}

static inline void bytes_put16(uint8_t *at, uint16_t value)
{
	at[0] = (uint8_t)value;
	at[1] = (uint8_t)(value >> 8);
}

static inline void bytes_put32(uint8_t *at, uint32_t value)
{
	bytes_put16(at, (uint16_t)value);
	bytes_put16(at + 2, (uint16_t)(value >> 16));
}

static inline void bytes_put64(uint8_t *at, uint64_t value)
{
	bytes_put32(at, (uint32_t)value);
	bytes_put32(at + 4, (uint32_t)(value >> 32));
}

static inline uint8_t bytes_get8(const uint8_t *at)
{
	return at[0];
}

static inline uint16_t bytes_get16(const uint8_t *at)
{
	return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t bytes_get32(const uint8_t *at)
{
	return bytes_get16(at) | (uint32_t)bytes_get16(at + 2) << 16;
}

static inline uint64_t bytes_get64(const uint8_t *at)
{
	return bytes_get32(at) | (uint64_t)bytes_get32(at + 4) << 32;
}

#endif
