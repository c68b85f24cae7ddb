/* The toy machine and its constants (see toy_platform.h). */
#define _GNU_SOURCE
#include "toy_platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"

static const struct constant_spec specs[] = {
	CONSTANT_SPEC(struct toy_constants, "toy.hop_ps", hop_ps, "ps", "one hop", .least = 1),
	CONSTANT_SPEC(struct toy_constants, "toy.lanes", lanes, "count", "lanes", .most = 16),
	CONSTANT_SPEC(struct toy_constants, "toy.deep.SHARE", share, "ratio", "a share"),
	CONSTANT_SPEC(struct toy_constants, "toy.window_bytes", window_bytes, "B", "a window"),
};

const struct constant_table toy_table = {
	.consumer = "toy", .specs = specs, .count = sizeof(specs) / sizeof(specs[0])};

const char toy_platform[] =
	"meshsim_platform: 1\n"
	"name: toy\n"
	"tiles:\n"
	"  grid: [4, 5]\n"
	"  tensix_columns: [1, 2]\n"
	"  tensix_rows: [1, 2, 4]\n"
	"  dispatch_rows: 1\n"
	"  ethernet: [[1, 0], [2, 0], [3, 0]]\n"
	"  dram: [[0, 1], [0, 2]]\n"
	"  pcie: [0, 3]\n"
	"topology:\n"
	"  mesh: [1, 4]\n"
	"  links: 1\n"
	"  pcie: [0, 2]\n"
	"memory:\n"
	"  l1: {value: 256, unit: KiB, kind: published, source: a}\n"
	"  ethernet_l1: {value: 64, unit: KiB, kind: published, source: a}\n"
	"  dram_bank: {value: 1, unit: MiB, kind: published, source: a}\n"
	"  words: {value: 4, unit: KiB, kind: assumed, source: a}\n"
	"  worker_base: {value: 8, unit: KiB, kind: assumed, source: a}\n"
	"fabric:\n"
	"  packet: {value: 4352, unit: B, kind: published, source: a}\n"
	"chip:\n"
	"  aiclk: {value: 1, unit: GHz, kind: published, source: a}\n"
	"  noc_latency: {value: 40, unit: cycles, kind: measured, source: a}\n"
	"  noc_flit_size: {value: 32, unit: B, kind: published, source: a}\n"
	"  noc_injection_rate: {value: 28, unit: B/cycle, kind: measured, source: a}\n"
	"  noc_ejection_rate: {value: 30, unit: B/cycle, kind: measured, source: a}\n"
	"  dram_read_bandwidth: {value: 22, unit: GB/s, kind: published, source: a}\n"
	"  dram_write_bandwidth: {value: 21, unit: GB/s, kind: published, source: a}\n"
	"  pcie_down_bandwidth: {value: 24.9, unit: GB/s, kind: published, source: a}\n"
	"  pcie_device_write_bandwidth: {value: 26.4, unit: GB/s, kind: published, source: a}\n"
	"  pcie_post_latency: {value: 300, unit: ns, kind: assumed, source: a}\n"
	"  pcie_write_visible_latency: {value: 345, unit: ns, kind: assumed, source: a}\n"
	"  ethernet_bandwidth: {value: 12.5, unit: GB/s, kind: published, source: a}\n"
	"  ethernet_latency: {value: 530, unit: ns, kind: published, source: a}\n"
	"host:\n"
	"  sockets: {value: 2, unit: count, kind: assumed, source: a}\n"
	"  cores_per_socket: {value: 4, unit: count, kind: assumed, source: a}\n"
	"toy:\n"
	"  hop: {value: 9.5, unit: ns, kind: measured, source: a ruler}\n"
	"  lanes: {value: 3, unit: count, kind: assumed, source: a}\n"
	"  deep:\n"
	"    share: {value: 25, unit: percent, kind: fitted, source: a}\n"
	"  window_size: {value: 1.5, unit: MiB, kind: assumed, source: a}\n";

char *toy_platform_with(const char *what, const char *with)
{
	const char *at = strstr(toy_platform, what);
	char *text = NULL;

	ensure(at && !strstr(at + 1, what), "'%s' is not there once", what);
	ensure(asprintf(&text, "%.*s%s%s", (int)(at - toy_platform), toy_platform, with,
		       at + strlen(what)) >= 0,
		"no memory");
	return text;
}

struct platform *toy_platform_read_for(
	const char *text, const struct constant_table *table, struct diag *diag, struct tree **tree)
{
	*tree = tree_read_text("toy.yaml", text, strlen(text), diag);
	return *tree ? platform_new(tree_root(*tree), table, 1, diag) : NULL;
}

struct platform *toy_platform_read(const char *text, struct diag *diag, struct tree **tree)
{
	return toy_platform_read_for(text, &toy_table, diag, tree);
}
