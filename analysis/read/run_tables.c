/* Reads the tables of one run and sums its cores by role, see run_tables.h. */
#include "analysis/read/run_tables.h"

#include <string.h>

static bool read_one(struct summary *summary, uint64_t row, const char *name, struct arena *arena,
	struct dataset *dataset, struct text *why)
{
	const char *path = arena_printf(arena, "%s/%s", summary_group(summary, row), name);
	enum status status = result_table_in(summary->result, path, arena, dataset, why);

	return status == STATUS_OK || status == STATUS_NOT_FOUND;
}

bool run_threads_read(struct summary *summary, uint64_t row, struct arena *arena,
	struct dataset *threads, struct text *why)
{
	return read_one(summary, row, "threads", arena, threads, why);
}

bool run_opening_read(struct summary *summary, uint64_t row, struct arena *arena,
	struct dataset *opening, struct text *why)
{
	return read_one(summary, row, "opening", arena, opening, why);
}

struct wanted {
	const char *name;
	struct dataset *dataset;
};

static bool read_tables(struct summary *summary, const char *group, struct arena *arena,
	const struct wanted *tables, size_t count, struct text *why)
{
	for (size_t i = 0; i < count; i++) {
		const char *path = arena_printf(arena, "%s/%s", group, tables[i].name);
		enum status status =
			result_table_in(summary->result, path, arena, tables[i].dataset, why);
		if (status != STATUS_OK && status != STATUS_NOT_FOUND)
			return false;
	}
	return true;
}

bool run_trace_read(struct summary *summary, uint64_t row, struct arena *arena,
	struct run_trace *trace, struct text *why)
{
	const struct wanted tables[] = {
		{"trace_tracks", &trace->tracks},
		{"trace_slices", &trace->slices},
		{"trace_labels", &trace->labels},
		{"trace_depths", &trace->depths},
	};

	memset(trace, 0, sizeof(*trace));
	return read_tables(summary, summary_group(summary, row), arena, tables,
		sizeof(tables) / sizeof(tables[0]), why);
}

bool run_tables_read(struct summary *summary, uint64_t row, struct arena *arena,
	struct run_tables *run, struct text *why)
{
	const char *group = summary_group(summary, row);
	const struct wanted tables[] = {
		{"threads", &run->threads},
		{"links", &run->links},
		{"cores", &run->cores},
		{"queues", &run->queues},
		{"work", &run->work},
		{"memory", &run->memory},
		{"watcher", &run->watcher},
		{"left", &run->left},
		{"prints", &run->prints},
		{"print_counts", &run->print_counts},
		{"saved", &run->saved},
		{"log", &run->log},
		{"log_counts", &run->log_counts},
		{"opening", &run->opening},
		{"models", &run->models},
	};

	memset(run, 0, sizeof(*run));
	if (!result_has(summary->result, group)) {
		text_printf(why, "damaged: it has no '%s'", group);
		return false;
	}
	return read_tables(summary, group, arena, tables, sizeof(tables) / sizeof(tables[0]), why);
}

static struct core_role *role_of(struct core_role *roles, uint32_t *count, const char *name)
{
	for (uint32_t i = 0; i < *count; i++)
		if (strcmp(roles[i].name, name) == 0)
			return &roles[i];
	roles[*count] = (struct core_role){.name = name, .chip_most = -1};
	return &roles[(*count)++];
}

struct core_role *core_roles(const struct dataset *cores, struct arena *arena, uint32_t *role_count)
{
	enum { ROLES_MAX = 256 };
	struct core_role *roles = arena_array(arena, ROLES_MAX, sizeof(*roles));
	const struct dataset_column *name = dataset_column(cores, "role");

	*role_count = 0;
	for (uint64_t row = 0; row < cores->row_count && *role_count < ROLES_MAX; row++) {
		struct core_role *role = role_of(roles, role_count, dataset_text(cores, name, row));
		double busy = dataset_real_of(cores, "busy", row);
		double blocked = dataset_real_of(cores, "blocked", row);
		role->count++;
		role->steps += dataset_real_of(cores, "steps", row);
		role->busy += busy;
		role->blocked += blocked;
		if (blocked > role->blocked_most)
			role->blocked_most = blocked;
		if (role->chip_most >= 0 && busy <= role->busy_most)
			continue;
		role->busy_most = busy;
		role->chip_most = dataset_integer_of(cores, "chip", row);
		role->utilization_most = dataset_real_of(cores, "utilization", row);
	}
	return roles;
}
