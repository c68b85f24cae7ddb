/* Reads HDF5 files of the kind that bench/results writes. The reader supports groups with hard
 * links; one-dimensional tables of integers, reals and texts of fixed length (contiguous, or in
 * chunks with shuffle and deflate); variable-length texts; and attributes with one value. For
 * everything else, functions return INVALID: other types, dataspaces and filters, external and
 * virtual storage, soft and external links, shared messages.
 *
 * The file may be hostile. The reader never opens another file. It checks every count, size and
 * address against the file's length before it allocates memory or reads a byte. So a call never
 * takes more memory or time than the file and the requested rows justify. HDF5's checksums are not
 * checked: the seal (base/hash.h) detects accidental damage, and nothing detects forgeries. */
#ifndef H5_READER_H
#define H5_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"

struct h5_file; /* opaque */

/* Opens the HDF5 file of `descriptor`, and takes over the descriptor, which is also closed on
 * failure. Returns OK and sets *file, which the caller owns. Returns NOT_FOUND if the file is not a
 * regular file or not HDF5, and INVALID if it is damaged or truncated. Returns IO, with errno set,
 * if it cannot be read. */
enum status h5_open(int descriptor, struct h5_file **file);

/* Closes the file and its descriptor. NULL is allowed. */
void h5_close(struct h5_file *file);

/* Returns the reason why the last call returned INVALID, such as "an external link". Returns NULL
 * if the reason is that the file is damaged. */
const char *h5_reason(const struct h5_file *file);

/* Returns true if `path` ("/", "/runs/000003") names an object. */
bool h5_has(struct h5_file *file, const char *path);

/* Reads a text attribute with one value into `arena`, and sets *text. Returns OK. Returns NOT_FOUND
 * if there is no such object or attribute, and INVALID after any other failure. After a failure,
 * *text is "". */
enum status h5_text(struct h5_file *file, const char *path, const char *name, struct arena *arena,
	const char **text);

/* Reads an integer attribute, with one value of 1 to 8 bytes, into *number. Returns OK. Returns
 * NOT_FOUND if there is no such object or attribute, and INVALID after any other failure. After a
 * failure, *number is 0. */
enum status h5_number(struct h5_file *file, const char *path, const char *name, uint64_t *number);

/* Checks the attributes of an object. Returns OK if each of them is a number or a text with one
 * value, and is complete. Returns NOT_FOUND if there is no such object, and INVALID in all other
 * cases. */
enum status h5_attributes_check(struct h5_file *file, const char *path);

/* Reads a dataset of variable-length texts into `arena`: one text (a scalar) or a list of texts.
 * Sets *texts and *count. Returns OK, NOT_FOUND or INVALID. */
enum status h5_texts(struct h5_file *file, const char *path, struct arena *arena,
	const char ***texts, uint32_t *count);

enum h5_kind { H5_KIND_SIGNED, H5_KIND_UNSIGNED, H5_KIND_REAL, H5_KIND_TEXT };

/* A column of a table: the place of its cell in a row of the file, and the type of the cell.
 * Numbers are little endian. Integers have 1, 2, 4 or 8 bytes, and reals have 4 or 8. A text is
 * padded with NULs; a text that fills all bytes of its cell does not end with a NUL. */
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

/* Opens a table. Its columns are valid until the table is closed, and the file must stay open until
 * then. Returns OK, NOT_FOUND or INVALID. Also returns INVALID if an attribute of the table is
 * invalid or not a text. */
enum status h5_table_open(struct h5_file *file, const char *path, struct h5_table *table);

/* Closes a table. `table` may also be all zeros, as h5_table_open() leaves it on failure. */
void h5_table_close(struct h5_table *table);

/* Returns a text attribute of the table, which is valid until the table is closed. Returns NULL if
 * the table has no attribute of this name that is a text with one value. */
const char *h5_table_text(const struct h5_table *table, const char *name);

/* Reads `count` rows, from row `first` on, into `rows`, which has at least count * row_bytes bytes.
 * The rows keep the format of the file. Returns OK or INVALID. */
enum status h5_table_read(struct h5_table *table, uint64_t first, uint64_t count, void *rows);

/* Checks everything below `path` except the rows of tables. Returns OK if the other functions here
 * could read all of this; otherwise INVALID or NOT_FOUND. After OK, it is also safe to read the
 * file with the HDF5 library, because the file then has only data of the kinds that the library
 * itself writes. */
enum status h5_check(struct h5_file *file, const char *path);

/* The version of the layout of result files, for writers and readers. Increase the version when a
 * column or table is added, is removed, or changes its meaning. A table that exists only in runs
 * with a new key does not need a new version, because no reader requires the table. */

enum { RESULTS_LAYOUT_VERSION = 10 };

#endif
