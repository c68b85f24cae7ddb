/* The registry of rewrites (advise.h). */
#include "advise.h"

#define X(name) extern const struct advise_rewrite advise_rewrite_##name;
#include "rewrites.def"
#undef X

static const struct advise_rewrite *const rewrites[] = {
#define X(name) &advise_rewrite_##name,
#include "rewrites.def"
#undef X
	NULL};

const struct advise_rewrite *advise_rewrite_at(size_t index)
{
	return rewrites[index];
}
