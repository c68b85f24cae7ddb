/* Reads the constants of a machine (machine_constants.h). Each component that uses constants has a
 * table of them, which is generated from the list of constants in the component's folder. */
#include "bench/scenario/machine_constants.h"

#include "bench/cables/cables.h"
#include "bench/scenario/load.h"
#include "hostnet/constants.h"

static const struct constant_spec chip_specs[] = {
#define X(name, unit, ...)                                                                         \
	CONSTANT_SPEC(struct chip_constants, "chip." #name, name, unit, __VA_ARGS__),
#include "chip/constants.def"
#undef X
};

static const struct constant_spec cost_specs[] = {
#define X(name, unit, what)                                                                        \
	CONSTANT_SPEC(struct firmware_costs, "firmware." #name, name, unit, what),
#include "firmware/core/costs.def"
#undef X
};

static const struct constant_spec limit_specs[] = {
#define X(name, unit, what)                                                                        \
	CONSTANT_SPEC(struct firmware_limits, "firmware." #name, name, unit, what),
#include "firmware/core/limits.def"
#undef X
};

static const struct constant_spec ethernet_specs[] = {
#define X(name, unit, what)                                                                        \
	CONSTANT_SPEC(struct firmware_limits, "firmware.ethernet." #name, name, unit, what),
#include "firmware/core/limits_ethernet.def"
#undef X
};

/* A share of a peak rate. */
#define SHARE(name, what)                                                                          \
	CONSTANT_SPEC(struct roofline_constants, "roofline." #name, name, "ratio", what,           \
		.least = 0.001, .most = 1)
static const struct constant_spec roofline_specs[] = {
	SHARE(matrix, "share of the matrix unit's cycles that operations of models use"),
	SHARE(vector, "share of the vector unit's cycles"),
	SHARE(dram_interleaved, "share of all banks' bandwidth, if pages lie in all banks in turn"),
	SHARE(dram_sharded, "share of it, if each core reads the bank beside it"),
	SHARE(noc, "share of the rate at which a tile takes data in"),
	SHARE(fabric, "share of the links' bandwidth"),
};

enum {
	TABLE_HOST,
	TABLE_CHIP,
	TABLE_COSTS,
	TABLE_LIMITS,
	TABLE_ETHERNET,
	TABLE_ROOFLINE,
	TABLE_HOSTNET,
	TABLE_COUNT = TABLE_HOSTNET + HOSTNET_TABLES
};

#define COUNT(specs) (sizeof(specs) / sizeof((specs)[0]))

const struct constant_table *constant_tables(size_t *count)
{
	static struct constant_table tables[TABLE_COUNT] = {
		[TABLE_CHIP] = {"chip", chip_specs, COUNT(chip_specs), false},
		[TABLE_COSTS] = {"firmware", cost_specs, COUNT(cost_specs), false},
		[TABLE_LIMITS] = {"firmware", limit_specs, COUNT(limit_specs), false},
		[TABLE_ETHERNET] = {"firmware", ethernet_specs, COUNT(ethernet_specs), false},
		[TABLE_ROOFLINE] = {"roofline", roofline_specs, COUNT(roofline_specs), false},
	};

	tables[TABLE_HOST] = host_constant_table;
	for (size_t i = 0; i < HOSTNET_TABLES; i++)
		tables[TABLE_HOSTNET + i] = hostnet_constant_tables[i];
	*count = TABLE_COUNT;
	return tables;
}

struct host_model scenario_host_model(const struct scenario *scenario)
{
	return (struct host_model){
		scenario->model.noise, scenario->model.scheduler, scenario->runtime.host.spin_ns};
}

void machine_constants_bind(const struct platform *platform, struct host_model host,
	struct machine_constants *constants)
{
	size_t count;
	const struct constant_table *tables = constant_tables(&count);

	platform_bind(platform, &tables[TABLE_HOST], &constants->host);
	platform_bind(platform, &tables[TABLE_CHIP], &constants->chip);
	platform_bind(platform, &tables[TABLE_COSTS], &constants->firmware_costs);
	platform_bind(platform, &tables[TABLE_LIMITS], &constants->firmware_limits);
	platform_bind(platform, &tables[TABLE_ROOFLINE], &constants->roofline);
	if (platform_dispatches_on_ethernet(platform))
		platform_bind(platform, &tables[TABLE_ETHERNET], &constants->firmware_limits);
	constants->host.noise = host.noise;
	constants->host.scheduler = host.scheduler;
	if (host.spin_ns > 0)
		constants->host.spin_ps = (int64_t)host.spin_ns * 1000;
}

void machine_chip_constants(const struct platform *platform, struct chip_constants *constants)
{
	size_t count;

	platform_bind(platform, &constant_tables(&count)[TABLE_CHIP], constants);
}

struct platform *machine_platform(const char *name, struct diag *diag)
{
	size_t count;
	const struct constant_table *tables = constant_tables(&count);

	return platform_open_by(cables_expand, name, platform_directory(), tables, count, diag);
}
