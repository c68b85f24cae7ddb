/* Numbers from environment variables (see seeds.h). */
#include "seeds.h"

#include <stdlib.h>

static uint32_t number_of(const char *name, uint32_t otherwise)
{
	const char *value = getenv(name);

	return value ? (uint32_t)strtoul(value, NULL, 10) : otherwise;
}

uint32_t seeds_count(uint32_t otherwise)
{
	return number_of("MESHSIM_PROGRAM_SEEDS", otherwise);
}

uint32_t seeds_first(uint32_t otherwise)
{
	return number_of("MESHSIM_MORE_SEEDS", otherwise);
}

bool share_has(uint32_t number)
{
	return number % 3 == 0 || getenv("MESHSIM_LONG");
}
