/* Polls for messages over MPI (mpi_line.h). While messages arrive, an end polls without pausing.
 * When no messages arrive, the pauses between polls become longer, so that an idle end does not
 * occupy a core. */
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "mpi_line.h"

/* For SPIN_NS after the last message, the end polls for messages without pausing, because waking
 * from a sleep takes longer than most answers. After that, it pauses between polls. A pause is a
 * quarter of the time since the last message, at most PAUSE_MAX_NS. */
enum {
	SPIN_NS = 200000,
	PAUSE_MAX_NS = 500000,
	/* Polling the file descriptors of the end costs a system call. So the end polls them only
	 * once in DESCRIPTORS_EVERY polls for messages. */
	DESCRIPTORS_EVERY = 64,
};

bool mpi_look(struct mpi *mpi)
{
	struct end *end = mpi->end;
	bool some = mpi_hear(mpi);
	int64_t now_ns = world->now_ns(), silence_ns = now_ns - mpi->heard_ns;

	mpi->used_ns = now_ns;
	end->news |= some;
	mpi->pausing = silence_ns >= SPIN_NS || mpi->count == 0;
	end->look_ns = mpi->pausing ? silence_ns / 4 : 0;
	if (end->look_ns > PAUSE_MAX_NS)
		end->look_ns = PAUSE_MAX_NS;
	if (mpi->count == 0)
		end->look_ns = INT64_MAX;
	return !mpi->pausing && mpi->looks % DESCRIPTORS_EVERY != 0;
}

void mpi_told(struct mpi *mpi)
{
	mpi->heard_ns = world->now_ns();
	if (mpi->pausing)
		end_ring(mpi->end);
}

/* ---- the thread that receives while no call is in progress ---- */

enum { IDLE_MS = 2 };

static void *mpi_look_hear_meanwhile(void *argument)
{
	struct mpi *mpi = argument;
	struct end *end = mpi->end;

	while (!atomic_load(&mpi->stop)) {
		struct pollfd polls = {mpi->stop_fd, POLLIN, 0};

		pthread_mutex_lock(&end->mutex);
		if (!end->polling && mpi->used_ns + IDLE_MS * 1000000 <= world->now_ns() &&
			mpi_hear(mpi))
			pthread_cond_broadcast(&end->changed);
		pthread_mutex_unlock(&end->mutex);
		(void)poll(&polls, 1, IDLE_MS);
	}
	return NULL;
}

/* ---- the library's part of an end ---- */

enum status mpi_open(struct mpi *mpi, struct end *end)
{
	*mpi = (struct mpi){.api = mpi_api(), .end = end};
	mpi->stop_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	mpi->has_thread = mpi->stop_fd >= 0 &&
			  pthread_create(&mpi->thread, NULL, mpi_look_hear_meanwhile, mpi) == 0;
	return mpi->has_thread ? STATUS_OK : STATUS_IO;
}

void mpi_close(struct mpi *mpi)
{
	const uint64_t one = 1;

	if (!mpi->api)
		return;
	if (mpi->has_thread) {
		atomic_store(&mpi->stop, true);
		(void)!write(mpi->stop_fd, &one, sizeof one);
		pthread_join(mpi->thread, NULL);
	}
	if (mpi->stop_fd >= 0)
		close(mpi->stop_fd);
	while (mpi->count > 0)
		mpi_line_leave(mpi->lines[0]);
	while (mpi->leaving)
		mpi_hear(mpi);
	free(mpi->lines);
	free(mpi->hearing);
	free(mpi->receiving);
	free(mpi->found);
	free(mpi->statuses);
	*mpi = (struct mpi){.stop_fd = -1};
}
