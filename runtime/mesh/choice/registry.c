/* The registries, made of rows.def, and the default rows of mesh_config_init(). */
#include "mesh/config.h"
#include "mesh/defaults.h"
#include "mesh/registry.h"

#include <string.h>

#include "mesh/choice/rows.h"

#define FORWARD(name) &forward_##name,
static const struct forward_ops *const forward_rows[] = {
#include "mesh/choice/rows.def"
	NULL};

#define FEED(name) &feed_##name,
static const struct feed_ops *const feed_rows[] = {
#include "mesh/choice/rows.def"
	NULL};

#define PACKETIZER(name) &packetizer_##name,
static const struct packetizer_ops *const packetizer_rows[] = {
#include "mesh/choice/rows.def"
	NULL};

#define DISPATCHER(name) &dispatcher_##name,
static const struct dispatcher_ops *const dispatcher_rows[] = {
#include "mesh/choice/rows.def"
	NULL};

#define ROUTE(name) &route_##name,
static const struct route_ops *const route_rows[] = {
#include "mesh/choice/rows.def"
	NULL};

#define ORDERING(name) &ordering_##name,
static const struct ordering_ops *const ordering_rows[] = {
#include "mesh/choice/rows.def"
	NULL};

#define GO(name) &go_##name,
static const struct go_ops *const go_rows[] = {
#include "mesh/choice/rows.def"
	NULL};

#define LOWERING(name) &lowering_##name,
static const struct lowering_ops *const lowering_rows[] = {
#include "mesh/choice/rows.def"
	NULL};

#define CHANNELS(name) &channels_##name,
static const struct channels_ops *const channels_rows[] = {
#include "mesh/choice/rows.def"
	NULL};

#define CREDITS(name) &credits_##name,
static const struct credits_ops *const credits_rows[] = {
#include "mesh/choice/rows.def"
	NULL};

#define COMPLETION(name) &completion_##name,
static const struct completion_ops *const completion_rows[] = {
#include "mesh/choice/rows.def"
	NULL};

#define THREADS(name) &threads_##name,
static const struct threads_ops *const threads_rows[] = {
#include "mesh/choice/rows.def"
	NULL};

#define QUEUES(name) &queues_##name,
static const struct queues_ops *const queues_rows[] = {
#include "mesh/choice/rows.def"
	NULL};

#define PIN(name) &pin_##name,
static const struct pin_ops *const pin_rows[] = {
#include "mesh/choice/rows.def"
	NULL};

#define READERS(name) &readers_##name,
static const struct readers_ops *const readers_rows[] = {
#include "mesh/choice/rows.def"
	NULL};

#define CREATE(name) &create_##name,
static const struct create_ops *const create_rows[] = {
#include "mesh/choice/rows.def"
	NULL};

#define INITIATORS(name) &initiators_##name,
static const struct initiators_ops *const initiators_rows[] = {
#include "mesh/choice/rows.def"
	NULL};

/* The functions of a registry. */
#define REGISTRY(kind)                                                                             \
	const struct kind##_ops *kind##_row(size_t index)                                          \
	{                                                                                          \
		size_t count = sizeof(kind##_rows) / sizeof(kind##_rows[0]);                       \
                                                                                                   \
		return index < count ? kind##_rows[index] : NULL;                                  \
	}                                                                                          \
                                                                                                   \
	static const struct registry_entry *kind##_entry(size_t index)                             \
	{                                                                                          \
		return kind##_row(index) ? &kind##_row(index)->entry : NULL;                       \
	}                                                                                          \
                                                                                                   \
	const char *kind##_name(size_t index)                                                      \
	{                                                                                          \
		return kind##_row(index) ? kind##_row(index)->entry.name : NULL;                   \
	}                                                                                          \
                                                                                                   \
	const struct kind##_ops *kind##_find(const char *name)                                     \
	{                                                                                          \
		for (size_t i = 0; kind##_rows[i] != NULL; i++)                                    \
			if (strcmp(kind##_rows[i]->entry.name, name) == 0)                         \
				return kind##_rows[i];                                             \
		return NULL;                                                                       \
	}

REGISTRY(forward)
REGISTRY(feed)
REGISTRY(packetizer)
REGISTRY(dispatcher)
REGISTRY(route)
REGISTRY(ordering)
REGISTRY(go)
REGISTRY(lowering)
REGISTRY(channels)
REGISTRY(credits)
REGISTRY(completion)
REGISTRY(threads)
REGISTRY(queues)
REGISTRY(pin)
REGISTRY(readers)
REGISTRY(create)
REGISTRY(initiators)

const struct registry forward_registry = {"runtime.forward.path", "forward path", forward_entry};
const struct registry initiators_registry = {
	"runtime.forward.initiators", "initiators", initiators_entry};
const struct registry feed_registry = {"runtime.forward.feed", "feeding of initiators", feed_entry};
const struct registry packetizer_registry = {
	"runtime.forward.packetizer", "packetizer", packetizer_entry};
const struct registry route_registry = {
	"runtime.forward.route", "routes of broadcasts", route_entry};
const struct registry ordering_registry = {
	"runtime.forward.ordering", "order of transactions", ordering_entry};
const struct registry channels_registry = {
	"runtime.forward.channels", "virtual channels of broadcasts", channels_entry};
const struct registry credits_registry = {
	"runtime.forward.credits", "flow control of broadcasts", credits_entry};
const struct registry go_registry = {"runtime.forward.go", "go signals", go_entry};
const struct registry dispatcher_registry = {
	"runtime.forward.dispatcher", "dispatcher of broadcasts", dispatcher_entry};
const struct registry lowering_registry = {
	"runtime.lowering", "lowering of workloads", lowering_entry};
const struct registry completion_registry = {"runtime.completion", "event path", completion_entry};
const struct registry threads_registry = {"runtime.host.threads", "host threads", threads_entry};

const struct registry queues_registry = {
	"runtime.host.queues", "queues of a pool's tasks", queues_entry};

const struct registry pin_registry = {"runtime.host.pin", "binding of host threads", pin_entry};

const struct registry readers_registry = {
	"runtime.host.readers", "readers of completion queues", readers_entry};

const struct registry create_registry = {
	"runtime.host.create", "creation of operations", create_entry};

const struct registry *registry_at(size_t index)
{
	static const struct registry *const all[] = {&forward_registry, &initiators_registry,
		&feed_registry, &packetizer_registry, &dispatcher_registry, &route_registry,
		&ordering_registry, &go_registry, &lowering_registry, &channels_registry,
		&credits_registry, &completion_registry, &threads_registry, &queues_registry,
		&pin_registry, &readers_registry, &create_registry};

	return index < sizeof(all) / sizeof(all[0]) ? all[index] : NULL;
}

bool registry_entry_has_key(const struct registry_entry *entry, const char *key)
{
	for (size_t i = 0; entry->keys != NULL && entry->keys[i] != NULL; i++)
		if (strcmp(entry->keys[i], key) == 0)
			return true;
	return false;
}

/* True if a row before the one at `end` has the key. */
static bool is_listed(const struct registry *registry, size_t end, const char *key)
{
	for (size_t i = 0; i < end; i++)
		if (registry_entry_has_key(registry->entry(i), key))
			return true;
	return false;
}

const char *registry_idle_key(
	const struct registry *registry, const struct registry_entry *row, size_t index)
{
	for (size_t i = 0; registry->entry(i) != NULL; i++) {
		const char *const *keys = registry->entry(i)->keys;

		for (size_t k = 0; keys != NULL && keys[k] != NULL; k++)
			if (!registry_entry_has_key(row, keys[k]) &&
				!is_listed(registry, i, keys[k]) && index-- == 0)
				return keys[k];
	}
	return NULL;
}

/* The rows of a mesh device unless the user says otherwise, and the rest of its configuration. */
void mesh_config_init(struct mesh_config *config)
{
	*config = (struct mesh_config){
		.shape = {1, 1},
		.topology = FABRIC_MESH,
		.command_queues = 1,
		.forward = {.path = &MESH_DEFAULT_ROW(forward_, MESH_DEFAULT_FORWARD),
			.go = &MESH_DEFAULT_ROW(go_, MESH_DEFAULT_GO),
			.feed = &MESH_DEFAULT_ROW(feed_, MESH_DEFAULT_FEED),
			.packetizer = &MESH_DEFAULT_ROW(packetizer_, MESH_DEFAULT_PACKETIZER),
			.dispatcher = &MESH_DEFAULT_ROW(dispatcher_, MESH_DEFAULT_DISPATCHER),
			.ordering = &MESH_DEFAULT_ROW(ordering_, MESH_DEFAULT_ORDERING),
			.route = &MESH_DEFAULT_ROW(route_, MESH_DEFAULT_ROUTE),
			.channels = &MESH_DEFAULT_ROW(channels_, MESH_DEFAULT_CHANNELS),
			.credits = &MESH_DEFAULT_ROW(credits_, MESH_DEFAULT_CREDITS)},
		.lowering = &MESH_DEFAULT_ROW(lowering_, MESH_DEFAULT_LOWERING),
		.completion = &MESH_DEFAULT_ROW(completion_, MESH_DEFAULT_COMPLETION),
		.host = {.threads = &MESH_DEFAULT_ROW(threads_, MESH_DEFAULT_THREADS),
			.queues = &MESH_DEFAULT_ROW(queues_, MESH_DEFAULT_QUEUES),
			.pin = &MESH_DEFAULT_ROW(pin_, MESH_DEFAULT_PIN),
			.readers = &MESH_DEFAULT_ROW(readers_, MESH_DEFAULT_READERS),
			.create = &MESH_DEFAULT_ROW(create_, MESH_DEFAULT_CREATE),
			.caller_wait = WAIT_SPIN,
			.worker_wait = WAIT_PARK,
			.reader_wait = WAIT_PARK},
		.command_cache = true,
	};
}
