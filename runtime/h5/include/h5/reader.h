/* Reads the kind of HDF5 that bench/results writes: groups with hard links, one-dimensional tables
 * of integers, reals and texts of fixed length (contiguous, or in chunks with shuffle and deflate),
 * variable-length texts, attributes with one value. Everything else is INVALID: other types,
 * dataspaces and filters, external and virtual storage, soft and external links, shared messages.
 *
 * The file may be hostile. No other file is ever read. Every count, size and address is checked
 * against the file's length before memory is allocated or a byte is read, so no call takes more
 * memory or time than the file and the requested rows justify. HDF5's checksums are not checked:
 * the seal (base/seal.h) detects accidents, and nothing detects forgeries. */
#ifndef H5_READER_H
#define H5_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"

struct h5_file; /* opaque */

/* Opens a file and takes over its descriptor, of a regular file, even on failure. OK; NOT_FOUND:
 * not HDF5; INVALID: damaged or truncated; IO with errno. */
enum status h5_open(int descriptor, struct h5_file **file);

/* NULL is allowed. */
void h5_close(struct h5_file *file);

/* The reason why the last call was INVALID ("an external link"); NULL: the file is damaged. */
const char *h5_reason(const struct h5_file *file);

/* True if `path` ("/", "/runs/000003") names an object. */
bool h5_has(struct h5_file *file, const char *path);

/* Reads a text attribute with one value into `arena`. OK; NOT_FOUND: no such object or attribute;
 * INVALID. On failure *text is "". */
enum status h5_text(struct h5_file *file, const char *path, const char *name, struct arena *arena,
	const char **text);

/* Reads an integer attribute with one value, of 1 to 8 bytes; 0 on failure. */
enum status h5_number(struct h5_file *file, const char *path, const char *name, uint64_t *number);

/* OK if every attribute of `path` is a complete number or text with one value; NOT_FOUND: no such
 * object; INVALID. */
enum status h5_attributes_check(struct h5_file *file, const char *path);

/* Reads a dataset of variable-length texts: one (a scalar) or a list. */
enum status h5_texts(struct h5_file *file, const char *path, struct arena *arena,
	const char ***texts, uint32_t *count);

enum h5_kind { H5_KIND_SIGNED, H5_KIND_UNSIGNED, H5_KIND_REAL, H5_KIND_TEXT };

/* Location of a column's cells in a row of the file. Numbers are little endian: integers of 1, 2, 4
 * or 8 bytes, reals of 4 or 8. Texts are padded with NULs, but may fill all their bytes. */
struct h5_column {
	const char *name;
	enum h5_kind kind;
	uint32_t offset, bytes;
};

enum { H5_TEXT_BYTES_MAX = 1 << 16, H5_COLUMNS_MAX = 1 << 16 };

/* An open table. */
struct h5_table {
	struct h5_column *columns;
	uint32_t column_count;
	uint32_t row_bytes;
	uint64_t row_count;
	struct h5_storage *storage; /* opaque */
};

/* Opens a table; its columns live until it is closed. OK, NOT_FOUND or INVALID, also if one of its
 * attributes is invalid or not a text. The file must stay open. */
enum status h5_table_open(struct h5_file *file, const char *path, struct h5_table *table);

/* Accepts a table that was not opened, or is all zeros. */
void h5_table_close(struct h5_table *table);

/* A text attribute of the table, valid until it is closed; NULL: there is none with one value. */
const char *h5_table_text(const struct h5_table *table, const char *name);

/* Reads `count` rows from row `first` on, in the file's format, into `rows` of at least count *
 * row_bytes bytes. OK or INVALID. */
enum status h5_table_read(struct h5_table *table, uint64_t first, uint64_t count, void *rows);

/* Checks everything below `path` except the rows of tables: OK if the other calls here could read
 * it all, so that HDF5 only meets data that it wrote itself; otherwise INVALID or NOT_FOUND. */
enum status h5_check(struct h5_file *file, const char *path);

/* The layout version of result files, for writers and readers. Increase it when a column or table
 * is added, removed or changes its meaning. Tables that exist only in runs with a new key do not
 * need a new version: no reader requires them. */

enum { RESULTS_LAYOUT_VERSION = 10 };

#endif
