/* The exchange of two processes over a library alone, see bare.h. Refuses to know one. */
#include "bare.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/ensure.h"

struct bare {
	const struct bare_library *library;
	pid_t other;
	int order[2]; /* what is to be answered: bytes and count */
	void *self;
	char address[BARE_ADDRESS_BYTES];
};

static const struct bare_library *const libraries[] = {
	&bare_tcp, &bare_unix, &bare_zeromq, &bare_nng, &bare_ucx, &bare_grpc};

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* Says back what it is told to, until it is ended. */
static void answer(const struct bare *bare, int address_to)
{
	char address[BARE_ADDRESS_BYTES] = "";
	void *self = bare->library->listen(address);
	uint32_t order[2];

	ensure(write(address_to, address, sizeof address) == sizeof address, "no pipe");
	while (read(bare->order[0], order, sizeof order) == sizeof order) {
		uint8_t *payload = allocate(order[0], 1);

		for (uint32_t i = 0; i < order[1]; i++) {
			bare->library->hear(self, payload, order[0]);
			bare->library->say(self, payload, order[0]);
		}
		free(payload);
	}
}

struct bare *bare_start(const char *row)
{
	const struct bare_library *library = NULL;
	struct bare *bare;
	int address_from[2];

	for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++)
		if (libraries[i]->listen &&
			strncmp(libraries[i]->row, row, strlen(libraries[i]->row)) == 0)
			library = libraries[i];
	if (!library)
		return NULL;
	bare = allocate(1, sizeof *bare);
	bare->library = library;
	ensure(pipe(bare->order) == 0 && pipe(address_from) == 0, "no pipe");
	bare->other = fork();
	ensure(bare->other >= 0, "cannot fork");
	if (bare->other == 0) {
		answer(bare, address_from[1]);
		_exit(0);
	}
	ensure(read(address_from[0], bare->address, sizeof bare->address) == sizeof bare->address,
		"%s: nobody listens", row);
	close(address_from[0]);
	close(address_from[1]);
	return bare;
}

void bare_rounds(struct bare *bare, uint32_t bytes, uint32_t count, int64_t *times_ns)
{
	const uint32_t before = count / 10, order[2] = {bytes, before + count};
	uint8_t *payload = allocate(bytes, 1);

	if (!bare->self)
		bare->self = bare->library->connect(bare->address);
	ensure(write(bare->order[1], order, sizeof order) == sizeof order, "no pipe");
	for (uint32_t i = 0; i < order[1]; i++) {
		int64_t begin_ns = now_ns();

		bare->library->say(bare->self, payload, bytes);
		bare->library->hear(bare->self, payload, bytes);
		if (i >= before)
			times_ns[i - before] = now_ns() - begin_ns;
	}
	free(payload);
}

void bare_end(struct bare *bare)
{
	if (!bare)
		return;
	kill(bare->other, SIGKILL);
	waitpid(bare->other, NULL, 0);
	close(bare->order[0]);
	close(bare->order[1]);
	free(bare);
}
