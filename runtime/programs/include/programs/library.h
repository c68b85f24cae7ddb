/* The library of ready-made programs. Each program has a name and an entry (struct library_row).
 * The entry declares the buffers that the program uses, and what these buffers must be like. The
 * entry also adds the kernels to a program, and computes the expected contents of every buffer that
 * the program writes. Scenarios choose an entry by its name (`library: copy`), and tests run all
 * entries.
 *
 * The caller creates an empty program (mesh/program.h, mesh/handle.h) and passes the buffers to the
 * entry by port number. The entry adds kernels, circular buffers, semaphores and arguments. An
 * entry works in the same way on one device, on a mesh, and on devices of several hosts. It only
 * needs to know where the pages of a buffer lie on a device, which is the same on all devices.
 *
 * Most entries build one program, which every device runs on its own part of the buffers, without
 * communication between devices. If the program differs between devices (a collective), the entry
 * is built once for each device.
 *
 * Spec 3.7, flow 7. */
#ifndef PROGRAMS_LIBRARY_H
#define PROGRAMS_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "layout/element.h"
#include "memory/placement.h"
#include "mesh/buffer.h"
#include "mesh/mesh.h"
#include "mesh/program.h"

enum { LIBRARY_PORTS_MAX = 5 };

/* A buffer from a program's point of view. On every device, it has the same address and the same
 * placement. The struct does not own the placement. */
struct library_buffer {
	const struct placement *placement;
	uint32_t address;
};

/* The input because of which build() failed, for example a buffer. If build() fails for another
 * reason, it leaves use->blame unchanged. */
struct library_blame {
	enum library_input {
		LIBRARY_OF_PROGRAM, /* no single input */
		LIBRARY_OF_ELEMENT,
		LIBRARY_OF_TILES,
		LIBRARY_OF_SLICE,
		LIBRARY_OF_IMAGE,
		LIBRARY_OF_CORES,
		LIBRARY_OF_BUFFER
	} input;
	uint32_t port; /* number of the port whose buffer does not match */
};

/* An image of pixels, and the convolution kernel that is moved over it. Each array contains a value
 * for the height and a value for the width. */
struct library_image {
	uint32_t size[2], kernel[2];
	uint32_t stride[2];   /* number of pixels from one position of the kernel to the next */
	uint32_t padding[2];  /* number of zeros on each side of the image */
	uint32_t dilation[2]; /* number of pixels from one tap of the kernel to the next */
	/* Number of groups into which the channels of the image and of the result are divided. A
	 * group of the result is computed from one group of the image. 0 means 1. */
	uint32_t groups;
};

/* The buffers, cores and parameters for which a library entry (struct library_row) builds a
 * program. The members for ports and parameters that the entry does not have are 0. */
struct library_use {
	struct library_buffer buffers[LIBRARY_PORTS_MAX]; /* [port] buffer of the port */
	struct cores cores;				  /* the workers that run the program,
							   * at least one */
	enum element element;				  /* element type of the values */
	uint32_t tiles[3]; /* sizes of the matrices, in tiles of 32x32: rows, columns and, for a
			    * product, the inner size */
	uint32_t slice[4]; /* slice of a matrix, in tiles: first row, first column, number of rows,
			    * number of columns */
	struct library_image image;
	struct mesh_shape devices; /* shape of the devices that run the program together */
	/* place in `devices` of the device for which the program is built; 0 if all devices run the
	 * same program */
	uint16_t row, column;
	struct library_blame *blame; /* receives the input that was rejected; may be NULL */
};

/* The parameters that an entry takes in addition to buffers and cores. */
enum library_parameter {
	LIBRARY_ELEMENT = 1 << 0,
	LIBRARY_TILES = 1 << 1, /* numbers of rows and columns */
	LIBRARY_INNER = 1 << 2, /* additionally the size of the inner dimension */
	LIBRARY_SLICE = 1 << 3,
	LIBRARY_IMAGE = 1 << 4,
};

/* A buffer that an entry takes. */
struct library_port {
	const char *name; /* for example "from" */
	const char *what; /* requirements in one line, for example "any pages" */
	bool written;	  /* true: the program overwrites the whole buffer, so its previous contents
			   * do not matter */
};

/* Values on one device. ports[i] points to the contents of port i, which is the device's part of a
 * buffer: page by page without gaps, as reads return it (mesh/queue.h). */
struct library_values {
	uint8_t *ports[LIBRARY_PORTS_MAX];
};

struct library_row {
	const char *name;    /* for example "copy" */
	const char *what;    /* description in one sentence */
	const char *section; /* section of the specification */
	unsigned parameters; /* values of enum library_parameter, combined with | */
	bool differs;	     /* true: each device has its own program; false: all devices run the
			      * same program */
	uint32_t port_count;
	struct library_port ports[LIBRARY_PORTS_MAX];
	/* The size of each port in tiles, as letters. The last two letters are the numbers of rows
	 * and columns; the letter h before them is the number of heads. The same letter stands for
	 * the same number in all ports. r, c and k are the three numbers in `tiles`; s is c + k,
	 * and t is r + k. y and x are the numbers of rows and columns of a slice. 1 is the number
	 * 1. o, i and w may be any number. NULL: the port is not made of tiles, or may have any
	 * number of pages. */
	const char *shapes[LIBRARY_PORTS_MAX];

	/* Adds kernels, buffers and everything else to the empty `program`, and sets its arguments.
	 * Returns OK, or an error with a reason in `why` (may be NULL). Returns INVALID if buffers
	 * or parameters do not match, and UNSUPPORTED if kernels cannot address a layout. Also
	 * returns the errors of program_add_kernel() and similar functions. After an error, the
	 * program can only be freed. */
	enum status (*build)(
		struct program *program, const struct library_use *use, struct text *why);

	/* Computes the expected contents of the ports that the program writes, from the contents of
	 * all other ports. The program must write the same bytes. A program must have been built
	 * for `use` before. `values` belong to one device or, if `differs` is set, to all
	 * `use->devices` in row-major order. Runs on the host and takes no simulated time. */
	void (*reference)(const struct library_use *use, const struct library_values *values);
};

/* Returns the entry with index `index` (from 0), in the order of output; NULL after the last. */
const struct library_row *library_row(size_t index);

/* Returns the name of the entry with index `index`; NULL after the last. */
const char *library_name(size_t index);

/* Returns the entry with this name; NULL if there is none. */
const struct library_row *library_find(const char *name);

/* Returns the number of a port of the entry, or -1 if it has no port with this name. */
int library_port_find(const struct library_row *row, const char *name);

/* Returns the address and placement of a mesh buffer, for programs. The result is valid as long as
 * the buffer exists. */
struct library_buffer library_buffer(const struct mesh_buffer *buffer);

/* Creates a program for devices of `mesh`, and builds it with row->build(). The caller owns
 * *program and frees it before the buffers. Returns the status of build(). */
enum status library_program_new(struct mesh_device *mesh, const char *name,
	const struct library_row *row, const struct library_use *use, struct text *why,
	struct program **program);

/* Called by entries: stores in use->blame, if the caller gave one, which input is rejected. */
void library_refuses(const struct library_use *use, enum library_input input, uint32_t port);

/* library_core_count() returns the number of workers that `use->cores` names on a device.
 * library_core() returns the index of the i-th of these workers, in row-major order;
 * program_set_args() expects the same index. */
uint32_t library_core_count(const struct library_use *use);
uint32_t library_core(const struct library_use *use, uint32_t i);

/* The entries by name, for tests that use a particular entry: library_copy is the entry "copy". */
#define LIBRARY(name) extern const struct library_row library_##name;
#include "programs/library.def"
#undef LIBRARY

/* Descriptions of buffers, for kernels that execute instructions. A description is a list of words
 * from which the PAGE instruction computes the place of a page (command/kernel_program.h). The
 * words are arguments of the kernel, so buffers on too many tiles have no description. */

enum { PAGES_WORDS_MAX = 256 };

/* Writes the description of `buffer` and returns the number of its words. Returns 0 if the shards
 * of the buffer lie on more tiles than the arguments can contain. */
uint32_t pages_describe(const struct library_buffer *buffer, uint32_t words[PAGES_WORDS_MAX]);

#endif
