/* Calls the host threads that the configuration chooses. If they are synchronous, checks that the
 * work is done when post() returns. */
#include "mesh/queue/job.h"

#include <stdlib.h>

#include "base/allocate.h"
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

/* Posts between host_threads_gather() and host_threads_gathered(). */
struct range_posts {
	struct range_post *at;
	uint32_t count;
};

void host_threads_gather(struct mesh_device *mesh, bool together)
{
	if (together && mesh->config.host.threads->post_all != NULL)
		mesh->gathered = allocate(1, sizeof(*mesh->gathered));
}

void host_threads_gathered(struct mesh_device *mesh)
{
	struct range_posts *posts = mesh->gathered;

	mesh->gathered = NULL;
	if (posts != NULL && posts->count > 0)
		mesh->config.host.threads->post_all(mesh, posts->at, posts->count);
	for (uint32_t i = 0; posts != NULL && i < posts->count; i++)
		posts->at[i].done(posts->at[i].arg);
	if (posts != NULL)
		free(posts->at);
	free(posts);
}

/* One post to synchronous host threads. */
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
	struct range_posts *posts = mesh->gathered;

	if (posts != NULL) {
		posts->at = allocate_more(posts->at, posts->count + 1, sizeof(*posts->at));
		posts->at[posts->count++] = (struct range_post){range, run, done, arg};
		return;
	}
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
	if (mesh->cluster != NULL && mesh->config.host.threads->asynchronous)
		mesh->config.host.threads->wait(mesh);
}
