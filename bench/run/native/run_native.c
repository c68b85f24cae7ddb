/* A run in the native world. The chips are emulated in memory, and their processors are threads of
 * this machine. On a machine of several hosts, there is a process for each host. The run is only
 * functional: its times are times of this machine, not of the modelled machine. Stalls are detected
 * only after a fault. If the run takes longer than limits.wall_s, or if the process of a host does
 * not answer for limits.lost_s, the states of all cores are recorded, and the run is ended. */
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "bench/scenario/hosts.h"
#include "processes.h"
#include "remote/registrar.h"
#include "run_world.h"
#include "world/native/native.h"

/* Time for which a client may continue after a firmware fault or the loss of a process. If the
 * client ends in this time, its own report is used, because it is more precise about the cause. */
#define GRACE_NS INT64_C(500000000)

/* State of this process, which has one run. All processes of the run share the bell. */
static struct {
	int bell;
	bool done;     /* atomic: the client has finished */
	bool *faulted; /* atomic, shared by processes */
	uint32_t wall_s;
	void (*late)(void *context, const char *why);
	void *context;
} native;

static void run_native_limit(
	uint32_t wall_s, void (*late)(void *context, const char *why), void *context)
{
	native.wall_s = wall_s;
	native.late = late;
	native.context = context;
}

static void ring(void)
{
	const uint64_t one = 1;

	(void)!write(native.bell, &one, sizeof one);
}

static void faulted(void)
{
	__atomic_store_n(native.faulted, true, __ATOMIC_RELEASE);
	ring();
}

static void run_native_run_client(void *client)
{
	client_main(client);
	__atomic_store_n(&native.done, true, __ATOMIC_RELEASE);
	ring();
}

static bool is_done(void)
{
	return __atomic_load_n(&native.done, __ATOMIC_ACQUIRE);
}

static bool is_faulted(void)
{
	return __atomic_load_n(native.faulted, __ATOMIC_ACQUIRE);
}

static void empty_bell(void)
{
	uint64_t rings;

	(void)!read(native.bell, &rings, sizeof rings);
}

/* Waits until the client has finished. After a fault or the loss of a process, waits only for
 * GRACE_NS more, and returns. If the run exceeds its time limit, or if an executor is silent for
 * too long, calls native.late(), which ends the run and does not return. */
static void wait_for_client(void)
{
	int64_t late_ns = world->now_ns() + (int64_t)native.wall_s * INT64_C(1000000000);
	int64_t until_ns = late_ns;
	struct text why = {0}, silent = {0};
	bool crashed;

	while (!is_done() && world->now_ns() < until_ns && !processes_silent(&silent)) {
		processes_listen(native.bell, until_ns);
		empty_bell();
		if (until_ns == late_ns && (is_faulted() || processes_lost(&why, &crashed)))
			until_ns = world->now_ns() + GRACE_NS;
	}
	text_fini(&why);
	if (is_done() || until_ns != late_ns)
		return;
	processes_look();
	processes_stop();
	native.late(native.context, silent.length ? text_string(&silent) : NULL);
}

/* Returns how the run ended. Writes the reason to `why` if the run failed. If the client has lost a
 * host, but this process does not know yet that the host's process has ended, waits up to GRACE_NS
 * for the end of that process. */
static enum run_end run_native_judge(const struct client *client, struct text *why)
{
	bool crashed, lost = processes_lost(why, &crashed);

	if (is_done() && client->outcome == CLIENT_LOST && !lost) {
		processes_listen(native.bell, world->now_ns() + GRACE_NS);
		lost = processes_lost(why, &crashed);
	}
	if (lost)
		return crashed ? RUN_CRASHED : RUN_LOST;
	if (is_done() && client->outcome == CLIENT_LOST && client->strangers) {
		text_append(why, text_string(&client->why));
		return RUN_LOST;
	}
	if (is_done())
		return RUN_FINISHED;
	text_append(why,
		"natively the waits between parts are not known: the run was ended a while "
		"after the fault");
	return RUN_STALLED;
}

/* Creates the chips of a machine of one host; with several hosts the executors create them. */
static enum status make_cluster(struct client *client, struct text *why)
{
	client->cluster = native_cluster_new(platform_cluster(client->plan->platform));
	if (client->cluster == NULL)
		return refuse(why, STATUS_NO_MEMORY, "no memory for the emulated chips");
	client->system = mesh_system_new(client->cluster);
	return STATUS_OK;
}

static enum status run_native_run(const struct run_plan *plan,
	const struct machine_constants *constants, struct client *client, enum run_end *end,
	struct text *why)
{
	struct recorder recorder = op_recorder_sink(client->recorder);
	struct thread *thread;
	enum status status;

	(void)constants;
	recorder.log = client->log;
	if (platform_hosts(plan->platform))
		native_world_host(machine_hosts(plan->platform)); /* the controller's host */
	native_world_start(&recorder);
	native_world_spin((int64_t)plan->scenario->runtime.host.spin_ns);
	world = &native_world;
	device_row = &native_device;
	native.bell = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	native.faulted = allocate_shared(sizeof *native.faulted);
	if (registrar_expects() && !platform_hosts(plan->platform))
		return refuse(why, STATUS_UNSUPPORTED,
			"--listen waits for executors, and a platform of one host has none");
	status = platform_hosts(plan->platform) ? processes_start(client, native.wall_s, why)
						: make_cluster(client, why);
	if (status == STATUS_OK) {
		thread = world->spawn(
			"main", (struct affinity){0, -1}, run_native_run_client, client);
		wait_for_client();
		*end = run_native_judge(client, why);
		if (is_done()) {
			world->join(thread);
		} else {
			processes_look();
			op_recorder_stop(client->recorder);
		}
	}
	processes_stop();
	return status;
}

static void run_native_collect(
	const struct client *client, struct run_record *record, struct arena *arena)
{
	(void)client;
	processes_record(record, arena);
	record->totals.simulated_ps = (uint64_t)world->now_ns() * 1000;
}

static int64_t now_ps(void)
{
	return world->now_ns() * 1000;
}

static void see(void *watcher, uint32_t chip, const struct stage *stage, bool blocked)
{
	watcher_see(watcher, chip, stage, blocked);
}

/* Does nothing on a machine of several hosts, where the chips are in other processes. */
static void run_native_watch(const struct client *client, struct watcher *watcher)
{
	if (client->cluster)
		native_cluster_stages(client->cluster, see, watcher);
	else
		processes_show(watcher);
}

static void counts(struct work_counts *counts)
{
	native_world_counts(counts);
	processes_counts(counts);
}

const struct run_world run_native = {
	.name = "native",
	.has_threads = true,
	.run = run_native_run,
	.collect = run_native_collect,
	.now_ps = now_ps,
	.watch = run_native_watch,
	.limit = run_native_limit,
	.counts = counts,
	.faulted = faulted,
};
