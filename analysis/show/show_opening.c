/* Prints a table with a row for each native run with host processes: how long the hosts took to
 * join, and how much of this time they needed to prove that they have the run's key. */
#include "show_private.h"

enum { GROUP_NONE, GROUP_OPENING, GROUP_PROOF };

static const struct text_column columns[] = {
	{"hosts", COLUMN_COUNT, GROUP_NONE, "hosts"},
	{"joining, mean", COLUMN_TIME, GROUP_OPENING, "opening"},
	{"most", COLUMN_TIME, GROUP_OPENING, "opening_most"},
	{"of it proof, mean", COLUMN_TIME, GROUP_PROOF, "proof"},
	{"most", COLUMN_TIME, GROUP_PROOF, "proof_most"},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

static const char legend[] =
	"\n  joining: of a host, from its connection until it had joined. proof: the part\n"
	"    in which both ends prove that they hold the key of the run. Later messages\n"
	"    prove nothing and cost nothing more.\n";

bool show_opening(struct summary *summary, const struct show_page *page, struct text *why)
{
	struct arena arena;
	struct text_table *table;
	bool good = true, any = false;

	arena_init(&arena);
	table = text_table_new(&arena);
	show_run_columns(summary, table);
	text_table_columns(table, columns, COLUMNS);
	for (uint64_t row = 0; good && row < summary->dataset.row_count; row++) {
		struct dataset opening = {0};

		good = run_opening_read(summary, row, &arena, &opening, why);
		if (!good || opening.row_count == 0)
			continue;
		any = true;
		show_run_cells(summary, table, row);
		for (int i = 0; i < COLUMNS; i++)
			show_cell(table, &opening, dataset_column(&opening, columns[i].source), 0);
	}
	if (good && any) {
		fputs("\nHosts that joined, once at the start\n", page->out);
		text_table_print_within(table, page->columns, page->out);
		fputs(legend, page->out);
	}
	arena_fini(&arena);
	return good;
}
