/* Hashes of simulation results (see run_print.h). */
#include "run_print.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

struct print {
	uint64_t *hash;
	const char *const *but; /* names of ignored tables and totals; ends with NULL */
};

static bool counts(const struct print *print, const char *path)
{
	const char *slash = strrchr(path, '/');

	for (const char *const *name = print->but; name && *name; name++)
		if (strcmp(slash ? slash + 1 : path, *name) == 0)
			return false;
	return true;
}

/* Clears columns of text, because they only have names. */
static void forget_names(hid_t type, uint8_t *rows, size_t count)
{
	size_t row_bytes = H5Tget_size(type);

	for (unsigned i = 0; i < (unsigned)H5Tget_nmembers(type); i++) {
		hid_t member = H5Tget_member_type(type, i);

		for (size_t row = 0; H5Tget_class(member) == H5T_STRING && row < count; row++)
			memset(rows + row * row_bytes + H5Tget_member_offset(type, i), 0,
				H5Tget_size(member));
		H5Tclose(member);
	}
}

/* Adds a dataset if it is a table. */
static void add_table(hid_t group, const char *name, bool names, uint64_t *hash)
{
	hid_t set = H5Dopen2(group, name, H5P_DEFAULT), type = H5Dget_type(set);
	hid_t space = H5Dget_space(set);
	hssize_t rows = H5Sget_simple_extent_npoints(space);
	void *bytes = calloc((size_t)rows + 1, H5Tget_size(type));

	if (H5Tget_class(type) == H5T_COMPOUND && rows > 0 && bytes &&
		H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0) {
		if (!names)
			forget_names(type, bytes, (size_t)rows);
		*hash = hash_more(*hash, name, strlen(name));
		*hash = hash_more(*hash, bytes, (size_t)rows * H5Tget_size(type));
	}
	free(bytes);
	H5Sclose(space);
	H5Tclose(type);
	H5Dclose(set);
}

static herr_t add_dataset(hid_t runs, const char *name, const H5O_info_t *info, void *argument)
{
	const struct print *print = argument;

	const char *slash = strrchr(name, '/');
	bool names = strcmp(slash ? slash + 1 : name, "charges") != 0; /* these are of steps */

	if (info->type == H5O_TYPE_DATASET && counts(print, name))
		add_table(runs, name, names, print->hash);
	return 0;
}

static herr_t add_total(hid_t group, const char *name, const H5A_info_t *info, void *argument)
{
	const struct print *print = argument;
	uint64_t *hash = print->hash, value = 0;
	hid_t attribute = H5Aopen(group, name, H5P_DEFAULT), type = H5Aget_type(attribute);

	(void)info;
	if (H5Tget_class(type) == H5T_INTEGER && strcmp(name, "scenario_hash") != 0 &&
		strcmp(name, "seed") != 0 && counts(print, name) &&
		H5Aread(attribute, H5T_NATIVE_UINT64, &value) >= 0) {
		*hash = hash_more(*hash, name, strlen(name));
		*hash = hash_more(*hash, &value, sizeof value);
	}
	H5Tclose(type);
	H5Aclose(attribute);
	return 0;
}

static herr_t add_run(hid_t runs, const char *name, const H5L_info_t *info, void *argument)
{
	hid_t group = H5Gopen2(runs, name, H5P_DEFAULT);
	hsize_t start = 0;

	(void)info;
	H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_INC, &start, add_total, argument);
	H5Gclose(group);
	return 0;
}

uint64_t run_print(const char *path)
{
	static const char *const names[] = {
		"left", NULL}; /* This table is left out. Its rows name objects and places in the
				* scenario, and the hash must not depend on these. */

	return run_print_but(path, names);
}

uint64_t run_print_operations(const char *path)
{
	hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
	uint64_t hash = HASH_EMPTY;

	if (file < 0)
		return 0;
	add_table(file, "ops", false, &hash);
	H5Fclose(file);
	return hash;
}

uint64_t run_print_but(const char *path, const char *const *but)
{
	H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* a missing file is not an error */

	hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
	hid_t runs = file < 0 ? -1 : H5Gopen2(file, "runs", H5P_DEFAULT);
	uint64_t hash = HASH_EMPTY;
	struct print print = {&hash, but};
	hsize_t start = 0;

	if (runs >= 0) {
		H5Ovisit2(runs, H5_INDEX_NAME, H5_ITER_INC, add_dataset, &print, H5O_INFO_BASIC);
		H5Literate(runs, H5_INDEX_NAME, H5_ITER_INC, &start, add_run, &print);
		H5Gclose(runs);
	}
	if (file >= 0)
		H5Fclose(file);
	return runs < 0 ? 0 : hash;
}
