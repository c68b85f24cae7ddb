/* Shared declarations of the files that write a report's JSON model. Each file writes some members
 * of the model. */
#ifndef ANALYSIS_REPORT_REPORT_PRIVATE_H
#define ANALYSIS_REPORT_REPORT_PRIVATE_H

#include "base/output.h"
#include "analysis/compare/comparison.h"
#include "analysis/read/run_tables.h"
#include "analysis/report.h"

/* Distinct texts, each stored once; runs that share a text refer to it by index. */
struct report_shared {
	const char **at;
	uint32_t count;
};

struct report {
	struct comparison comparison;
	const struct report_options *options;
	/* a trial in a child process, which only reads and makes no runs */
	bool is_trial;
	const char *compare_why; /* why there are no verdicts; NULL: there are verdicts */
	/* kind of operation that is shown first; "": nothing was measured */
	const char *kind;
	enum metric metric;
	struct report_shared geometries; /* each as JSON */
	struct text why;
};

/* Limits on the size of the model: bytes for details of runs, numbers for distributions. */
enum { REPORT_DETAIL_BYTES = 800 << 10, REPORT_DISTRIBUTION_NUMBERS = 50000 };

/* Index of `text` in `shared`. A new text is copied into `arena` and appended. */
uint32_t report_share(struct report_shared *shared, const char *text, struct arena *arena);

/* Write one member of the object that is open in `json`. */
void report_integer(struct json *json, const char *key, int64_t value);
void report_real(struct json *json, const char *key, double value);

/* Writes a number rounded to four significant digits, which is enough for a chart. */
void report_short(struct json *json, double value);

/* Writes a table cell to JSON, as a number or a text. Writes null for a missing time or rate, which
 * is a negative number in the table. */
void report_cell(struct json *json, const struct dataset *dataset,
	const struct dataset_column *column, uint64_t row);

/* Write some members of the model. Functions that read runs return false, with a sentence in
 * `report->why`, if a run cannot be read. */
void report_head(struct report *report, struct json *json);
void report_runs(struct report *report, struct json *json);
bool report_samples(struct report *report, struct json *json);
bool report_details(struct report *report, struct json *json);
void report_platforms(struct report *report, struct json *json);

/* Write the members of the details of one run. */
void report_links(struct report *report, uint64_t row, const struct run_tables *run,
	struct arena *arena, struct json *json);
void report_loads(const struct run_tables *run, struct arena *arena, struct json *json);
void report_trace(const struct run_trace *trace, struct arena *arena, struct json *json);
void report_in_flight(const struct operations *operations, struct arena *arena, struct json *json);

/* The kinds of pages: the whole report, the error table alone (errors_page.c), or a history. Each
 * has its own scripts. */
enum report_page_kind { REPORT_PAGE_WHOLE, REPORT_PAGE_ERRORS, REPORT_PAGE_HISTORY };

struct report_content {
	const char *title, *model, *host;
	enum report_page_kind kind;
};

/* Writes empty members for runs, comparison and distributions into a model without runs. */
void report_page_without_runs(struct json *json);

/* Appends the HTML page that embeds the documents `model` and `host` of `content`. */
void report_page(const struct report_content *content, struct text *out);

/* The output kind (base/output.h) of pages and models. */
extern const struct output_kind report_output;

#endif
