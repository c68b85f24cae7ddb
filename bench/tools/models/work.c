/* Computes the work of each operation of a model on one device of its group: cycles, bytes, and the
 * number of cores that share the work. Cycles and bytes are lower bounds: data are moved only once,
 * and the output tiles are divided evenly, so the numbers of tiles of two cores differ by at most
 * one. */
#include <math.h>

#include "layout/element.h"
#include "model_private.h"

/* Size of a collective's binary, which is also the default for other operations. */
enum { TILE = 32, PHASES_MAX = 4, COLLECTIVE_KERNEL_BYTES = 8192 };

/* The context in which the work of an operation is computed. */
struct site {
	const struct sizes *sizes;
	const struct roofline_machine *machine;
	struct diag *diag;
	uint32_t devices; /* number of devices in the group */
	const uint16_t *group;
};

/* A product of matrices on one device, in elements. */
struct product {
	uint64_t rows, inner, columns, batches;
	uint32_t weights, activations, fidelity;
	bool in_dram;
};

static uint64_t ceiling(uint64_t value, uint64_t by)
{
	return (value + by - 1) / by;
}

/* Returns the product, or 2^62 if it is larger. */
static uint64_t times(uint64_t a, uint64_t b)
{
	const uint64_t most = UINT64_C(1) << 62;
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) || product > most ? most : product;
}

static uint64_t tiles(uint64_t extent)
{
	return ceiling(extent, TILE);
}

static double tile_bytes(uint32_t element)
{
	return (double)element_tile_bytes((enum element)element, TILE, TILE);
}

static uint64_t extent(const struct site *site, const struct expression *expression)
{
	return expression_value(expression, site->sizes, MODEL_EXTENT_MAX, site->diag);
}

/* Returns the cores that an operation runs on. */
static uint32_t cores_of(const struct site *site, const struct common_keys *common)
{
	if (common->cores > site->machine->cores)
		diag_error(site->diag, common->where, "operation '%s': %u cores, but a chip has %u",
			common->name, common->cores, site->machine->cores);
	return common->cores && common->cores < site->machine->cores ? common->cores
								     : site->machine->cores;
}

/* Returns the number of bytes that a core must receive to compute a block of `count` output tiles.
 * The block is as square as possible, because a square needs the fewest bytes, but has at most
 * `high` rows of tiles. */
static double block_bytes(uint64_t count, uint64_t high, double row_bytes, double column_bytes)
{
	uint64_t rows = (uint64_t)ceil(sqrt((double)count));

	if (rows > high)
		rows = high;
	return (double)rows * row_bytes + (double)ceiling(count, rows) * column_bytes;
}

static void product_work(
	const struct site *site, const struct product *product, struct operation_work *work)
{
	uint64_t rows = tiles(product->rows), inner = tiles(product->inner);
	uint64_t columns = tiles(product->columns);
	uint64_t outputs = rows * columns * product->batches;
	uint64_t each = ceiling(outputs, work->cores);
	double activations = tile_bytes(product->activations);
	double weights = tile_bytes(product->weights);
	double cycles = site->machine->costs.tile_matmul * (product->fidelity + 1) / PHASES_MAX;

	work->weight_bytes = (double)(inner * columns * product->batches) * weights;
	work->roofline.matrix_cycles = (double)each * (double)inner * cycles;
	work->roofline.dram_bytes = work->weight_bytes;
	if (product->in_dram)
		work->roofline.dram_bytes +=
			(double)(rows * inner * product->batches + outputs) * activations;
	work->roofline.noc_bytes =
		block_bytes(each, rows, (double)inner * activations, (double)inner * weights);
}

static void matmul_work(
	const struct site *site, const struct matmul_keys *keys, struct operation_work *work)
{
	struct product product = {
		.rows = extent(site, &keys->shape[0]),
		.inner = extent(site, &keys->shape[1]),
		.columns = extent(site, &keys->shape[2]),
		.batches = extent(site, &keys->batches),
		.weights = keys->weights,
		.activations = keys->activations,
		.fidelity = keys->fidelity,
		.in_dram = keys->memory == MEMORY_DRAM,
	};
	uint64_t *const parts[] = {[SPLIT_ROWS] = &product.rows,
		[SPLIT_INNER] = &product.inner,
		[SPLIT_COLUMNS] = &product.columns,
		[SPLIT_BATCHES] = &product.batches};

	if (keys->split != SPLIT_NONE)
		*parts[keys->split] = ceiling(*parts[keys->split], site->devices);
	work->roofline.dram_sharded = keys->layout == WEIGHTS_SHARDED;
	product_work(site, &product, work);
}

static void attention_work(
	const struct site *site, const struct attention_keys *keys, struct operation_work *work)
{
	uint64_t heads = extent(site, &keys->heads), kv_heads = extent(site, &keys->kv_heads);
	uint64_t units = ceiling(extent(site, &keys->users) * kv_heads, site->devices);
	uint64_t rows = tiles(times(ceiling(heads, kv_heads), extent(site, &keys->queries)));
	uint64_t context = tiles(extent(site, &keys->context));
	uint64_t inner = tiles(extent(site, &keys->head));
	uint64_t each = ceiling(times(units, times(rows, context)), work->cores);
	const struct firmware_costs *costs = &site->machine->costs;
	double products = (double)each * 2 * (double)inner;
	double cached = 2 * (double)inner * tile_bytes(keys->cache);

	if (heads % kv_heads != 0)
		diag_error(site->diag, keys->heads.where,
			"operation '%s': %llu heads are no multiple of %llu heads of keys",
			work->name, (unsigned long long)heads, (unsigned long long)kv_heads);
	work->roofline.matrix_cycles =
		products * (costs->tile_matmul * (keys->fidelity + 1) / PHASES_MAX);
	work->roofline.vector_cycles = (double)each * costs->tile_exp;
	work->cache_bytes = (double)units * (double)context * cached;
	work->roofline.dram_bytes = work->cache_bytes;
	work->roofline.dram_sharded = keys->layout == WEIGHTS_SHARDED;
	work->roofline.noc_bytes =
		block_bytes(each, rows, (double)inner * tile_bytes(keys->activations), cached);
}

/* Adds the cycles of a function to those of its unit. */
static void function_cycles(
	const struct firmware_costs *costs, uint32_t function, double *matrix, double *vector)
{
	const double cycles[] = {costs->tile_copy, costs->tile_add, costs->tile_multiply,
		costs->tile_reduce, costs->tile_scale, costs->tile_exp, costs->tile_reciprocal,
		costs->tile_sqrt, costs->tile_gelu, costs->tile_silu, costs->tile_tanh};
	enum { FIRST_OF_VECTOR_UNIT = 4 };

	*(function < FIRST_OF_VECTOR_UNIT ? matrix : vector) += cycles[function];
}

static void elementwise_work(
	const struct site *site, const struct elementwise_keys *keys, struct operation_work *work)
{
	uint64_t rows = extent(site, &keys->shape[0]), columns = extent(site, &keys->shape[1]);
	double matrix = 0, vector = 0, bytes = tile_bytes(keys->activations);
	uint64_t count, each;

	if (keys->split == SPLIT_ROWS)
		rows = ceiling(rows, site->devices);
	else if (keys->split == SPLIT_COLUMNS)
		columns = ceiling(columns, site->devices);
	else if (keys->split != SPLIT_NONE)
		diag_error(site->diag, keys->common.where,
			"operation '%s': its split must be none, rows or columns", work->name);
	count = tiles(rows) * tiles(columns);
	each = ceiling(count, work->cores);
	for (uint32_t i = 0; i < keys->function_count; i++)
		function_cycles(&site->machine->costs, keys->functions[i], &matrix, &vector);
	work->roofline.matrix_cycles = (double)each * matrix;
	work->roofline.vector_cycles = (double)each * vector;
	if (keys->memory == MEMORY_DRAM)
		work->roofline.dram_bytes = (double)count * bytes * (keys->inputs + keys->outputs);
	work->roofline.noc_bytes = (double)each * bytes * keys->inputs;
}

/* Computes the work of a collective. The number of bytes over links is a lower bound: it assumes
 * that a device receives only data that it does not have yet. On a ring, a device receives half of
 * these data from each side. */
static void collective_work(
	const struct site *site, const struct collective_keys *keys, struct operation_work *work)
{
	enum { GATHER, SCATTER, REDUCE, EXCHANGE };
	uint64_t rows = extent(site, &keys->shape[0]), columns = extent(site, &keys->shape[1]);
	uint32_t devices = site->devices, turns = keys->op == REDUCE ? 2 : 1;
	bool ring = keys->topology == 1;

	work->collective_bytes = tiles(rows) * tiles(columns) *
				 element_tile_bytes((enum element)keys->activations, TILE, TILE);
	work->roofline.links = keys->links ? keys->links : site->machine->links;
	work->cores = work->roofline.links * (ring ? 2 : 1); /* a core for each link and way */
	work->roofline.hops = (ring ? devices / 2 : devices - 1) * turns;
	work->roofline.link_bytes =
		(double)work->collective_bytes * (devices - 1) / devices * turns / (ring ? 2 : 1);
	if (keys->op == EXCHANGE)
		work->roofline.link_bytes =
			devices > 1 ? (double)work->collective_bytes / (ring ? 8 : 4) : 0;
	if (work->roofline.links > site->machine->links)
		diag_error(site->diag, keys->where,
			"collective '%s': %u links, but neighbours are joined by %u", keys->name,
			work->roofline.links, site->machine->links);
}

static void experts_work(
	const struct site *site, const struct experts_keys *keys, struct operation_work *work)
{
	const uint16_t *each = keys->devices, *group = site->group;
	uint64_t experts = extent(site, &keys->experts), active = extent(site, &keys->active);
	uint32_t places = (uint32_t)(group[0] / each[0]) * (group[1] / each[1]);
	struct product product = {
		.rows = extent(site, &keys->shape[0]),
		.inner = extent(site, &keys->shape[1]),
		.columns = ceiling(extent(site, &keys->shape[2]), (uint64_t)each[0] * each[1]),
		.weights = keys->weights,
		.activations = keys->activations,
		.fidelity = keys->fidelity,
		.in_dram = keys->memory == MEMORY_DRAM,
	};

	if (group[0] % each[0] != 0 || group[1] % each[1] != 0 || places > MODEL_SLOTS_MAX) {
		diag_error(site->diag, keys->devices_where,
			"operation '%s': experts on %u x %u devices do not divide a group of %u x "
			"%u into 1 to %d parts",
			work->name, each[0], each[1], group[0], group[1], MODEL_SLOTS_MAX);
		places = 1;
	}
	if (active > experts)
		diag_error(site->diag, keys->active.where,
			"operation '%s': %llu active experts of %llu", work->name,
			(unsigned long long)active, (unsigned long long)experts);
	work->slots = active < places ? (uint32_t)active : places;
	product.batches = ceiling(active, places);
	work->roofline.dram_sharded = keys->layout == WEIGHTS_SHARDED;
	product_work(site, &product, work);
	work->weight_bytes *= (double)ceiling(experts, places) / (double)product.batches;
}

/* Returns the common keys of an operation, or NULL for a collective. */
static const struct common_keys *common_of(const struct operation *operation)
{
	switch (operation->kind) {
	case OPERATION_MATMUL:
		return &operation->matmul.common;
	case OPERATION_ATTENTION:
		return &operation->attention.common;
	case OPERATION_ELEMENTWISE:
		return &operation->elementwise.common;
	case OPERATION_EXPERTS:
		return &operation->experts.common;
	default:
		return NULL;
	}
}

const char *operation_name(const struct operation *operation)
{
	const struct common_keys *common = common_of(operation);

	return common ? common->name : operation->collective.name;
}

void operation_work(const struct operation *operation, const struct sizes *sizes,
	const uint16_t group[2], const struct roofline_machine *machine, struct diag *diag,
	struct operation_work *work)
{
	const struct site site = {.sizes = sizes,
		.machine = machine,
		.diag = diag,
		.devices = (uint32_t)group[0] * group[1],
		.group = group};
	const struct common_keys *common = common_of(operation);

	*work = (struct operation_work){.name = operation_name(operation)};
	work->cores = common ? cores_of(&site, common) : 0;
	work->kernel_bytes = common ? common->kernel_bytes : COLLECTIVE_KERNEL_BYTES;
	if (operation->kind == OPERATION_MATMUL)
		matmul_work(&site, &operation->matmul, work);
	else if (operation->kind == OPERATION_ATTENTION)
		attention_work(&site, &operation->attention, work);
	else if (operation->kind == OPERATION_ELEMENTWISE)
		elementwise_work(&site, &operation->elementwise, work);
	else if (operation->kind == OPERATION_COLLECTIVE)
		collective_work(&site, &operation->collective, work);
	else
		experts_work(&site, &operation->experts, work);
}
