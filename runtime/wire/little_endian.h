/* Reads and writes little-endian numbers in frames, at any alignment. Only for files of this
 * folder. */
#ifndef WIRE_LITTLE_ENDIAN_H
#define WIRE_LITTLE_ENDIAN_H

#include <stdint.h>
#include <string.h>

/* Words in a frame are used in place, so the host must be little endian too. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "hosts are little endian");

#define LITTLE_ENDIAN_NUMBER(bits)                                                                 \
	static inline void put##bits(uint8_t *at, uint##bits##_t value)                            \
	{                                                                                          \
		memcpy(at, &value, sizeof value);                                                  \
	}                                                                                          \
	static inline uint##bits##_t get##bits(const uint8_t *at)                                  \
	{                                                                                          \
		uint##bits##_t value;                                                              \
		memcpy(&value, at, sizeof value);                                                  \
		return value;                                                                      \
	}

LITTLE_ENDIAN_NUMBER(8)
LITTLE_ENDIAN_NUMBER(16)
LITTLE_ENDIAN_NUMBER(32)
LITTLE_ENDIAN_NUMBER(64)

#endif
