/* Stands in for binary_flat.cc if meshsim is built without FlatBuffers. */
#include "binary_private.h"

bool model_binary_available(void)
{
	return false;
}

bool binary_flat_head(const uint8_t *bytes, size_t count, struct binary_head *head)
{
	(void)bytes;
	(void)count;
	(void)head;
	return false;
}

bool binary_flat_verify(const uint8_t *bytes, size_t count)
{
	(void)bytes;
	(void)count;
	return false;
}

void binary_flat_unpack(const uint8_t *bytes, struct arena *arena, struct model_binary *binary)
{
	(void)bytes;
	(void)arena;
	(void)binary;
}

void binary_flat_pack(const struct model_binary *binary, struct text *out)
{
	(void)binary;
	(void)out;
}
