/* Forged result files: what meshsim never writes, under its seal. Made of a good result, or of a
 * part, with the HDF5 library: other types and shapes of attributes and tables, storage and links
 * that lead elsewhere, filters, counts that no file holds. */
#ifndef TEST_FORGED_H
#define TEST_FORGED_H

#include <stdbool.h>

#include <hdf5.h>

struct forgery {
	const char *name;
	void (*forge)(hid_t file, const char *object, const struct forgery *forgery);
	const char *object;    /* "/summary"; "RUN" stands for the group of the first run */
	const char *attribute; /* of attributes; else NULL */
	hid_t (*type)(void);   /* of the attribute, of each element of a table */
	hsize_t count;	       /* elements of an attribute; 0: none, not even a scalar */
	bool is_ours; /* such things are in our files, elsewhere: refused only where it is read */
};

extern const struct forgery forgeries[];
extern const unsigned forgery_count;

/* What those files hold that forgeries try to show, see forged_secrets(). */
#define FORGED_SECRET "a secret of another file"

/* Writes secret.txt and secret.h5 into the current folder, where forgeries look for them. */
void forged_secrets(void);

/* Writes to `path` the sealed file `good` with that forgery, sealed anew. `run`: the group of its
 * first run, "/runs/000000" or, of a part, "/run". */
void forged_write(
	const char *good, const char *run, const struct forgery *forgery, const char *path);

#endif
