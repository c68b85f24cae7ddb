/* The model of a report: each file writes some of its members. */
#ifndef ANALYSIS_REPORT_REPORT_PRIVATE_H
#define ANALYSIS_REPORT_REPORT_PRIVATE_H

#include "base/output.h"
#include "analysis/compare/comparison.h"
#include "analysis/read/run_tables.h"
#include "analysis/report.h"

/* A text that several runs have in common, kept once. */
struct report_shared {
	const char **at;
	uint32_t count;
};

struct report {
	struct comparison comparison;
	const struct report_options *options;
	bool is_trial;		 /* a child that tries to read everything: no runs are made */
	const char *compare_why; /* NULL: there are verdicts */
	const char *kind;	 /* that the page is about, "" if nothing was measured */
	enum metric metric;
	struct report_shared geometries; /* JSON */
	struct text why;
};

/* Bytes of model that details of runs, and distributions, may take. */
enum { REPORT_DETAIL_BYTES = 800 << 10, REPORT_DISTRIBUTION_NUMBERS = 50000 };

/* Index of `text` among those seen; it is copied if it is new. */
uint32_t report_share(struct report_shared *shared, const char *text, struct arena *arena);

/* Members of an object. */
void report_integer(struct json *json, const char *key, int64_t value);
void report_real(struct json *json, const char *key, double value);

/* A ratio or the like, to four digits: enough for a chart. */
void report_short(struct json *json, double value);

/* A cell of a table as JSON: number or text; a time or rate that never came is null. */
void report_cell(struct json *json, const struct dataset *dataset,
	const struct dataset_column *column, uint64_t row);

/* Each writes its members; those that read runs return false with a sentence in `why`. */
void report_head(struct report *report, struct json *json);
void report_runs(struct report *report, struct json *json);
bool report_samples(struct report *report, struct json *json);
bool report_details(struct report *report, struct json *json);
void report_platforms(struct report *report, struct json *json);

/* Members of the details of one run. */
void report_links(struct report *report, uint64_t row, const struct run_tables *run,
	struct arena *arena, struct json *json);
void report_loads(const struct run_tables *run, struct arena *arena, struct json *json);
void report_trace(const struct run_trace *trace, struct arena *arena, struct json *json);
void report_in_flight(const struct operations *operations, struct arena *arena, struct json *json);

/* Whose scripts draw a page: all of the report, errors alone (errors_page.c), or a history. */
enum report_page_kind { REPORT_PAGE_WHOLE, REPORT_PAGE_ERRORS, REPORT_PAGE_HISTORY };

struct report_content {
	const char *title, *model, *host;
	enum report_page_kind kind;
};

/* Members of a model that has no runs. */
void report_page_without_runs(struct json *json);

/* Appends the page around the two documents. */
void report_page(const struct report_content *content, struct text *out);

/* What pages are to who writes files. */
extern const struct output_kind report_output;

#endif
