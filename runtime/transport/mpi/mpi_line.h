/* Lines over MPI: frames between two ranks, each way on a tag; and the library's part of an end,
 * which looks for them again and again, since the library has nothing that could be waited for.
 * Private to the room. Knows neither hubs nor members. All with the end's mutex held, but for
 * opening and closing. */
#ifndef TRANSPORT_MPI_LINE_H
#define TRANSPORT_MPI_LINE_H

#include <stdatomic.h>

#include "end.h"
#include "mpi_api.h"
#include "world/world.h"

enum { MPI_TOGETHER_BYTES = 8000 }; /* payloads that leave with their header */

struct mpi_line;

/* The library's part of an end. */
struct mpi {
	const struct mpi_api *api;
	struct end *end;
	struct mpi_line **lines;
	MPI_Request *receiving; /* of the line with the same index */
	/* What MPI_Testsome() has found, as long as there are lines. */
	int *found;
	MPI_Status *statuses;
	struct mpi_line **hearing;
	uint32_t count, capacity;
	struct mpi_line *leaving; /* nobody hears them any more; something has not left */
	int64_t heard_ns;	  /* something came or left */
	uint64_t looks;		  /* how often it was looked at what came */
	bool pausing;		  /* who polls sleeps before it looks again */
	int64_t used_ns;	  /* somebody polled */
	/* Hears while nobody is in a call, so that goodbyes are answered. */
	pthread_t thread;
	bool has_thread;
	atomic_bool stop;
	int stop_fd;
};

struct mpi_piece;

struct mpi_line {
	struct mpi *mpi;
	struct mpi_line *next; /* among those that leave */
	uint32_t index;
	MPI_Comm comm;
	int rank, tag_in, tag_out;
	uint64_t next_in, next_out;
	uint32_t length_max;		/* of payloads that come */
	struct mpi_piece *first, *last; /* have not left */
	bool over;			/* nobody hears it any more */
	bool stuck;			/* and the library still writes to it */
	int64_t over_ns;		/* until then, what was told may leave */
	struct extent *payload;		/* that comes by itself; NULL: a header does */
	const uint64_t *session;	/* of its frames: the owner's */
	void *owner;

	/* A frame came: its header (NULL: what came is none) and payload, with a reference. */
	void (*heard)(struct mpi_line *line, const uint8_t *header, struct span payload);
	uint8_t in[FRAME_HEADER_BYTES + MPI_TOGETHER_BYTES];
};

/* Opens the library's part of an end, and hears. IO: it cannot; close it then, too. */
enum status mpi_open(struct mpi *mpi, struct end *end);

/* Without the mutex: ends all lines, and frees them. */
void mpi_close(struct mpi *mpi);

/* Takes in all that has come. True: something had. */
bool mpi_hear(struct mpi *mpi);

/* As struct end's list(): hears, and says when to look again. True: who polls may leave out other
 * descriptors this time. */
bool mpi_look(struct mpi *mpi);

/* Something was told: who polls looks at once. */
void mpi_told(struct mpi *mpi);

/* A line to a rank, on two tags. heard() and owner are the caller's to set before the mutex is let
 * go. NULL: the library cannot. */
struct mpi_line *mpi_line_new(struct mpi *mpi, MPI_Comm comm, int rank, int tag_in, int tag_out);

/* Lets a frame leave. False: it cannot. */
bool mpi_line_tell(
	struct mpi_line *line, enum frame_kind kind, uint32_t credit, struct span payload);

/* Nobody hears it any more. What was told leaves, if it does within a second. */
void mpi_line_leave(struct mpi_line *line);

#endif
