/* Forged result files, which have a valid seal, but contents that meshsim never writes. They are
 * made with the HDF5 library, from a valid result or from a valid part of one. A forgery changes
 * the type or shape of an attribute or table, refers to other files or objects, adds a filter, or
 * contains an impossible count. */
#ifndef TEST_FORGED_H
#define TEST_FORGED_H

#include <stdbool.h>

#include <hdf5.h>

struct forgery {
	const char *name;
	void (*forge)(hid_t file, const char *object, const struct forgery *forgery);
	const char *object;    /* path such as "/summary"; "RUN": the group of the first run */
	const char *attribute; /* NULL: the forgery is not an attribute */
	hid_t (*type)(void);   /* type of the attribute, or of a table's elements */
	hsize_t count;	       /* number of elements; 0: none, not even a scalar */
	bool is_ours; /* true: undamaged files also have such contents, but in other places. So
		       * h5_check() accepts the forgery, and only a reader of the object rejects it
		       */
};

extern const struct forgery forgeries[];
extern const unsigned forgery_count;

/* The content of other files, which forgeries try to read (forged_secrets()). */
#define FORGED_SECRET "a secret of another file"

/* Writes secret.txt and secret.h5 into the current folder. Forgeries refer to these files. */
void forged_secrets(void);

/* Copies the sealed file `good` to `path` with a forgery, and seals the copy. `run` is the group of
 * the first run of the file: "/runs/000000", or "/run" for a part. */
void forged_write(
	const char *good, const char *run, const struct forgery *forgery, const char *path);

#endif
