/* Calls the host threads that the configuration chooses. For a synchronous row, checks that the
 * work is done when post() returns. */
#include "mesh/queue/job.h"

#include "base/ensure.h"
#include "mesh/device/device.h"

struct affinity host_threads_place(struct mesh_device *mesh)
{
	const struct host_config *host = &mesh->config.host;
	struct affinity affinity = {.host = host->server, .core = -1};
	uint32_t started = __atomic_add_fetch(&mesh->system->threads_started, 1, __ATOMIC_RELAXED);

	if (host->pin->core != NULL)
		affinity.core = (int16_t)host->pin->core(host->server, started);
	return affinity;
}

enum status host_threads_bind_caller(const struct mesh_config *config)
{
	const struct host_config *host = &config->host;

	if (host->pin->core == NULL)
		return STATUS_OK;
	return world->bind((int16_t)host->pin->core(host->server, 0));
}

void host_threads_release_caller(const struct mesh_config *config)
{
	if (config->host.pin->core != NULL)
		world->bind(-1);
}

/* One post to a synchronous row. */
struct post {
	void (*run)(void *arg, uint32_t device);
	void (*done)(void *arg);
	void *arg;
	bool over;
};

static void run_post(void *arg, uint32_t device)
{
	struct post *post = arg;

	post->run(post->arg, device);
}

static void end_post(void *arg)
{
	struct post *post = arg;

	post->done(post->arg);
	post->over = true;
}

void host_threads_post(struct mesh_device *mesh, struct device_range range,
	void (*run)(void *arg, uint32_t device), void (*done)(void *arg), void *arg)
{
	const struct threads_ops *threads = mesh->config.host.threads;
	struct post post = {run, done, arg, false};

	if (threads->asynchronous) {
		threads->post(mesh, range, run, done, arg);
		return;
	}
	threads->post(mesh, range, run_post, end_post, &post);
	ensure(post.over, "host threads '%s' returned before their work was done",
		threads->entry.name);
}

void host_threads_wait(struct mesh_device *mesh)
{
	if (mesh->config.host.threads->asynchronous)
		mesh->config.host.threads->wait(mesh);
}
