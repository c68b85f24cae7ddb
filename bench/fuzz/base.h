/* What scenarios of a campaign stand on: machines to choose from, or a scenario of the user whose
 * platform, runtime and model stay as they are. Refuses to draw. */
#ifndef BENCH_FUZZ_BASE_H
#define BENCH_FUZZ_BASE_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/tree.h"
#include "bench/scenario/load.h"
#include "drawing.h"

struct fuzz_base {
	struct arena arena;
	struct diag *diag;
	bool native;
	/* the shipped machines, small ones first */
	struct machine *machines;
	const char **names; /* theirs, NULL behind the last */
	uint32_t machine_count;
	/* those of several hosts */
	struct machine *hosts;
	uint32_t hosts_count;
	bool hosts_alone; /* no machine of one host is drawn */
	/* the user's scenario, or NULL */
	struct tree *tree;
	struct scenario_file *file;
};

/* Opens the platforms of `directory`, and `scenario` unless it is NULL. `hosts_alone`: machines of
 * several hosts are drawn, and no others. False after errors, which were printed; fini() it either
 * way. */
bool fuzz_base_init(struct fuzz_base *base, const char *scenario, const char *directory,
	bool native, bool hosts_alone);
void fuzz_base_fini(struct fuzz_base *base);

/* Appends the scenario of a seed, as compact YAML. */
void fuzz_base_draw(const struct fuzz_base *base, uint64_t seed, struct text *out);

#endif
