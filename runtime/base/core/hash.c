/* Computes hashes by FNV-1a over the bytes, followed by the last step of SplitMix64. */
#include "base/hash.h"

#include <string.h>

static const uint64_t fnv_prime = UINT64_C(0x100000001b3);

uint64_t hash_more(uint64_t hash, const void *bytes, size_t length)
{
	const unsigned char *at = bytes;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ at[i]) * fnv_prime;
	return hash;
}

uint64_t hash_mix(uint64_t hash)
{
	hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
	return hash ^ hash >> 31;
}

uint64_t hash_bytes(const void *bytes, size_t length)
{
	return hash_mix(hash_more(HASH_EMPTY, bytes, length));
}

uint64_t hash_string(const char *string)
{
	return hash_bytes(string, strlen(string));
}
