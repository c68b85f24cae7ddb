/* Copies result files without /host, see strip_host.h. Chunks are copied raw, without decompressing
 * them. */
#include "strip_host.h"

#include <hdf5.h>
#include <stdio.h>
#include <string.h>

struct copy {
	hid_t from, to;
	bool good;
};

static hid_t create(const char *path)
{
	hid_t access = H5Pcreate(H5P_FILE_ACCESS), file_create = H5Pcreate(H5P_FILE_CREATE);

	H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
	H5Pset_obj_track_times(file_create, false);
	H5Pset_attr_phase_change(file_create, 4096, 0);

	hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, file_create, access);

	H5Pclose(access);
	H5Pclose(file_create);
	return file;
}

static herr_t copy_attribute(hid_t from, const char *name, const H5A_info_t *info, void *argument)
{
	struct copy *copy = argument;
	hid_t old = H5Aopen(from, name, H5P_DEFAULT);
	hid_t type = H5Aget_type(old), space = H5Aget_space(old);
	hid_t made = H5Acreate2(copy->to, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
	char *text = NULL;
	unsigned char bytes[64];
	bool is_text = H5Tis_variable_str(type) > 0;
	void *value = is_text ? (void *)&text : bytes;

	(void)info;
	copy->good = copy->good && made >= 0 && H5Tget_size(type) <= sizeof bytes &&
		     H5Aread(old, type, value) >= 0 && H5Awrite(made, type, value) >= 0;
	if (is_text)
		H5Dvlen_reclaim(type, space, H5P_DEFAULT, value);
	H5Aclose(made);
	H5Sclose(space);
	H5Tclose(type);
	H5Aclose(old);
	return copy->good ? 0 : -1;
}

static herr_t copy_link(hid_t from, const char *name, const H5L_info_t *info, void *argument)
{
	struct copy *copy = argument;

	(void)info;
	if (strcmp(name, "host") == 0)
		return 0;
	copy->good =
		copy->good && H5Ocopy(from, name, copy->to, name, H5P_DEFAULT, H5P_DEFAULT) >= 0;
	return copy->good ? 0 : -1;
}

bool strip_host(const char *path, const char *out)
{
	struct copy copy = {.from = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), .good = true};
	hsize_t start = 0;

	if (copy.from < 0) {
		fprintf(stderr, "cannot open %s\n", path);
		return false;
	}
	copy.to = create(out);
	H5Aiterate2(copy.from, H5_INDEX_NAME, H5_ITER_INC, &start, copy_attribute, &copy);
	start = 0;
	H5Literate(copy.from, H5_INDEX_NAME, H5_ITER_INC, &start, copy_link, &copy);
	H5Fclose(copy.from);
	copy.good = H5Fclose(copy.to) >= 0 && copy.good;
	if (!copy.good)
		fprintf(stderr, "cannot copy %s to %s\n", path, out);
	return copy.good;
}

bool same_bytes(const char *a, const char *b)
{
	FILE *a_file = fopen(a, "rb"), *b_file = fopen(b, "rb");
	long at = 0;
	int a_byte = 0, b_byte = 0;

	while (a_file && b_file && a_byte == b_byte && a_byte != EOF) {
		a_byte = getc(a_file);
		b_byte = getc(b_file);
		at++;
	}
	if (a_file)
		fclose(a_file);
	if (b_file)
		fclose(b_file);
	if (a_file && b_file && a_byte == b_byte)
		return true;
	fprintf(stderr, "%s and %s differ at byte %ld: 0x%x and 0x%x\n", a, b, at, (unsigned)a_byte,
		(unsigned)b_byte);
	return false;
}
