/* Forged result files (see forged.h). */
#include "forged.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ensure.h"
#include "base/hash.h"

enum { SEAL_BYTES = 32, TEXT_BYTES = 500, COLUMN_BYTES = 24, OWN_FILTER = 300 };

/* ---- types ---- */

static hid_t fixed_text(void)
{
	hid_t type = H5Tcopy(H5T_C_S1);

	H5Tset_size(type, TEXT_BYTES);
	return type;
}

static hid_t variable_text(void)
{
	hid_t type = H5Tcopy(H5T_C_S1);

	H5Tset_size(type, H5T_VARIABLE);
	return type;
}

static hid_t number(void)
{
	return H5Tcopy(H5T_STD_U64LE);
}

static hid_t big_endian(void)
{
	return H5Tcopy(H5T_STD_U64BE);
}

static hid_t long_number(void)
{
	hid_t type = H5Tcopy(H5T_STD_U64LE);

	H5Tset_size(type, 200);
	return type;
}

static hid_t list(void)
{
	return H5Tvlen_create(H5T_STD_I64LE);
}

static hid_t opaque(void)
{
	return H5Tcreate(H5T_OPAQUE, 64);
}

static hid_t reference(void)
{
	return H5Tcopy(H5T_STD_REF_OBJ);
}

static hid_t row_of(hid_t member)
{
	hid_t type = H5Tcreate(H5T_COMPOUND, H5Tget_size(member));

	H5Tinsert(type, "run", 0, member);
	H5Tclose(member);
	return type;
}

static hid_t row(void)
{
	hid_t text = H5Tcopy(H5T_C_S1);

	H5Tset_size(text, COLUMN_BYTES);
	return row_of(text);
}

static hid_t row_of_rows(void)
{
	return row_of(row());
}

static hid_t row_of_lists(void)
{
	return row_of(list());
}

static hid_t row_of_variable_texts(void)
{
	return row_of(variable_text());
}

static hid_t row_of_array(void)
{
	const hsize_t most = 1000;

	return row_of(H5Tarray_create2(H5T_STD_I64LE, 1, &most));
}

static hid_t row_of_long_numbers(void)
{
	return row_of(long_number());
}

static hid_t wide_row(void)
{
	hid_t type = H5Tcreate(H5T_COMPOUND, (size_t)1 << 30);

	H5Tinsert(type, "run", 0, H5T_STD_I64LE);
	return type;
}

/* ---- attributes ---- */

static void forge_attribute(hid_t file, const char *object, const struct forgery *forgery)
{
	hid_t at = H5Oopen(file, object, H5P_DEFAULT), type = forgery->type();
	hid_t space = forgery->count == 0   ? H5Screate(H5S_NULL)
		      : forgery->count == 1 ? H5Screate(H5S_SCALAR)
					    : H5Screate_simple(1, &forgery->count, NULL);
	hid_t made;
	char *value = calloc(forgery->count + 1, H5Tget_size(type) + sizeof(char *));
	char secret[] = FORGED_SECRET;

	if (H5Aexists(at, forgery->attribute) > 0)
		H5Adelete(at, forgery->attribute);
	made = H5Acreate2(at, forgery->attribute, type, space, H5P_DEFAULT, H5P_DEFAULT);
	ensure(made >= 0, "forgery '%s'", forgery->name);
	for (hsize_t i = 0; i < forgery->count; i++)
		if (H5Tis_variable_str(type) > 0)
			((char **)value)[i] = secret;
	if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) <= 0)
		memset(value, 'A', forgery->count * TEXT_BYTES);
	if (forgery->count > 0)
		ensure(H5Awrite(made, type, value) >= 0, "forgery '%s'", forgery->name);
	free(value);
	H5Aclose(made);
	H5Sclose(space);
	H5Tclose(type);
	H5Oclose(at);
}

/* ---- tables ---- */

/* Replaces `object` by a dataset of `rows` elements, without writing data. */
static hid_t put_table(hid_t file, const char *object, const struct forgery *forgery, hid_t create,
	int rank, const hsize_t *rows)
{
	hid_t type = forgery->type(), space = H5Screate_simple(rank, rows, NULL), set;

	if (H5Lexists(file, object, H5P_DEFAULT) > 0)
		H5Ldelete(file, object, H5P_DEFAULT);
	set = H5Dcreate2(file, object, type, space, H5P_DEFAULT, create, H5P_DEFAULT);
	ensure(set >= 0, "forgery '%s'", forgery->name);
	H5Sclose(space);
	H5Tclose(type);
	return set;
}

static void forge_type(hid_t file, const char *object, const struct forgery *forgery)
{
	hid_t create = H5Pcreate(H5P_DATASET_CREATE);
	const hsize_t rows = 2;

	if (forgery->type != wide_row)
		H5Pset_alloc_time(create, H5D_ALLOC_TIME_EARLY);
	H5Dclose(put_table(file, object, forgery, create, 1, &rows));
	H5Pclose(create);
}

static void forge_named_type(hid_t file, const char *object, const struct forgery *forgery)
{
	hid_t type = forgery->type(), space = H5Screate(H5S_SCALAR), set;

	H5Tcommit2(file, "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	H5Ldelete(file, object, H5P_DEFAULT);
	set = H5Dcreate2(file, object, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	H5Dclose(set);
	H5Sclose(space);
	H5Tclose(type);
}

static void forge_rank(hid_t file, const char *object, const struct forgery *forgery)
{
	const hsize_t rows[] = {2, 2};

	H5Dclose(put_table(file, object, forgery, H5P_DEFAULT, 2, rows));
}

static void forge_count(hid_t file, const char *object, const struct forgery *forgery)
{
	const hsize_t rows = (hsize_t)1 << 50;

	H5Dclose(put_table(file, object, forgery, H5P_DEFAULT, 1, &rows));
}

/* Makes a table whose chunks are missing. */
static void forge_chunks(hid_t file, const char *object, const struct forgery *forgery)
{
	hid_t create = H5Pcreate(H5P_DATASET_CREATE);
	const hsize_t rows = (hsize_t)1 << 40, chunk = 1 << 20;

	H5Pset_chunk(create, 1, &chunk);
	H5Dclose(put_table(file, object, forgery, create, 1, &rows));
	H5Pclose(create);
}

static void forge_growing(hid_t file, const char *object, const struct forgery *forgery)
{
	hid_t create = H5Pcreate(H5P_DATASET_CREATE), type = forgery->type(), space;
	const hsize_t rows = 2, most = H5S_UNLIMITED;

	H5Pset_chunk(create, 1, &rows);
	H5Pset_alloc_time(create, H5D_ALLOC_TIME_EARLY);
	space = H5Screate_simple(1, &rows, &most);
	H5Ldelete(file, object, H5P_DEFAULT);
	H5Dclose(H5Dcreate2(file, object, type, space, H5P_DEFAULT, create, H5P_DEFAULT));
	H5Sclose(space);
	H5Tclose(type);
	H5Pclose(create);
}

static size_t pass(unsigned flags, size_t count, const unsigned values[], size_t bytes,
	size_t *buffer_bytes, void **buffer)
{
	(void)flags;
	(void)count;
	(void)values;
	(void)buffer_bytes;
	(void)buffer;
	return bytes;
}

static const H5Z_class2_t own_filter = {
	H5Z_CLASS_T_VERS, OWN_FILTER, 1, 1, "own", NULL, NULL, pass};

static void forge_filter(hid_t file, const char *object, const struct forgery *forgery)
{
	hid_t create = H5Pcreate(H5P_DATASET_CREATE), set, type = forgery->type();
	const hsize_t rows = 2;
	char cells[2 * COLUMN_BYTES] = "";

	H5Pset_chunk(create, 1, &rows);
	if (forgery->count == OWN_FILTER) {
		H5Zregister(&own_filter);
		H5Pset_filter(create, OWN_FILTER, H5Z_FLAG_MANDATORY, 0, NULL);
	} else {
		H5Pset_fletcher32(create);
	}
	set = put_table(file, object, forgery, create, 1, &rows);
	H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells);
	H5Dclose(set);
	H5Tclose(type);
	H5Pclose(create);
}

/* Makes a chunk of a few bytes that decompresses to more than a chunk may hold. */
static void forge_bomb(hid_t file, const char *object, const struct forgery *forgery)
{
	hid_t create = H5Pcreate(H5P_DATASET_CREATE), big, set, space;
	const hsize_t rows = 1000, more = 4000, zero = 0;
	char *cells = calloc(more, COLUMN_BYTES), stored[4096];
	hsize_t bytes = 0;
	hid_t type = forgery->type();
	uint32_t mask;

	H5Pset_chunk(create, 1, &more);
	H5Pset_deflate(create, 9);
	space = H5Screate_simple(1, &more, NULL);
	big = H5Dcreate2(file, "big", type, space, H5P_DEFAULT, create, H5P_DEFAULT);
	H5Dwrite(big, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells);
	H5Fflush(file, H5F_SCOPE_GLOBAL);
	H5Dget_chunk_storage_size(big, &zero, &bytes);
	ensure(bytes > 0 && bytes < sizeof stored, "a chunk of %llu bytes",
		(unsigned long long)bytes);
	H5Dread_chunk(big, H5P_DEFAULT, &zero, &mask, stored);
	H5Dclose(big);
	H5Sclose(space);
	H5Pset_chunk(create, 1, &rows);
	set = put_table(file, object, forgery, create, 1, &rows);
	ensure(H5Dwrite_chunk(set, H5P_DEFAULT, 0, &zero, bytes, stored) >= 0, "no bomb");
	H5Dclose(set);
	free(cells);
	H5Tclose(type);
	H5Pclose(create);
}

/* ---- other files ---- */

static void forge_external_rows(hid_t file, const char *object, const struct forgery *forgery)
{
	hid_t create = H5Pcreate(H5P_DATASET_CREATE);
	const hsize_t rows = 2;

	H5Pset_external(create, "secret.txt", 0, 2 * COLUMN_BYTES);
	H5Dclose(put_table(file, object, forgery, create, 1, &rows));
	H5Pclose(create);
}

static void forge_virtual_rows(hid_t file, const char *object, const struct forgery *forgery)
{
	hid_t create = H5Pcreate(H5P_DATASET_CREATE), space;
	const hsize_t rows = 2;

	space = H5Screate_simple(1, &rows, NULL);
	H5Pset_virtual(create, space, "secret.h5", "/secret", space);
	H5Dclose(put_table(file, object, forgery, create, 1, &rows));
	H5Sclose(space);
	H5Pclose(create);
}

static void forge_external_link(hid_t file, const char *object, const struct forgery *forgery)
{
	(void)forgery;
	H5Ldelete(file, object, H5P_DEFAULT);
	H5Lcreate_external("secret.h5", "/secret", file, object, H5P_DEFAULT, H5P_DEFAULT);
}

static void forge_soft_link(hid_t file, const char *object, const struct forgery *forgery)
{
	(void)forgery;
	H5Ldelete(file, object, H5P_DEFAULT);
	H5Lcreate_soft(object, file, object, H5P_DEFAULT, H5P_DEFAULT);
}

static void forge_circle(hid_t file, const char *object, const struct forgery *forgery)
{
	(void)forgery;
	H5Ldelete(file, object, H5P_DEFAULT);
	H5Lcreate_hard(file, "/", file, object, H5P_DEFAULT, H5P_DEFAULT);
}

/* ---- files ---- */

void forged_secrets(void)
{
	FILE *file;
	hid_t secret, type = row(), space, set;
	const hsize_t rows = 2;
	char cells[2 * COLUMN_BYTES] = FORGED_SECRET;

	file = fopen("secret.txt", "w");
	ensure(file, "no secret");
	for (int i = 0; i < 100; i++)
		fputs(FORGED_SECRET "\n", file);
	fclose(file);
	secret = H5Fcreate("secret.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
	space = H5Screate_simple(1, &rows, NULL);
	set = H5Dcreate2(secret, "secret", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells);
	H5Dclose(set);
	H5Sclose(space);
	H5Tclose(type);
	H5Fclose(secret);
}

/* Copies all of `good` except its seal. */
static void copy_without_seal(const char *good, const char *path)
{
	FILE *from = fopen(good, "rb"), *to = fopen(path, "wb");
	struct stat info;
	char *bytes;
	size_t length;

	ensure(from && to && fstat(fileno(from), &info) == 0, "cannot copy %s", good);
	length = (size_t)info.st_size - SEAL_BYTES;
	bytes = malloc(length);
	ensure(bytes && fread(bytes, 1, length, from) == length &&
			fwrite(bytes, 1, length, to) == length,
		"cannot copy %s", good);
	free(bytes);
	fclose(from);
	fclose(to);
}

void forged_write(
	const char *good, const char *run, const struct forgery *forgery, const char *path)
{
	hid_t access = H5Pcreate(H5P_FILE_ACCESS), file;
	const char *below = strncmp(forgery->object, "RUN", 3) == 0 ? forgery->object + 3 : NULL;
	uint64_t identity;
	char object[128];

	ensure(seal_read(good, &identity) == STATUS_OK, "%s has no seal", good);
	copy_without_seal(good, path);
	H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
	file = H5Fopen(path, H5F_ACC_RDWR, access);
	ensure(file >= 0, "cannot open %s", path);
	snprintf(object, sizeof object, "%s%s", below ? run : "", below ? below : forgery->object);
	forgery->forge(file, object, forgery);
	ensure(H5Fclose(file) >= 0, "cannot write %s", path);
	H5Pclose(access);
	ensure(seal_append(path, identity) == STATUS_OK, "cannot seal %s", path);
}

#define TABLES(name_, forge_, type_, count_, is_ours_)                                             \
	{"threads: " name_, forge_, "RUN/threads", NULL, type_, count_, is_ours_},                 \
	{                                                                                          \
		"links: " name_, forge_, "RUN/links", NULL, type_, count_, is_ours_                \
	}

const struct forgery forgeries[] = {
	{"a unit of 100 texts", forge_attribute, "RUN/threads", "unit:busy", fixed_text, 100,
		false},
	{"a unit of variable texts", forge_attribute, "RUN/threads", "unit:busy", variable_text,
		100, false},
	{"a unit that is a row", forge_attribute, "RUN/threads", "unit:busy", row, 1, false},
	{"a name of 100 texts", forge_attribute, "RUN/threads", "key:busy", fixed_text, 100, false},
	{"a status of 100 texts", forge_attribute, "RUN", "status", fixed_text, 100, false},
	{"a message of variable texts", forge_attribute, "RUN", "message", variable_text, 100,
		false},
	{"a message that is a number", forge_attribute, "RUN", "message", number, 1, true},
	{"a message of no value", forge_attribute, "RUN", "message", variable_text, 0, false},
	{"a seed of 100 numbers", forge_attribute, "RUN", "seed", number, 100, false},
	{"a seed of 200 bytes", forge_attribute, "RUN", "seed", long_number, 1, false},
	{"a seed of the other order of bytes", forge_attribute, "RUN", "seed", big_endian, 1,
		false},
	{"a seed that is opaque", forge_attribute, "RUN", "seed", opaque, 1, false},
	{"a world that is a reference", forge_attribute, "RUN", "world", reference, 1, false},
	TABLES("of rows", forge_type, row_of_rows, 1, false),
	TABLES("of lists", forge_type, row_of_lists, 1, false),
	TABLES("of variable texts", forge_type, row_of_variable_texts, 1, false),
	TABLES("of arrays", forge_type, row_of_array, 1, false),
	TABLES("of long numbers", forge_type, row_of_long_numbers, 1, false),
	TABLES("of rows of a gigabyte", forge_type, wide_row, 1, false),
	TABLES("of numbers", forge_type, number, 1, false),
	TABLES("of variable texts alone", forge_type, variable_text, 1, true),
	TABLES("of a named type", forge_named_type, row, 1, false),
	TABLES("of two dimensions", forge_rank, row, 1, false),
	TABLES("of more rows than there are bytes", forge_count, row, 1, false),
	TABLES("of chunks that are not there", forge_chunks, row, 1, false),
	TABLES("that grows", forge_growing, row, 1, false),
	TABLES("with another filter", forge_filter, row, 1, false),
	TABLES("with a filter of a plugin", forge_filter, row, OWN_FILTER, false),
	TABLES("that becomes larger than it says", forge_bomb, row, 1, true),
	TABLES("with rows in another file", forge_external_rows, row, 1, false),
	TABLES("with rows of another dataset", forge_virtual_rows, row, 1, false),
	TABLES("behind an external link", forge_external_link, row, 1, false),
	TABLES("behind a soft link", forge_soft_link, row, 1, false),
	TABLES("that is the root", forge_circle, row, 1, false),
};

const unsigned forgery_count = sizeof forgeries / sizeof *forgeries;
