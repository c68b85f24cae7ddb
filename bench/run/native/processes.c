/* The executors of a native run are processes (processes.h). A lost executor is not restarted. */
#include "processes.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "bench/run/children.h"
#include "bench/run/runner.h"
#include "bench/scenario/hosts.h"
#include "hostnet/constants.h"
#include "remote/registrar.h"
#include "transport/proof.h"
#include "transport/rows.h"
#include "world/native/native.h"

enum { LOOK_MS = 1000, LINE_BYTES_MAX = 4096 };

/* Time limits for executors to join, and to end after their controller has closed. */
#define JOIN_NS UINT64_C(60000000000)
#define END_NS	INT64_C(30000000000)

/* Time to wait for a host's overdue answer. If the answer comes, reply_ns was too short. */
#define GRACE_NS UINT64_C(5000000000)

struct process {
	pid_t pid;  /* 0: the executor has registered itself, so it is no child process */
	int talk;   /* socket for the controller's address and for requests of the state of cores */
	int output; /* pipe with the output of the process */
	bool told;  /* the address of the controller was sent */
	struct process_report *report;
	struct pulse pulse;
	char name[CHANNEL_NAME_BYTES];
	struct text line; /* the last line of output, while it is incomplete */
	bool gone;	  /* protected by `ended` */
	int code;	  /* status of waitpid() */
};

/* The executors of this process, which has one run. */
static struct {
	struct client_ground ground;
	uint8_t *key; /* key of this run, which executors inherit */
	struct process *at;
	struct monitor *ended;
	struct pollfd *polls;
	struct scratch *scratch; /* folder of sockets; NULL: none */
	char address[PLACE_ADDRESS_BYTES];
	struct opening_row opening; /* over all hosts; set when all hosts have joined */
	struct watch_list watched;
	bool looked; /* protected by `ended` */
	const struct limit_keys *limits;
	const struct process *silent; /* an executor that was silent for too long, or NULL */
} all;

/* ---- starting ---- */

static enum status open_process(
	struct process *process, int talk[2], int output[2], struct text *why)
{
	process->report = allocate_shared(sizeof *process->report);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, talk) != 0 ||
		!pulse_open(&process->pulse) || pipe2(output, O_CLOEXEC) != 0)
		return refuse(why, STATUS_IO, "no pipe to %s: %s", process->name, strerror(errno));
	process->talk = talk[1];
	process->output = output[0];
	return STATUS_OK;
}

static enum status fork_executor(struct client *client, uint32_t host, struct text *why)
{
	struct process *process = &all.at[host];
	int talk[2] = {-1, -1}, output[2] = {-1, -1};
	pid_t parent = getpid();
	enum status status;

	client_host_name(host, process->name);
	status = open_process(process, talk, output, why);
	if (status == STATUS_OK && registrar_expects())
		registrar_adopt(host, (struct registrar_ends){talk[0], output[1],
					      process->pulse.ends[1], process->report});
	if (status != STATUS_OK || registrar_expects())
		return status;
	fflush(NULL);
	process->pid = fork();
	if (process->pid < 0)
		return refuse(why, STATUS_IO, "cannot start a process for %s: %s", process->name,
			strerror(errno));
	if (process->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL); /* killed when the controller dies */
		if (getppid() != parent)
			_exit(EXIT_BUG);
		native_world_host((uint16_t)host);
		processes_redirect(output[1]);
		close(talk[1]);
		process_execute(client, host,
			&(struct process_self){
				process->name, talk[0], process->report, &process->pulse, all.key});
	}
	close(talk[0]);
	close(output[1]);
	return STATUS_OK;
}

static const struct ground_ops ground_of_processes;
static void look(struct client *client);

void processes_ground(const struct run_plan *plan, uint32_t wall_s, struct client_ground *ground)
{
	const struct distributed_keys *keys = &plan->scenario->runtime.distributed;
	/* half of the time limit of the run, so that there is time to report a silent host */
	uint64_t patience = wall_s * UINT64_C(500000000);

	ground->count = machine_hosts(plan->platform);
	ground->controller = (struct affinity){0, -1};
	ground->transport = transport_row(keys->transport)->ops;
	processes_links(plan, ground);
	ground->join_ns = patience < JOIN_NS ? patience : JOIN_NS;
	ground->reply_ns = keys->reply_ns ? keys->reply_ns : patience;
	ground->grace_ns = GRACE_NS;
}

/* Makes the key and the session number of the run. If the executors are started with `meshsim
 * executor`, waits until they have registered, and agrees on a key and a session number with
 * them. */
static enum status meet(const struct transport_row *row, struct text *why)
{
	if (registrar_expects())
		return registrar_open(row, &all.ground, why);
	all.ground.session = processes_session();
	all.ground.key = all.key = proof_key_new();
	return all.key ? STATUS_OK
		       : refuse(why, STATUS_NO_MEMORY, "no memory for the key of the run");
}

static enum status find_address(const struct transport_row *row, struct text *why)
{
	if (!registrar_expects())
		return processes_address(row, all.address, &all.scratch, why);
	registrar_address(all.address, sizeof all.address);
	return STATUS_OK;
}

enum status processes_start(struct client *client, uint32_t wall_s, struct text *why)
{
	const struct run_plan *plan = client->plan;
	const struct transport_row *row =
		transport_row(plan->scenario->runtime.distributed.transport);
	enum status status = registrar_expects() ? STATUS_OK : processes_apart(row, why);
	uint32_t count;

	if (status != STATUS_OK)
		return status;
	signal(SIGPIPE, SIG_IGN); /* writes to a dead executor must not kill us */
	all.ground.ops = &ground_of_processes;
	all.ground.address = all.address;
	processes_ground(plan, wall_s, &all.ground);
	count = all.ground.count;
	all.at = allocate(count, sizeof *all.at);
	all.polls = allocate((size_t)count + 1, sizeof *all.polls);
	client->ground = &all.ground;
	all.limits = &plan->scenario->limits;
	status = meet(row, why);
	for (uint32_t i = 0; i < count && status == STATUS_OK; i++)
		status = fork_executor(client, i, why);
	if (status == STATUS_OK)
		status = processes_stay(plan->platform, count, why);
	if (status == STATUS_OK)
		status = find_address(row, why);
	all.ended = world->monitor_new("the end of an executor");
	if (status == STATUS_OK && registrar_expects())
		registrar_start(client);
	return status;
}

/* ---- output ---- */

static void print_line(struct process *process)
{
	fprintf(stderr, "%s: %s\n", process->name, text_string(&process->line));
	text_clear(&process->line);
}

static void processes_print_lines(struct process *process, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (bytes[i] != '\n')
			text_append_char(&process->line, bytes[i]);
		if (bytes[i] == '\n' || process->line.length >= LINE_BYTES_MAX)
			print_line(process);
	}
}

/* Waits for the end of an executor whose output has ended, and records it. */
static void bury(struct process *process)
{
	int code = 0;

	if (process->line.length > 0)
		print_line(process);
	while (process->pid > 0 && waitpid(process->pid, &code, 0) < 0 && errno == EINTR)
		continue;
	close(process->output);
	world->monitor_enter(all.ended);
	process->gone = true;
	process->code = code;
	world->monitor_notify_all(all.ended);
	world->monitor_exit(all.ended);
}

/* Reads available output. Returns false at the end of the output. */
static bool listen_to(struct process *process)
{
	char bytes[4096];
	ssize_t length = read(process->output, bytes, sizeof bytes);

	if (length < 0)
		return errno == EINTR;
	processes_print_lines(process, bytes, (size_t)length);
	return length > 0;
}

static bool told_its_end(const struct process *process)
{
	return __atomic_load_n(&process->report->complete, __ATOMIC_ACQUIRE);
}

static int timeout_ms(int64_t deadline_ns)
{
	int64_t left_ns = deadline_ns - world->now_ns();

	if (deadline_ns == DEADLINE_NEVER)
		return -1;
	return left_ns > 0 ? (int)(left_ns / 1000000) + 1 : 0;
}

/* Appends the known state of a silent executor. */
static void say_state(const struct process *process, struct text *text)
{
	if (process->pid > 0)
		text_printf(text, "process %d %s", (int)process->pid, pulse_state(process->pid));
	else
		text_printf(text, "its executor %s does not answer",
			registrar_name((uint32_t)(process - all.at)));
}

/* Checks the heartbeats of all executors. Reports each executor that is silent. Returns false if an
 * executor has not answered for limits.lost_s; this executor then counts as lost. */
static bool feel_pulses(void)
{
	for (uint32_t i = 0; i < all.ground.count && all.silent == NULL; i++) {
		struct process *process = &all.at[i];
		enum pulse_beat beat = PULSE_FINE;
		if (process->told && !process->gone)
			beat = pulse_look(&process->pulse, process->pid, all.limits->silent_s,
				all.limits->lost_s);
		if (beat == PULSE_SILENT) {
			struct text state = {0};

			say_state(process, &state);
			children_say_now("%s has not answered for %u s: %s", process->name,
				all.limits->silent_s, text_string(&state));
			text_fini(&state);
		}
		if (beat == PULSE_LOST)
			all.silent = process;
	}
	return all.silent == NULL;
}

bool processes_silent(struct text *why)
{
	if (all.silent == NULL)
		return false;
	text_printf(why, "%s has not answered for %u s (limits.lost_s): ", all.silent->name,
		all.limits->lost_s);
	say_state(all.silent, why);
	return true;
}

/* Calls poll() once. Returns false if processes_listen() must return. */
static bool listen_once(int bell, int64_t deadline_ns)
{
	uint32_t count = all.ground.count;
	struct pollfd one, *polls = all.polls ? all.polls : &one;
	bool go_on = true;
	int timeout = timeout_ms(deadline_ns);

	for (uint32_t i = 0; i < count; i++)
		polls[i] = (struct pollfd){
			.fd = all.at[i].gone ? -1 : all.at[i].output, .events = POLLIN};
	polls[count] = (struct pollfd){.fd = bell, .events = POLLIN};
	if (count > 0 && (timeout < 0 || timeout > PULSE_MS))
		timeout = PULSE_MS;
	if (poll(polls, count + 1, timeout) < 0)
		return errno == EINTR;
	for (uint32_t i = 0; i < count; i++) {
		if (!polls[i].revents || listen_to(&all.at[i]))
			continue;
		bury(&all.at[i]);
		go_on &= told_its_end(&all.at[i]);
	}
	return go_on && feel_pulses() && !polls[count].revents && world->now_ns() < deadline_ns;
}

void processes_listen(int bell, int64_t deadline_ns)
{
	while (listen_once(bell, deadline_ns))
		continue;
}

/* ---- the ground ---- */

static void start(struct client *client, uint32_t host, const char *address)
{
	char bytes[PROCESS_ADDRESS_BYTES] = {0};

	(void)client;
	snprintf(bytes, sizeof bytes, "%s", address);
	/* ignore errors: if an executor is dead, it does not join, and this is reported */
	(void)!write(all.at[host].talk, bytes, sizeof bytes);
	all.at[host].told = true;
}

static void processes_joined(struct client *client, const struct channel_counts *counts)
{
	(void)client;
	all.opening = processes_opening(counts, all.ground.count);
	scratch_close(all.scratch);
	all.scratch = NULL;
}

static void say_end(const struct process *process, struct text *why)
{
	if (process->pid == 0)
		text_printf(why, "the executor %s of %s is lost: its connection has ended",
			registrar_name((uint32_t)(process - all.at)), process->name);
	else if (WIFSIGNALED(process->code))
		text_printf(why, "%s was ended by signal %d (%s)", process->name,
			WTERMSIG(process->code), strsignal(WTERMSIG(process->code)));
	else if (WEXITSTATUS(process->code) == EXIT_BUG)
		text_printf(why, "%s ended with exit code %d", process->name, EXIT_BUG);
	else if (WEXITSTATUS(process->code) == EXIT_NO_MEMORY)
		text_printf(why, "%s found no memory", process->name);
	else
		text_printf(why, "%s was ended by a library that it uses, with exit code %d",
			process->name, WEXITSTATUS(process->code));
}

/* Returns true if the process has crashed: if it exited with EXIT_BUG, or if an error in its code
 * raised a signal. Other exit codes are no crashes. For example, a library ends the process if one
 * of its helper processes was killed. */
static bool has_crashed(int code)
{
	return WIFSIGNALED(code) ? !children_killed_by(WTERMSIG(code))
				 : WEXITSTATUS(code) == EXIT_BUG;
}

static enum status processes_end(struct client *client, uint32_t host, struct text *why)
{
	int64_t deadline_ns = world->now_ns() + END_NS;
	struct process *process = &all.at[host];
	enum status status = STATUS_OK;

	(void)client;
	world->monitor_enter(all.ended);
	while (!process->gone && status == STATUS_OK)
		status = world->monitor_wait_until(all.ended, deadline_ns, WAIT_PARK);
	world->monitor_exit(all.ended);
	if (!process->gone)
		return refuse(why, STATUS_TIMEOUT, "does not end, %d s after its controller",
			(int)(END_NS / 1000000000));
	if (!told_its_end(process)) {
		say_end(process, why);
		return STATUS_CLOSED;
	}
	text_append(why, process->report->why);
	return process->report->status;
}

static const struct ground_ops ground_of_processes = {
	.start = start,
	.joined = processes_joined,
	.look = look,
	.end = processes_end,
};

/* ---- state of their cores ---- */

void processes_look(void)
{
	bool first;

	if (all.at == NULL)
		return;
	world->monitor_enter(all.ended);
	first = !all.looked;
	all.looked = true;
	world->monitor_exit(all.ended);
	for (uint32_t i = 0; first && i < all.ground.count; i++)
		if (all.at[i].told && !all.at[i].gone)
			processes_watch_ask(all.at[i].talk, LOOK_MS, &all.watched);
}

static void look(struct client *client)
{
	(void)client;
	processes_look();
}

void processes_show(struct watcher *watcher)
{
	for (uint32_t i = 0; i < all.watched.count; i++)
		watcher_add(watcher, &all.watched.at[i]);
}

/* ---- ending ---- */

bool processes_lost(struct text *why, bool *crashed)
{
	bool lost = false;

	*crashed = false;
	for (uint32_t i = 0; i < all.ground.count; i++) {
		const struct process *process = &all.at[i];

		if (!process->gone || told_its_end(process))
			continue;
		if (why->length > 0)
			text_append(why, "; ");
		say_end(process, why);
		*crashed |= has_crashed(process->code);
		lost = true;
	}
	return lost;
}

void processes_stop(void)
{
	for (uint32_t i = 0; i < all.ground.count; i++) {
		struct process *process = &all.at[i];

		if (process->pid <= 0 || process->gone)
			continue;
		kill(process->pid, SIGKILL);
		while (listen_to(process))
			continue;
		bury(process);
	}
	registrar_close();
	scratch_close(all.scratch);
	all.scratch = NULL;
}

/* ---- CPU time and work ---- */

void processes_record(struct run_record *record, struct arena *arena)
{
	uint32_t count = all.ground.count;
	struct thread_row *rows = arena_array(arena, (size_t)count + 1, sizeof *rows);

	if (count == 0)
		return;
	for (uint32_t i = 0; i < count; i++) {
		snprintf(rows[i].name, sizeof rows[i].name, "process host-%u", i);
		processes_cpu(
			registrar_expects() ? registrar_cpu_ps(i) : processes_cpu_ps(all.at[i].pid),
			(uint16_t)i, &rows[i], &record->totals);
	}
	snprintf(rows[count].name, sizeof rows[count].name, "process controller");
	processes_cpu(processes_cpu_ps(getpid()), (uint16_t)count, &rows[count], &record->totals);
	record_table(record, results_threads(), rows, count + 1);
	if (all.opening.hosts > 0)
		record_table(record, results_opening(), &all.opening, 1);
}

void processes_counts(struct work_counts *counts)
{
	for (uint32_t i = 0; i < all.ground.count; i++)
		if (told_its_end(&all.at[i]))
			work_counts_add(counts, &all.at[i].report->counts);
}
