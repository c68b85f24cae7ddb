/* Prints a measurement as text tables (measure.h). */
#include "bench/tools/measure/measure.h"

#include <math.h>
#include <string.h>

#include "analysis/print/text_table.h"
#include "world/world.h"

static const char *const where_names[WHERE_COUNT] = {"one core", "other cores"};

/* Prints a number rounded to four digits. */
static void print_put_number(struct text_table *table, double value)
{
	double unit = value != 0 ? pow(10, 3 - floor(log10(fabs(value)))) : 1;

	text_table_number(table, round(value * unit) / unit);
}

/* Prints ns as us, rounded to a hundredth. */
static void put_us(struct text_table *table, double ns)
{
	text_table_number(table, round(ns / 10) / 100 + 0.0);
}

/* Prints the spread of a figure with repetitions. */
static void add_spread(struct text_table *table, const struct figure *figure, double scale)
{
	bool spread = figure->spread > 0;

	spread ? text_table_number(table, figure->spread / figure->value) : text_table_blank(table);
	spread ? print_put_number(table, figure->p50 * scale) : text_table_blank(table);
	spread ? print_put_number(table, figure->p99 * scale) : text_table_blank(table);
	figure->fitted ? text_table_number(table, figure->error) : text_table_blank(table);
	figure->fitted ? text_table_number(table, figure->worst) : text_table_blank(table);
	text_table_number(table, figure->repetitions);
}

static void print_figures(const struct measurement *measurement, struct arena *arena, FILE *out)
{
	static const struct text_column columns[] = {
		{"constant", COLUMN_TEXT, 0, NULL},
		{"value", COLUMN_NUMBER, 0, NULL},
		{"unit", COLUMN_TEXT, 0, NULL},
		{"spread", COLUMN_SHARE, 0, NULL},
		{"p50", COLUMN_NUMBER, 0, NULL},
		{"p99", COLUMN_NUMBER, 0, NULL},
		{"off line", COLUMN_SHARE, 0, NULL},
		{"worst", COLUMN_SHARE, 0, NULL},
		{"n", COLUMN_COUNT, 0, NULL},
	};
	struct text_table *table = text_table_new(arena);

	text_table_columns(table, columns, sizeof columns / sizeof *columns);
	for (uint32_t i = 0; i < measurement->figure_count; i++) {
		const struct figure *figure = &measurement->figures[i];
		struct readable as;

		if (figure->refused)
			continue;
		as = unit_readable(figure->value, figure->unit);
		text_table_row(table);
		text_table_text(table, figure->name);
		print_put_number(table, figure->value * as.scale);
		text_table_text(table, as.unit);
		add_spread(table, figure, as.scale);
	}
	text_table_print(table, out);
}

static void print_refused(const struct measurement *measurement, struct arena *arena, FILE *out)
{
	struct text_table *table = text_table_new(arena);
	uint32_t count = 0;

	text_table_column(table, "no value", COLUMN_TEXT, 0);
	text_table_column(table, "why", COLUMN_TEXT, 0);
	for (uint32_t i = 0; i < measurement->figure_count; i++) {
		if (!measurement->figures[i].refused)
			continue;
		text_table_row(table);
		text_table_text(table, measurement->figures[i].name);
		text_table_text(table, measurement->figures[i].refused);
		count++;
	}
	if (count == 0)
		return;
	fputs("\n", out);
	text_table_print(table, out);
}

/* Prints the CPU time of bursts, or a blank if there were no bursts. */
static void put_cpu(struct text_table *table, double ns)
{
	if (ns == 0)
		text_table_blank(table);
	else
		put_us(table, ns > 0 ? ns : 0);
}

static void add_timing(struct text_table *table, const struct timing *timing)
{
	text_table_row(table);
	text_table_text(table, timing->transport);
	text_table_text(table, where_names[timing->where]);
	text_table_number(table, timing->members);
	text_table_number(table, timing->bytes);
	put_us(table, timing->round_ns.p50);
	put_us(table, timing->round_ns.p90);
	put_us(table, timing->round_ns.p99);
	put_us(table, timing->one_way_ns.p50);
	put_us(table, timing->one_way_ns.p99);
	put_us(table, timing->send_ns.p50);
	put_cpu(table, timing->send_cpu_ns);
	put_cpu(table, timing->send_library_cpu_ns);
	put_cpu(table, timing->receive_cpu_ns);
	put_cpu(table, timing->receive_library_cpu_ns);
	text_table_number(table, timing->repetitions);
}

static void print_timings(const struct measurement *measurement, struct arena *arena, FILE *out)
{
	static const struct text_column columns[] = {
		{"transport", COLUMN_TEXT, 0, NULL},
		{"on", COLUMN_TEXT, 0, NULL},
		{"members", COLUMN_COUNT, 0, NULL},
		{"bytes", COLUMN_COUNT, 0, NULL},
		{"round p50", COLUMN_NUMBER, 0, NULL},
		{"p90", COLUMN_NUMBER, 0, NULL},
		{"p99", COLUMN_NUMBER, 0, NULL},
		{"one way p50", COLUMN_NUMBER, 0, NULL},
		{"p99", COLUMN_NUMBER, 0, NULL},
		{"send p50", COLUMN_NUMBER, 0, NULL},
		{"CPU send", COLUMN_NUMBER, 0, NULL},
		{"library", COLUMN_NUMBER, 0, NULL},
		{"CPU receive", COLUMN_NUMBER, 0, NULL},
		{"library", COLUMN_NUMBER, 0, NULL},
		{"n", COLUMN_COUNT, 0, NULL},
	};
	struct text_table *table = text_table_new(arena);

	if (measurement->timing_count == 0)
		return;
	text_table_columns(table, columns, sizeof columns / sizeof *columns);
	text_table_keys(table, 4);
	for (uint32_t i = 0; i < measurement->timing_count; i++)
		add_timing(table, &measurement->timings[i]);
	fputs("\nMessages to all members over loopback, until all have answered with as many "
	      "bytes; CPU time a message\nof bursts without answers, of the thread that calls "
	      "and of the library's own; us.\n",
		out);
	text_table_print(table, out);
}

static void print_codings(const struct measurement *measurement, struct arena *arena, FILE *out)
{
	static const struct text_column columns[] = {
		{"codec", COLUMN_TEXT, 0, NULL},
		{"command", COLUMN_TEXT, 0, NULL},
		{"arguments", COLUMN_COUNT, 0, NULL},
		{"data", COLUMN_COUNT, 0, NULL},
		{"frame", COLUMN_COUNT, 0, NULL},
		{"encode p50", COLUMN_TIME, 1, NULL},
		{"p99", COLUMN_TIME, 1, NULL},
		{"decode p50", COLUMN_TIME, 1, NULL},
		{"p99", COLUMN_TIME, 1, NULL},
	};
	struct text_table *table = text_table_new(arena);

	if (measurement->coding_count == 0)
		return;
	text_table_columns(table, columns, sizeof columns / sizeof *columns);
	for (uint32_t i = 0; i < measurement->coding_count; i++) {
		const struct coding *coding = &measurement->codings[i];

		text_table_row(table);
		text_table_text(table, coding->codec);
		text_table_text(table, coding->command);
		text_table_number(table, coding->words);
		text_table_number(table, coding->payload_bytes);
		text_table_number(table, coding->frame_bytes);
		text_table_number(table, 1e3 * coding->encode_ns.p50);
		text_table_number(table, 1e3 * coding->encode_ns.p99);
		text_table_number(table, 1e3 * coding->decode_ns.p50);
		text_table_number(table, 1e3 * coding->decode_ns.p99);
	}
	fputs("\nCommands between hosts: arguments of 4 B, bytes of data and of the frame, CPU "
	      "time.\n",
		out);
	text_table_print(table, out);
}

/* Lists kinds of work that no probe measures. */
static void print_missing(const struct measurement *measurement, FILE *out)
{
	const char *before = "\nNot measured, as it takes a device or a whole program: ";

	for (int kind = 0; kind < WORK_KIND_COUNT; kind++) {
		char name[96];
		size_t length;

		snprintf(name, sizeof name, "host.work.%s.cost",
			work_kind_name((enum work_kind)kind));
		length = strlen(name);
		for (size_t i = 0; i < length; i++)
			if (name[i] >= 'A' && name[i] <= 'Z')
				name[i] = (char)(name[i] - 'A' + 'a');
		if (measurement_find(measurement, name))
			continue;
		fprintf(out, "%s%.*s", before, (int)(length - 15), name + 10);
		before = ", ";
	}
	fputs(".\n", out);
}

void measurement_print(const struct measurement *measurement, FILE *out)
{
	struct arena arena;

	arena_init(&arena);
	fprintf(out, "%s, %s, %u cores; %s%s\n\n", measurement->machine.processor,
		measurement->machine.kernel, measurement->machine.cores, measurement->machine.date,
		measurement->quick ? "; --quick: few repetitions, to look at and not to keep" : "");
	print_figures(measurement, &arena, out);
	print_refused(measurement, &arena, out);
	print_missing(measurement, out);
	print_timings(measurement, &arena, out);
	print_codings(measurement, &arena, out);
	arena_fini(&arena);
}
