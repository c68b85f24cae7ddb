/* The library: programs that are ready to use, a row for each, by name. A row says which buffers it
 * takes and what they have to be, adds its kernels to a program, and says what every buffer that it
 * writes must hold afterwards. Scenarios choose rows (`library: copy`), tests run all of them.
 *
 * Who makes what. The caller makes an empty program wherever programs are made (mesh/program.h,
 * mesh/handle.h) and says its buffers by number of port; the row adds kernels, circular buffers,
 * semaphores and arguments. So a row runs on one device, a mesh, or devices of several hosts, and
 * knows none of them: it sees where the pages of a buffer lie on a device, which is the same on
 * all.
 *
 * Most rows are alike: every device runs the same program on its own part of the buffers, and
 * speaks to no other. A row that is not alike (a collective) is asked once for each device.
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
#include "mesh/cores.h"
#include "mesh/mesh.h"
#include "mesh/program.h"

enum { LIBRARY_PORTS_MAX = 4 };

/* A buffer as a program knows it: on every device at one address, in the same places. Open value;
 * refers to the buffer's placement. */
struct library_buffer {
	const struct placement *placement;
	uint32_t address;
};

/* What a program is made for. What its row has no port or parameter for is 0. Open value. */
struct library_use {
	struct library_buffer buffers[LIBRARY_PORTS_MAX]; /* by port */
	struct cores cores;				  /* workers, one or more */
	enum element element;				  /* of the values */
	uint32_t tiles[3]; /* extents in tiles of 32x32: rows, columns; of a product rows, columns,
			      and the inner extent behind them */
	struct mesh_shape devices; /* that run it, all together */
	uint16_t row, column;	   /* of the one that it is made for, in these; 0 if it is alike */
};

/* Which parameters a row takes, beside buffers and cores. */
enum library_parameter {
	LIBRARY_ELEMENT = 1 << 0,
	LIBRARY_TILES = 1 << 1, /* rows, columns */
	LIBRARY_INNER = 1 << 2, /* and the inner extent */
};

/* A buffer that a row takes. */
struct library_port {
	const char *name; /* "from" */
	const char *what; /* one line: "any pages" */
	bool written;	  /* what it held before is of no matter, and is written whole */
};

/* Values on one device: for each port the bytes of its part of the buffer, pages in their order and
 * without gaps, as reads give them (mesh/queue.h). */
struct library_values {
	uint8_t *ports[LIBRARY_PORTS_MAX];
};

struct library_row {
	const char *name;    /* "copy" */
	const char *what;    /* one sentence */
	const char *section; /* of the specification */
	unsigned parameters; /* enum library_parameter, or-ed */
	bool differs;	     /* is asked for each device; else it is alike on all */
	uint32_t port_count;
	struct library_port ports[LIBRARY_PORTS_MAX];

	/* Adds everything to `program`, which is empty, and sets its arguments. Errors, with a
	 * sentence in `why` (may be NULL): INVALID (buffers or parameters that do not fit each
	 * other), UNSUPPORTED (a layout that kernels do not know), those of program_add_kernel()
	 * and its like. After an error the program is only good to be freed. */
	enum status (*build)(
		struct program *program, const struct library_use *use, struct text *why);

	/* Fills the ports that are written, byte by byte as the program must leave them, from the
	 * others. `use` is one that was built. Of a row that is alike `values` are one device's; of
	 * one that differs, those of all `use->devices` in row-major order. Runs on the host and
	 * takes no time of it. */
	void (*reference)(const struct library_use *use, const struct library_values *values);
};

/* Rows in the order in which they are printed; `index` counts from 0, NULL behind the last. */
const struct library_row *library_row(size_t index);

/* Their names, likewise. */
const char *library_name(size_t index);

/* The row of a name, or NULL. */
const struct library_row *library_find(const char *name);

/* The number of a port of the row, or -1. */
int library_port_find(const struct library_row *row, const char *name);

/* A mesh buffer as programs know it, as long as it lives. */
struct library_buffer library_buffer(const struct mesh_buffer *buffer);

/* Makes a program of the row for devices of `mesh`; *program is the caller's, to be freed before
 * the buffers are. Errors as build(). */
enum status library_program_new(struct mesh_device *mesh, const char *name,
	const struct library_row *row, const struct library_use *use, struct text *why,
	struct program **program);

/* Of these workers of a device: how many there are, and the index of number `i` of them, as
 * program_set_args() counts. In row-major order. */
uint32_t library_core_count(const struct library_use *use);
uint32_t library_core(const struct library_use *use, uint32_t i);

/* Every row, for tests that know one: library_copy is the row of "copy". */
#define LIBRARY(name) extern const struct library_row library_##name;
#include "programs/library.def"
#undef LIBRARY

#endif
