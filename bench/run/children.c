/* Child processes (children.h). Each child writes its standard output and error into a pipe of its
 * own. When the parent reads the end of the pipe, the child has ended. */

#include "bench/run/children.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/ensure.h"

enum {
	OUTPUT_BYTES_MAX = 1 << 20, /* most bytes of output that are kept of each child */
	NOW = '\x01',		    /* first byte of a line that is passed on at once */
	LINE_BYTES_MAX = 512,
};

struct child {
	uint32_t number;
	pid_t pid; /* 0: the slot is free */
	int descriptor;
	double started_s, limit_s;
	int64_t kills_before; /* memory_kills() when the child started */
	bool timed_out;
	struct text output;
	char line[LINE_BYTES_MAX]; /* the part of a line to pass on that was received so far */
	size_t line_length;	   /* 0: no such line */
};

struct children {
	const struct children_ops *ops;
	void *context;
	struct child *slots;
	struct pollfd *polls;
	uint32_t jobs, running;
};

static double children_now_s(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Returns the number of processes that the kernel's OOM killer has killed so far; -1: unknown. */
static int64_t memory_kills(void)
{
	FILE *file = fopen("/proc/vmstat", "re");
	long long kills = -1;
	char line[128];

	while (file && kills < 0 && fgets(line, sizeof line, file))
		if (sscanf(line, "oom_kill %lld", &kills) != 1)
			kills = -1;
	if (file)
		fclose(file);
	return kills;
}

/* Returns true if the process printed an out-of-memory message and its address space is limited
 * (ulimit -v). Libraries print such a message before they abort. Without a limit, the message means
 * that the process requested far too much memory because of a bug. */
static bool is_out_of_space(const struct text *said)
{
	static const char *const phrases[] = {"std::bad_alloc", "Failed to allocate stack",
		"surfxml_bufferstack", "Memory allocation of", "Memory callocation of",
		"Memory reallocation of"};
	struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
	bool found = false;

	getrlimit(RLIMIT_AS, &limit);
	for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
		found |= strstr(text_string(said), phrases[i]) != NULL;
	return found && limit.rlim_cur != RLIM_INFINITY;
}

/* Returns true if a process that used `cpu_s` of CPU time was killed because of the limit of its
 * CPU time. Such a process gets SIGXCPU at the soft limit and SIGKILL at the hard limit. `ulimit
 * -t` sets both limits. */
static bool is_out_of_cpu(int signal, double cpu_s)
{
	const double slack_s = 0.1;
	struct rlimit limit;

	if (signal == SIGXCPU)
		return true;
	return signal == SIGKILL && getrlimit(RLIMIT_CPU, &limit) == 0 &&
	       limit.rlim_max != RLIM_INFINITY && cpu_s + slack_s >= (double)limit.rlim_max;
}

_Noreturn static void become_child(const struct children *children, uint32_t number, int descriptor)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* a killed parent leaves no children */
	dup2(descriptor, STDOUT_FILENO);
	dup2(descriptor, STDERR_FILENO);
	close(descriptor);
	children->ops->work(children->context, number);
	ensure(false, "child %u went on after its work", number);
	_Exit(70);
}

static bool start_child(struct children *children, uint32_t number)
{
	struct child *child = children->slots;
	int ends[2];

	while (child->pid)
		child++;
	if (pipe2(ends, O_CLOEXEC) != 0)
		return false;
	fflush(NULL);
	child->started_s = children_now_s();
	child->kills_before = memory_kills();
	child->pid = fork();
	if (child->pid == 0) {
		close(ends[0]);
		become_child(children, number, ends[1]);
	}
	close(ends[1]);
	if (child->pid < 0) {
		child->pid = 0;
		close(ends[0]);
		return false;
	}
	child->number = number;
	child->descriptor = ends[0];
	child->timed_out = false;
	child->limit_s =
		children->ops->limit_s ? children->ops->limit_s(children->context, number) : 0;
	text_init(&child->output);
	child->line_length = 0;
	children->running++;
	return true;
}

/* Waits for a child whose pipe has ended. */
static bool finish_child(struct children *children, struct child *child)
{
	struct child_end end = {.number = child->number, .timed_out = child->timed_out};
	struct rusage usage;
	int status = 0;
	bool go_on;

	while (wait4(child->pid, &status, 0, &usage) < 0)
		ensure(errno == EINTR, "waiting for child %d: %s", (int)child->pid,
			strerror(errno));
	close(child->descriptor);
	end.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	end.wall_s = children_now_s() - child->started_s;
	end.cpu_s = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
		    1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
	end.peak_bytes = (uint64_t)usage.ru_maxrss * 1024;
	if (WIFSIGNALED(status)) {
		end.no_cpu = is_out_of_cpu(WTERMSIG(status), end.cpu_s);
		end.no_memory =
			(WTERMSIG(status) == SIGKILL && memory_kills() > child->kills_before) ||
			(WTERMSIG(status) == SIGABRT && is_out_of_space(&child->output));
	}
	end.output = child->output;
	child->pid = 0;
	children->running--;
	go_on = children->ops->ended(children->context, &end);
	text_fini(&child->output);
	return go_on;
}

void children_say_now(const char *format, ...)
{
	char line[LINE_BYTES_MAX] = {NOW};
	va_list arguments;
	size_t length;

	va_start(arguments, format);
	vsnprintf(line + 1, sizeof line - 2, format, arguments);
	va_end(arguments);
	length = strlen(line);
	line[length++] = '\n';
	(void)!write(STDERR_FILENO, line, length); /* one call, so lines do not interleave */
}

/* Handles one byte of a child's output. */
static void children_take(struct children *children, struct child *child, char byte)
{
	bool inside = child->line_length > 0;

	if (children->ops->said && (inside || byte == NOW)) {
		child->line[child->line_length++] = byte;
		if (byte != '\n' && child->line_length < LINE_BYTES_MAX - 1)
			return;
		child->line[child->line_length - (byte == '\n')] = '\0';
		children->ops->said(children->context, child->number, child->line + 1);
		child->line_length = 0;
	} else if (byte != NOW && child->output.length < OUTPUT_BYTES_MAX) {
		text_append_char(&child->output, byte);
	}
}

/* Reads available output. Returns false at the end of the pipe. */
static bool read_child(struct children *children, struct child *child)
{
	char bytes[4096];
	ssize_t length = read(child->descriptor, bytes, sizeof bytes);

	if (length < 0)
		return errno == EINTR || errno == EAGAIN;
	for (ssize_t i = 0; i < length; i++)
		children_take(children, child, bytes[i]);
	return length > 0;
}

/* Kills children that exceed their time limits. Returns the time until the next limit is reached,
 * in milliseconds, or -1 if no child has a time limit. */
static int children_check_limits(struct children *children)
{
	double now = children_now_s(), next = -1;

	for (uint32_t i = 0; i < children->jobs; i++) {
		struct child *child = &children->slots[i];
		double left = child->started_s + child->limit_s - now;

		if (!child->pid || child->limit_s <= 0 || child->timed_out)
			continue;
		if (left <= 0) {
			child->timed_out = true;
			kill(child->pid, SIGKILL);
		} else if (next < 0 || left < next) {
			next = left;
		}
	}
	return next < 0 ? -1 : (int)(next * 1000) + 1;
}

/* Waits for output, ends and deadlines of children. Returns false if ended() has returned false, or
 * if it cannot wait. */
static bool wait_children(struct children *children)
{
	int timeout = children_check_limits(children);
	bool go_on = true;

	for (uint32_t i = 0; i < children->jobs; i++) {
		const struct child *child = &children->slots[i];

		/* poll() ignores negative descriptors. */
		children->polls[i] = (struct pollfd){
			.fd = child->pid ? child->descriptor : -1, .events = POLLIN};
	}
	if (poll(children->polls, children->jobs, timeout) < 0)
		return errno == EINTR;
	for (uint32_t i = 0; i < children->jobs; i++)
		if (children->polls[i].revents && !read_child(children, &children->slots[i]))
			go_on &= finish_child(children, &children->slots[i]);
	return go_on;
}

/* Kills the children that still run, without calling ended(). */
static void kill_children(struct children *children)
{
	for (uint32_t i = 0; i < children->jobs; i++) {
		struct child *child = &children->slots[i];

		if (!child->pid)
			continue;
		kill(child->pid, SIGKILL);
		while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
			;
		close(child->descriptor);
		text_fini(&child->output);
	}
}

bool children_killed_by(int signal)
{
	return signal != SIGSEGV && signal != SIGBUS && signal != SIGILL && signal != SIGFPE &&
	       signal != SIGABRT && signal != SIGTRAP && signal != SIGSYS;
}

bool children_say_killed(const struct child_end *end, char *why, size_t size)
{
	int signal = end->signal;

	if (signal <= 0 || (!children_killed_by(signal) && !end->no_memory))
		return false;
	if (end->no_cpu)
		snprintf(why, size, "killed, out of CPU time (ulimit -t)");
	else if (end->no_memory)
		snprintf(why, size, "killed, out of memory, with %.0f MiB in use",
			(double)end->peak_bytes / (1 << 20));
	else if (signal == SIGXFSZ)
		snprintf(why, size, "killed, a file grew beyond the limit (ulimit -f)");
	else
		snprintf(why, size, "killed from outside: %s", strsignal(signal));
	return true;
}

void children_say_error(const struct child_end *end, struct text *reason)
{
	const char *output = text_string(&end->output), *error = strstr(output, "error: ");
	const char *line = error ? error + strlen("error: ") : output;

	text_append_bytes(reason, line, strcspn(line, "\n"));
}

bool children_run(const struct children_ops *ops, void *context, const uint32_t *numbers,
	uint32_t count, uint32_t jobs)
{
	struct children children = {.ops = ops, .context = context, .jobs = jobs};
	uint32_t next = 0;
	bool good = true;

	ensure(jobs > 0 && jobs <= 4096, "%u jobs", jobs);
	children.slots = allocate(jobs, sizeof *children.slots);
	children.polls = allocate(jobs, sizeof *children.polls);
	while (good && (next < count || children.running > 0)) {
		while (good && next < count && children.running < jobs)
			good = start_child(&children, numbers[next++]);
		if (good)
			good = wait_children(&children);
	}
	int error = errno;

	kill_children(&children);
	free(children.slots);
	free(children.polls);
	errno = error;
	return good;
}
