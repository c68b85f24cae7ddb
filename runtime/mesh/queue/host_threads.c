/* Calls the configured variant of host threads. If the variant is synchronous, checks that all work
 * is done when its post() returns. */
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

/* Returns how work is divided into tasks of the pool; NULL if there is no pool. */
static const struct tasks_ops *pool_tasks_of(const struct mesh_device *mesh)
{
	return mesh->config.host.threads->pool != NULL ? mesh->config.host.pool_tasks : NULL;
}

static bool is_asynchronous(const struct mesh_device *mesh)
{
	const struct tasks_ops *tasks = pool_tasks_of(mesh);

	return mesh->config.host.threads->asynchronous || (tasks != NULL && tasks->asynchronous);
}

bool host_threads_phased(const struct mesh_device *mesh)
{
	const struct tasks_ops *tasks = pool_tasks_of(mesh);

	return tasks != NULL && tasks->phased;
}

/* ---- posts that are made together ---- */

struct post_list {
	struct range_post *at;
	uint32_t count;
};

/* Posts between host_threads_gather() and host_threads_gathered(). */
struct range_posts {
	/* posts that create operations; they run before the posts in `sending` */
	struct post_list creating;
	struct post_list sending;
};

static void post_list_add(struct post_list *list, const struct range_post *post)
{
	list->at = allocate_more(list->at, list->count + 1, sizeof(*list->at));
	list->at[list->count++] = *post;
}

static void post_list_run(struct mesh_device *mesh, struct post_list *list)
{
	if (list->count > 0)
		mesh->config.host.threads->post_all(mesh, list->at, list->count);
	for (uint32_t i = 0; i < list->count; i++)
		list->at[i].done(list->at[i].arg);
	free(list->at);
}

void host_threads_gather(struct mesh_device *mesh, bool together)
{
	if (together && mesh->config.host.threads->post_all != NULL && !is_asynchronous(mesh))
		mesh->gathered = allocate(1, sizeof(*mesh->gathered));
}

void host_threads_gathered(struct mesh_device *mesh)
{
	struct range_posts *posts = mesh->gathered;

	mesh->gathered = NULL;
	if (posts == NULL)
		return;
	post_list_run(mesh, &posts->creating);
	post_list_run(mesh, &posts->sending);
	free(posts);
}

/* What is done after a post whose caller wants nothing. */
static void nothing(void *arg)
{
	(void)arg;
}

void host_threads_create(struct mesh_device *mesh, struct device_range range,
	void (*run)(void *arg, uint32_t device), void *arg)
{
	const struct range_post post = {range, run, nothing, arg};

	if (mesh->gathered != NULL)
		post_list_add(&mesh->gathered->creating, &post);
	else
		host_threads_post(mesh, range, run, NULL, arg);
}

/* One post, with the state that checks synchronous host threads. */
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
	struct post post = {run, done != NULL ? done : nothing, arg, false};

	if (mesh->gathered != NULL) {
		post_list_add(
			&mesh->gathered->sending, &(struct range_post){range, run, post.done, arg});
		return;
	}
	if (is_asynchronous(mesh)) {
		threads->post(mesh, range, run, post.done, arg);
		return;
	}
	threads->post(mesh, range, run_post, end_post, &post);
	ensure(post.over, "host threads '%s' returned before their work was done",
		threads->entry.name);
}

void host_threads_wait(struct mesh_device *mesh)
{
	if (mesh->cluster != NULL && is_asynchronous(mesh))
		mesh->config.host.threads->wait(mesh);
}
