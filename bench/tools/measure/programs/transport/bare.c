/* Exchanges messages between two processes through a transport library, without meshsim's own code
 * around it (see bare.h). This file does not depend on the library. */
#include "bare.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "bench/tools/measure/samples.h"

struct bare {
	const struct bare_library *library;
	pid_t other, asker; /* asker: 0 if it is this process */
	int order[2];	    /* pipe to the answering process, with bytes and count */
	int question[2];    /* pipe to the asking process, with bytes and count */
	int times[2];	    /* pipe from the asking process, with the measured times */
	void *self;
	char address[BARE_ADDRESS_BYTES];
};

static const struct bare_library *const libraries[] = {&bare_tcp, &bare_unix, &bare_zeromq,
	&bare_nng, &bare_ucx_tcp, &bare_ucx_shm, &bare_grpc, &bare_mpi};

/* Answers each order, until the pipe of orders is closed. */
static void bare_answer(const struct bare *bare, int address_to)
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

static void exchange(struct bare *bare, uint32_t bytes, uint32_t count, int64_t *times_ns)
{
	const uint32_t before = count / 10, order[2] = {bytes, before + count};
	uint8_t *payload = allocate(bytes, 1);

	/* send the order first: some libraries connect only while the other end is waiting */
	ensure(write(bare->order[1], order, sizeof order) == sizeof order, "no pipe");
	if (!bare->self)
		bare->self = bare->library->connect(bare->address);
	for (uint32_t i = 0; i < order[1]; i++) {
		int64_t begin_ns = clock_now_ns();

		bare->library->say(bare->self, payload, bytes);
		bare->library->hear(bare->self, payload, bytes);
		if (i >= before)
			times_ns[i - before] = clock_now_ns() - begin_ns;
	}
	free(payload);
}

/* Carries out each order to ask, until the pipe of orders is closed. */
static void bare_ask(struct bare *bare)
{
	uint32_t order[2];

	while (read(bare->question[0], order, sizeof order) == sizeof order) {
		int64_t *times_ns = allocate(order[1], sizeof *times_ns);

		exchange(bare, order[0], order[1], times_ns);
		for (uint32_t i = 0; i < order[1]; i++)
			ensure(write(bare->times[1], &times_ns[i], sizeof *times_ns) ==
					sizeof *times_ns,
				"no pipe");
		free(times_ns);
	}
}

static void start_asker(struct bare *bare)
{
	ensure(pipe(bare->question) == 0 && pipe(bare->times) == 0, "no pipe");
	bare->asker = fork();
	ensure(bare->asker >= 0, "cannot fork");
	if (bare->asker == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		bare_ask(bare);
		_exit(0);
	}
}

/* Lets the process that sends requests (`asker`) measure, and reads the times that it measured.
 * While the calling process waits for them, `asker` runs on the core of the calling process. */
static void have_asked(struct bare *bare, uint32_t bytes, uint32_t count, int64_t *times_ns)
{
	const uint32_t order[2] = {bytes, count};
	cpu_set_t cores;

	ensure(sched_getaffinity(0, sizeof cores, &cores) == 0 &&
			sched_setaffinity(bare->asker, sizeof cores, &cores) == 0 &&
			write(bare->question[1], order, sizeof order) == sizeof order,
		"no member asks");
	for (uint32_t i = 0; i < count; i++)
		ensure(read(bare->times[0], &times_ns[i], sizeof *times_ns) == sizeof *times_ns,
			"no member has asked");
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
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		bare_answer(bare, address_from[1]);
		_exit(0);
	}
	ensure(read(address_from[0], bare->address, sizeof bare->address) == sizeof bare->address,
		"%s: no hub listens", row);
	close(address_from[0]);
	close(address_from[1]);
	if (library->once)
		start_asker(bare);
	return bare;
}

void bare_rounds(struct bare *bare, uint32_t bytes, uint32_t count, int64_t *times_ns)
{
	if (bare->asker)
		have_asked(bare, bytes, count, times_ns);
	else
		exchange(bare, bytes, count, times_ns);
}

void bare_end(struct bare *bare)
{
	if (!bare)
		return;
	kill(bare->other, SIGKILL);
	waitpid(bare->other, NULL, 0);
	if (bare->asker) {
		kill(bare->asker, SIGKILL);
		waitpid(bare->asker, NULL, 0);
		for (int i = 0; i < 2; i++) {
			close(bare->question[i]);
			close(bare->times[i]);
		}
	}
	close(bare->order[0]);
	close(bare->order[1]);
	free(bare);
}
