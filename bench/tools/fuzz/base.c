/* Chooses the base on which a scenario is drawn: a machine, or a scenario of the user (see
 * drawing.h). If the user's scenario is a sweep, each seed uses one point of the sweep. */
#include "drawing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ensure.h"
#include "bench/scenario/hosts.h"

/* Runs on large machines take long to set up. So machines with more than CHIPS_SEVERAL chips are
 * drawn less often, and machines with more than CHIPS_MANY chips even less often. */
enum { CHIPS_SEVERAL = 8, CHIPS_MANY = 64, SELDOM_SEVERAL = 2, SELDOM_MANY = 8, SELDOM_MOST = 40 };

/* One of SELDOM_HOSTS scenarios uses a machine of several hosts, which consists of HOSTS_LEAST to
 * HOSTS_MOST copies of a small machine. */
enum { SELDOM_HOSTS = 6, HOSTS_LEAST = 2, HOSTS_MOST = 4, LINKS_MOST = 1, COMPILE_US = 50 };

/* ---- machines ---- */

static struct machine machine_of(const char *name, const struct cluster_info *info)
{
	struct machine machine = {name, info->mesh_rows, info->mesh_columns, 0, 0, UINT32_MAX,
		UINT32_MAX, UINT32_MAX, UINT32_MAX, 0};

	for (uint16_t i = 0; i < info->chip_count; i++) {
		const struct chip_geometry *geometry = info->chips[i].geometry;

		machine.gateways += info->chips[i].has_pcie;
		if (geometry->worker_columns < machine.worker_columns)
			machine.worker_columns = geometry->worker_columns;
		if (geometry->worker_rows < machine.worker_rows)
			machine.worker_rows = geometry->worker_rows;
		if (geometry->idle_ethernet_count < machine.idle_ethernet)
			machine.idle_ethernet = geometry->idle_ethernet_count;
	}
	for (uint32_t i = 0; i < info->connection_count; i++)
		if (info->connections[i].links < machine.links)
			machine.links = info->connections[i].links;
	return machine;
}

static uint32_t chips_of(const struct machine *machine)
{
	return (uint32_t)machine->rows * machine->columns;
}

static int by_chips(const void *a, const void *b)
{
	uint32_t left = chips_of(a), right = chips_of(b);

	return left == right ? strcmp(((const struct machine *)a)->name,
				       ((const struct machine *)b)->name)
			     : (left > right) - (left < right);
}

static struct machine machine_on(const char *name, const struct platform *platform)
{
	const struct platform_hosts *hosts = platform_hosts(platform);
	struct machine machine = machine_of(name, platform_cluster(platform));

	if (hosts) {
		machine.hosts = hosts->count;
		machine.rows = hosts->mesh_rows;
		machine.columns = hosts->mesh_columns;
		machine.joined = machine_links(platform);
	}
	return machine;
}

/* Makes a machine of several hosts, each with a copy of the machine `of`. The meshes of the hosts
 * are placed one below the other, or side by side. `links` is the number of links between
 * neighbouring chips of two hosts. */
static struct machine several(
	struct arena *arena, const struct machine *of, uint32_t hosts, uint32_t links)
{
	struct machine machine = *of;
	bool beside = of->rows > of->columns;

	machine.name = arena_printf(arena,
		"{extends: [%s, _transports, _ethernet-100g], hosts: {count: %" PRIu32
		", along: %s, links: %" PRIu32
		"}, host: {work: {compile_kernel: {cost: {value: %d, unit: us}}}}}",
		of->name, hosts, beside ? "columns" : "rows", links, COMPILE_US);
	machine.hosts = hosts;
	machine.joined = links;
	if (beside)
		machine.columns = (uint16_t)(machine.columns * hosts);
	else
		machine.rows = (uint16_t)(machine.rows * hosts);
	return machine;
}

/* Adds machines of several hosts. Only machines with few chips are added, so that many scenarios
 * can be tried in a short time. Each host may have links to the next and to the previous host.
 * These links need idle Ethernet tiles. */
static void add_several(struct fuzz_base *base)
{
	for (uint32_t i = 0; i < base->machine_count; i++)
		for (uint32_t hosts = HOSTS_LEAST; hosts <= HOSTS_MOST; hosts++)
			for (uint32_t links = 0; links <= LINKS_MOST; links++)
				if (hosts * chips_of(&base->machines[i]) <= CHIPS_SEVERAL &&
					2 * links <= base->machines[i].idle_ethernet)
					base->hosts[base->hosts_count++] = several(
						&base->arena, &base->machines[i], hosts, links);
}

static void open_machines(struct fuzz_base *base, const char *directory)
{
	const char *const *names = platform_list(directory, &base->arena);
	const struct constant_table *tables;
	uint32_t count = 0;
	size_t table_count;

	tables = constant_tables(&table_count);
	while (names[count])
		count++;
	base->machines = arena_array(&base->arena, count, sizeof *base->machines);
	base->names = arena_array(&base->arena, count + 1, sizeof *base->names);
	base->hosts = arena_array(
		&base->arena, count * HOSTS_MOST * (LINKS_MOST + 1), sizeof *base->hosts);
	for (uint32_t i = 0; i < count; i++) {
		struct platform *platform =
			platform_open(names[i], directory, tables, table_count, base->diag);

		if (platform && platform_hosts(platform))
			base->hosts[base->hosts_count++] = machine_on(names[i], platform);
		else if (platform)
			base->machines[base->machine_count++] = machine_on(names[i], platform);
		platform_free(platform);
	}
	if (diag_errors(base->diag) == 0)
		qsort(base->machines, base->machine_count, sizeof *base->machines, by_chips);
	add_several(base);
	for (uint32_t i = 0; i < base->machine_count; i++)
		base->names[i] = base->machines[i].name;
}

/* True if there is a machine of each kind to draw from. */
static bool has_machines(const struct fuzz_base *base)
{
	bool hosts = base->hosts_alone || !base->native;

	return (!hosts || base->hosts_count > 0) && (base->hosts_alone || base->machine_count > 0);
}

/* ---- the user's scenario ---- */

/* Makes paths in the scenario absolute, since it will run from another folder. */
static const struct tree_node *absolute(struct arena *arena, const struct tree_node *node)
{
	struct tree_pair *pairs;
	char *path;

	if (node->kind == TREE_SCALAR) {
		path = realpath(platform_path(arena, node), NULL);
		if (!path || access(path, R_OK) != 0 || !strpbrk(node->text, "./")) {
			free(path);
			return node;
		}
		node = tree_new_scalar(arena, node->where, path, strlen(path), true);
		free(path);
		return node;
	}
	if (node->kind != TREE_MAP)
		return node;
	pairs = arena_array(arena, node->count, sizeof *pairs);
	for (uint32_t i = 0; i < node->count; i++) {
		pairs[i] = node->pairs[i];
		pairs[i].value = absolute(arena, pairs[i].value);
	}
	return tree_new_map(arena, node->where, pairs, node->count);
}

static bool open_scenario(
	struct fuzz_base *base, const char *scenario, const char *directory, bool native)
{
	static const char *const drawn[] = {
		"name", "description", "seed", "seeds", "workload", "sweep", "measure", NULL};
	struct load_options load = {.platform_directory = directory, .native = native};
	const struct tree_node *platform;

	base->file = scenario_open(scenario, &load, base->diag);
	if (!base->file)
		return false;
	base->tree = tree_read_file(scenario, base->diag);
	if (!base->tree)
		return false;
	platform = absolute(&base->arena, tree_get(tree_root(base->tree), "platform"));
	for (int i = 0; drawn[i]; i++)
		tree_remove(base->tree, drawn[i]);
	return tree_put(base->tree, "platform", platform->where, platform, base->diag);
}

bool fuzz_base_init(struct fuzz_base *base, const char *scenario, const char *directory,
	bool native, bool hosts_alone)
{
	bool good = true;

	memset(base, 0, sizeof *base);
	arena_init(&base->arena);
	base->diag = diag_new();
	base->native = native;
	base->hosts_alone = hosts_alone;
	open_machines(base, directory);
	if (!scenario && !has_machines(base)) {
		fprintf(stderr, "meshsim fuzz: no platforms in '%s' to draw machines from\n",
			directory);
		good = false;
	}
	if (scenario)
		good = open_scenario(base, scenario, directory, native);
	diag_print(base->diag, stderr);
	return good && diag_errors(base->diag) == 0;
}

void fuzz_base_fini(struct fuzz_base *base)
{
	scenario_close(base->file);
	tree_free(base->tree);
	diag_free(base->diag);
	arena_fini(&base->arena);
}

/* ---- drawing ---- */

static bool draws_hosts(const struct fuzz_base *base, uint64_t seed)
{
	struct stream stream;

	stream_init(&stream, seed, "fuzz/hosts");
	return base->hosts_alone || (!base->native && stream_below(&stream, SELDOM_HOSTS) == 0);
}

static const struct machine *base_choose(const struct fuzz_base *base, uint64_t seed)
{
	bool hosts = draws_hosts(base, seed);
	const struct machine *machines = hosts ? base->hosts : base->machines;
	uint32_t count = hosts ? base->hosts_count : base->machine_count;
	struct stream stream;

	stream_init(&stream, seed, "fuzz/machine");
	for (;;) {
		const struct machine *machine = &machines[stream_below(&stream, count)];
		uint32_t chips = chips_of(machine), seldom = SELDOM_MOST;

		if (chips <= CHIPS_SEVERAL)
			seldom = 1;
		else if (chips < CHIPS_MANY)
			seldom = SELDOM_SEVERAL;
		else if (chips == CHIPS_MANY)
			seldom = SELDOM_MANY;
		if (stream_below(&stream, seldom) == 0)
			return machine;
	}
}

/* Sets the swept keys to their values in one run of the sweep. The seed selects the run. */
static void put_point(struct tree *tree, struct scenario_file *file, uint64_t seed,
	struct diag *diag, struct arena *arena)
{
	uint32_t run = (uint32_t)(seed % scenario_run_count(file));

	for (uint32_t i = 0; i < scenario_swept_count(file); i++) {
		const char *name = scenario_swept_name(file, i);
		const char *value = scenario_swept_value(file, i, run, arena);

		if (strcmp(name, "seed") != 0 && strcmp(value, "-") != 0)
			ensure(tree_set(tree, name, value, "sweep", diag), "%s of a sweep", name);
	}
}

static void draw_mesh_of(
	struct scenario_file *file, uint64_t seed, struct diag *diag, struct drawing *drawing)
{
	uint32_t run = (uint32_t)(seed % scenario_run_count(file));
	struct machine machine;
	struct run_plan plan;
	bool good = run_plan_open(file, run, diag, &plan);

	ensure(good, "run %u of a scenario that was checked", run);
	machine = machine_on("", plan.platform);
	drawing_make(drawing, seed, true, &machine, plan.scenario);
	run_plan_close(&plan);
}

static struct tree *read_drawing(const struct drawing *drawing, struct diag *diag)
{
	struct tree *tree =
		tree_read_text("drawing", text_string(&drawing->text), drawing->text.length, diag);

	ensure(tree && diag_errors(diag) == 0, "a drawing cannot be read:\n%s",
		text_string(&drawing->text));
	return tree;
}

static void draw_on(const struct fuzz_base *base, uint64_t seed, struct text *out)
{
	struct diag *diag = diag_new();
	struct tree *tree = tree_copy(base->tree), *drawn;
	const struct tree_node *root;
	struct drawing drawing;

	put_point(tree, base->file, seed, diag, tree_arena(tree));
	draw_mesh_of(base->file, seed, diag, &drawing);
	drawn = read_drawing(&drawing, diag);
	root = tree_root(drawn);
	for (uint32_t i = 0; i < root->count; i++)
		ensure(tree_put(tree, root->pairs[i].key, root->where, root->pairs[i].value, diag),
			"%s of a drawing", root->pairs[i].key);
	compact_write(tree_root(tree), out);
	text_fini(&drawing.text);
	tree_free(drawn);
	tree_free(tree);
	diag_free(diag);
}

void fuzz_base_draw(const struct fuzz_base *base, uint64_t seed, struct text *out)
{
	struct diag *diag;
	struct drawing drawing;
	struct tree *tree;

	if (base->tree) {
		draw_on(base, seed, out);
		return;
	}
	diag = diag_new();
	drawing_make(&drawing, seed, base->native, base_choose(base, seed), NULL);
	tree = read_drawing(&drawing, diag);
	compact_write(tree_root(tree), out);
	text_fini(&drawing.text);
	tree_free(tree);
	diag_free(diag);
}
