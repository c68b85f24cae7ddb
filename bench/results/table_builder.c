/* Layouts of tables whose columns are known only at run time (table.h). */
#include "bench/results/table.h"

#include "base/ensure.h"

void table_builder_init(struct table_builder *builder, struct arena *arena)
{
	*builder = (struct table_builder){.arena = arena};
	builder->columns = arena_array(arena, TABLE_COLUMNS_MAX, sizeof *builder->columns);
}

const struct column *table_builder_add(struct table_builder *builder, const char *name,
	const char *unit, enum column_type type, uint32_t bytes)
{
	struct column *column = &builder->columns[builder->count];

	ensure(builder->count < TABLE_COLUMNS_MAX, "more than %d columns", TABLE_COLUMNS_MAX);
	builder->count++;
	*column = (struct column){
		arena_string(builder->arena, name), unit, type, builder->row_bytes, bytes};
	builder->row_bytes += (bytes + 7) & ~7u;
	return column;
}

struct table table_builder_table(const struct table_builder *builder, const char *name)
{
	return (struct table){
		.name = name,
		.columns = builder->columns,
		.column_count = builder->count,
		.row_bytes = builder->row_bytes,
	};
}
