/* Replaces chakra_read.c and chakra_write.c in builds without protobuf-c. Reading and writing then
 * always fail. */
#include "bench/tools/import/chakra.h"

bool chakra_takes(const void *head, size_t length)
{
	(void)head;
	(void)length;
	return false;
}

bool chakra_read_rank(const char *name, const void *bytes, size_t length, struct arena *arena,
	struct diag *diag, struct chakra_rank *rank)
{
	(void)bytes;
	(void)length;
	(void)arena;
	*rank = (struct chakra_rank){.where = location_at(diag_source(diag, name, NULL, 0), 0, 0)};
	diag_error(diag, rank->where,
		"this build reads no Chakra traces: build meshsim with protobuf-c");
	return false;
}

void chakra_write_rank(const struct chakra_rank *rank, struct text *out)
{
	(void)rank;
	(void)out;
}
