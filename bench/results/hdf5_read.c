/* Reads back what hdf5_write.c wrote, for merging and resuming. Refuses anything else. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/results/hdf5_write.h"

herr_t hdf5_get_text(hid_t object, const char *name, char *out, size_t size)
{
	hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);

	if (attribute < 0)
		return -1;

	hid_t type = H5Aget_type(attribute);
	char *text = NULL;
	herr_t status = H5Tis_variable_str(type) > 0 ? H5Aread(attribute, type, &text) : -1;

	if (status >= 0 && text) {
		strncpy(out, text, size - 1);
		out[size - 1] = '\0';
		H5free_memory(text);
	}
	H5Tclose(type);
	H5Aclose(attribute);
	return status;
}

static herr_t get_attribute(hid_t object, const char *name, hid_t type, void *out)
{
	hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);

	if (attribute < 0)
		return -1;

	herr_t status = H5Aread(attribute, type, out);

	H5Aclose(attribute);
	return status;
}

herr_t hdf5_get_u64(hid_t object, const char *name, uint64_t *out)
{
	return get_attribute(object, name, H5T_NATIVE_UINT64, out);
}

herr_t hdf5_row_count(hid_t group, const char *name, uint32_t *count)
{
	hid_t set = H5Dopen2(group, name, H5P_DEFAULT);

	if (set < 0)
		return -1;

	hid_t space = H5Dget_space(set);
	hssize_t rows = H5Sget_simple_extent_npoints(space);

	*count = (uint32_t)rows;
	H5Sclose(space);
	H5Dclose(set);
	return rows < 0 || rows > UINT32_MAX ? -1 : 0;
}

herr_t hdf5_read_texts(
	hid_t group, const char *name, struct arena *arena, const char ***texts, uint32_t *count)
{
	char **read = NULL;

	if (hdf5_row_count(group, name, count) < 0)
		return -1;
	*texts = arena_array(arena, *count + 1, sizeof **texts);
	if (*count == 0)
		return 0;

	hid_t set = H5Dopen2(group, name, H5P_DEFAULT), type = H5Dget_type(set);
	hid_t space = H5Dget_space(set), transfer = hdf5_transfer(sizeof *read);
	herr_t status = H5Tis_variable_str(type) > 0 ? 0 : -1;

	read = calloc(*count, sizeof *read);
	if (status >= 0)
		status = read ? H5Dread(set, type, H5S_ALL, H5S_ALL, transfer, read) : -1;
	for (uint32_t i = 0; i < *count && status >= 0; i++)
		(*texts)[i] = arena_string(arena, read[i] ? read[i] : "");
	if (status >= 0)
		H5Dvlen_reclaim(type, space, H5P_DEFAULT, read);
	free(read);
	H5Pclose(transfer);
	H5Sclose(space);
	H5Tclose(type);
	H5Dclose(set);
	return status;
}

/* A time as bench has it, see table.h. */
static void read_time(char *cell)
{
	double real;
	int64_t time;

	memcpy(&real, cell, sizeof real);
	time = isnan(real) ? -1 : (int64_t)real;
	memcpy(cell, &time, sizeof time);
}

herr_t hdf5_read_table(hid_t group, const struct table *layout, void **rows, uint32_t *row_count)
{
	hid_t set = H5Dopen2(group, layout->name, H5P_DEFAULT);

	if (set < 0)
		return -1;

	hid_t space = H5Dget_space(set), type = hdf5_row_type(layout);
	hid_t transfer = hdf5_transfer(layout->row_bytes);
	hssize_t count = H5Sget_simple_extent_npoints(space);
	herr_t status = count < 0 || count > UINT32_MAX ? -1 : 0;

	*rows = NULL;
	*row_count = 0;
	if (status >= 0 && count > 0) {
		*rows = calloc((size_t)count, layout->row_bytes);
		status = *rows ? H5Dread(set, type, H5S_ALL, H5S_ALL, transfer, *rows) : -1;
		*row_count = (uint32_t)count;
		if (status >= 0)
			hdf5_change_times(layout, *rows, *row_count, read_time);
	}
	H5Pclose(transfer);
	H5Tclose(type);
	H5Sclose(space);
	H5Dclose(set);
	return status;
}
