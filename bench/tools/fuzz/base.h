/* The base of a campaign's scenarios: machines to choose from, or a scenario of the user whose
 * platform, runtime and model stay as they are. */
#ifndef BENCH_TOOLS_FUZZ_BASE_H
#define BENCH_TOOLS_FUZZ_BASE_H

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
	const char **names; /* their names, then NULL */
	uint32_t machine_count;
	/* machines of several hosts */
	struct machine *hosts;
	uint32_t hosts_count;
	bool hosts_alone; /* draw only machines of several hosts */
	/* the user's scenario, or NULL */
	struct tree *tree;
	struct scenario_file *file;
};

/* Opens the platforms of `directory`, and `scenario` unless it is NULL. `hosts_alone`: draw only
 * machines of several hosts. False after errors, which were printed. Call fuzz_base_fini() in
 * either case. */
bool fuzz_base_init(struct fuzz_base *base, const char *scenario, const char *directory,
	bool native, bool hosts_alone);
void fuzz_base_fini(struct fuzz_base *base);

/* Draws the scenario of a seed and appends it as compact YAML. */
void fuzz_base_draw(const struct fuzz_base *base, uint64_t seed, struct text *out);

#endif
