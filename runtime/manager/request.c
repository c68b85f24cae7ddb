/* Reads and writes requests and jobs (manager/request.h) by schemas. */
#include "manager/request.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/schema.h"

static void bind_id(const struct schema_field *field, const struct tree_node *node, void *member,
	const struct schema_context *context)
{
	if (node->kind != TREE_SCALAR || !number_read_whole(node->text, UINT64_MAX, member))
		diag_error(
			context->diag, node->where, "'%s': expected an id of 64 bits", field->name);
}

#define MANAGER_ID_JSON "{\"type\":\"integer\"}"
#define MANAGER_ID(type, member, key)                                                              \
	SCHEMA_CUSTOM(type, member, key, bind_id, .json = MANAGER_ID_JSON, .required = true)

static const char *const kind_names[] = {
	"report", "place", "release", "job", "status", "advise", NULL};

static const struct schema_field chip_fields[] = {
	MANAGER_ID(struct manager_chip, id, "id"),
	SCHEMA_INT(struct manager_chip, tray, "tray", .required = true),
	SCHEMA_INT(struct manager_chip, location, "location", .required = true),
	SCHEMA_INT(struct manager_chip, device, "device", .required = true),
	SCHEMA_BOOL(struct manager_chip, pcie, "pcie", .fallback = "false"),
	SCHEMA_BOOL(struct manager_chip, paired, "paired", .fallback = "false"),
	SCHEMA_BOOL(struct manager_chip, bad, "bad", .fallback = "false"),
};
static const struct schema chip_schema = SCHEMA("manager_chip", struct manager_chip, chip_fields);
static const struct schema_field chip_item = SCHEMA_ITEM_MAP(struct manager_chip, &chip_schema);

static const struct schema_field channel_fields[] = {
	MANAGER_ID(struct manager_channel, chip, "chip"),
	SCHEMA_INT(struct manager_channel, channel, "channel", .max = 255, .required = true),
	MANAGER_ID(struct manager_channel, to, "to"),
	SCHEMA_INT(struct manager_channel, to_channel, "to_channel", .max = 255, .required = true),
	SCHEMA_BOOL(struct manager_channel, bad, "bad", .fallback = "false"),
};
static const struct schema channel_schema =
	SCHEMA("manager_channel", struct manager_channel, channel_fields);
static const struct schema_field channel_item =
	SCHEMA_ITEM_MAP(struct manager_channel, &channel_schema);

/* Reports the members that a kind of request lacks. */
static void check_request(
	void *object, const struct tree_node *node, const struct schema_context *context)
{
	const struct manager_request *request = object;
	const bool report = request->kind == MANAGER_REPORT;
	const bool places = request->kind == MANAGER_PLACE || request->kind == MANAGER_ADVISE;
	const bool named =
		places || request->kind == MANAGER_RELEASE || request->kind == MANAGER_JOB;
	const struct {
		const char *name, *text;
		bool needed;
	} names[] = {
		{"host", request->host, report},
		{"session", request->session, report},
		{"job", request->job, named},
		{"mgd", request->mgd, places},
	};

	if (request->version != MANAGER_VERSION)
		diag_error(context->diag, node->where, "version %u; this program has version %d",
			request->version, MANAGER_VERSION);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (names[i].needed && !names[i].text)
			diag_error(context->diag, node->where, "'%s' is missing", names[i].name);
}

#define MANAGER_NAME(type, member, key) SCHEMA_STRING(type, member, key, .is_file_name = true)

static const struct schema_field request_fields[] = {
	SCHEMA_INT(struct manager_request, version, "version", .required = true),
	SCHEMA_ENUM(struct manager_request, kind, "kind", kind_names, .required = true),
	MANAGER_NAME(struct manager_request, host, "host"),
	MANAGER_NAME(struct manager_request, session, "session"),
	SCHEMA_INT(struct manager_request, sequence, "sequence", .max = INT64_MAX, .fallback = "0"),
	SCHEMA_LIST(struct manager_request, chips, chip_count, "chips", &chip_item,
		.max = MANAGER_HOST_CHIPS_MAX),
	SCHEMA_LIST(struct manager_request, channels, channel_count, "channels", &channel_item,
		.max = MANAGER_HOST_CHANNELS_MAX),
	MANAGER_NAME(struct manager_request, job, "job"),
	SCHEMA_STRING(struct manager_request, mgd, "mgd"),
	SCHEMA_BOOL(struct manager_request, relaxed, "relaxed", .fallback = "false"),
	SCHEMA_BOOL(struct manager_request, any_host, "any_host", .fallback = "false"),
	SCHEMA_BOOL(struct manager_request, split_boards, "split_boards", .fallback = "false"),
	SCHEMA_INT(struct manager_request, owner, "owner", .min = -1, .max = UINT32_MAX,
		.fallback = "-1"),
};
static const struct schema request_schema =
	SCHEMA("manager_request", struct manager_request, request_fields, .check = check_request);

static const struct schema_field id_item =
	SCHEMA_ITEM_CUSTOM(uint64_t, bind_id, .name = "chips", .json = MANAGER_ID_JSON);
static const struct schema_field text_item = SCHEMA_ITEM_STRING(.allow_empty = true);

static const struct schema_field job_fields[] = {
	MANAGER_NAME(struct manager_job, job, "job"),
	SCHEMA_STRING(struct manager_job, mgd, "mgd", .required = true),
	SCHEMA_INT(struct manager_job, owner, "owner", .required = true),
	SCHEMA_BOOL(struct manager_job, relaxed, "relaxed", .required = true),
	SCHEMA_BOOL(struct manager_job, any_host, "any_host", .required = true),
	SCHEMA_BOOL(struct manager_job, split_boards, "split_boards", .required = true),
	SCHEMA_LIST(struct manager_job, chips, chip_count, "chips", &id_item, .required = true),
	SCHEMA_LIST(
		struct manager_job, cables, cable_count, "cables", &channel_item, .required = true),
	SCHEMA_LIST(struct manager_job, hosts, host_count, "hosts", &text_item, .required = true),
	SCHEMA_LIST(
		struct manager_job, devices, device_count, "devices", &text_item, .required = true),
	SCHEMA_STRING(struct manager_job, bindings, "bindings", .required = true),
	SCHEMA_STRING(struct manager_job, rankfile, "rankfile", .required = true),
};
static const struct schema job_schema = SCHEMA("manager_job", struct manager_job, job_fields);

/* ---- reading ---- */

static bool read_into(const struct schema *schema, const char *bytes, size_t length, void *object,
	struct arena *arena, struct diag *diag)
{
	struct tree *tree = tree_read_text("request", bytes, length, diag);
	bool good = tree && diag_errors(diag) == 0 &&
		    schema_bind(schema, tree_root(tree), object, arena, diag);

	tree_free(tree);
	return good;
}

struct manager_request *manager_request_read(const char *bytes, size_t length, struct diag *diag)
{
	struct manager_request *request = allocate(1, sizeof *request);
	struct arena arena = {0};
	bool good = read_into(&request_schema, bytes, length, request, &arena, diag);

	request->arena = arena;
	if (good)
		return request;
	manager_request_free(request);
	return NULL;
}

void manager_request_free(struct manager_request *request)
{
	if (!request)
		return;
	arena_fini(&request->arena);
	free(request);
}

struct manager_job *manager_job_read(const char *bytes, size_t length, struct diag *diag)
{
	struct manager_job *job = allocate(1, sizeof *job);
	struct arena arena = {0};
	bool good = read_into(&job_schema, bytes, length, job, &arena, diag);

	job->arena = arena;
	if (good)
		return job;
	manager_job_free(job);
	return NULL;
}

void manager_job_free(struct manager_job *job)
{
	if (!job)
		return;
	arena_fini(&job->arena);
	free(job);
}

/* ---- writing ---- */

static void write_chips(const struct manager_request *request, struct json *json)
{
	json_array_of(json, "chips");
	for (uint32_t i = 0; i < request->chip_count; i++) {
		const struct manager_chip *chip = &request->chips[i];

		json_object(json);
		json_unsigned_of(json, "id", chip->id);
		json_unsigned_of(json, "tray", chip->tray);
		json_unsigned_of(json, "location", chip->location);
		json_unsigned_of(json, "device", chip->device);
		json_bool_of(json, "pcie", chip->pcie);
		json_bool_of(json, "paired", chip->paired);
		json_bool_of(json, "bad", chip->bad);
		json_object_end(json);
	}
	json_array_end(json);
}

static void write_channels(
	const char *key, const struct manager_channel *channels, uint32_t count, struct json *json)
{
	json_array_of(json, key);
	for (uint32_t i = 0; i < count; i++) {
		json_object(json);
		json_unsigned_of(json, "chip", channels[i].chip);
		json_unsigned_of(json, "channel", channels[i].channel);
		json_unsigned_of(json, "to", channels[i].to);
		json_unsigned_of(json, "to_channel", channels[i].to_channel);
		json_bool_of(json, "bad", channels[i].bad);
		json_object_end(json);
	}
	json_array_end(json);
}

void manager_request_write(const struct manager_request *request, struct text *out)
{
	struct json json;

	json_start(&json, out);
	json.flat_from = 2;
	json_object(&json);
	json_unsigned_of(&json, "version", MANAGER_VERSION);
	json_text(&json, "kind", kind_names[request->kind]);
	if (request->kind == MANAGER_REPORT) {
		json_text(&json, "host", request->host);
		json_text(&json, "session", request->session);
		json_unsigned_of(&json, "sequence", request->sequence);
		write_chips(request, &json);
		write_channels("channels", request->channels, request->channel_count, &json);
	}
	if (request->job)
		json_text(&json, "job", request->job);
	if (request->mgd) {
		json_text(&json, "mgd", request->mgd);
		json_bool_of(&json, "relaxed", request->relaxed);
		json_bool_of(&json, "any_host", request->any_host);
		json_bool_of(&json, "split_boards", request->split_boards);
		json_integer_of(&json, "owner", request->owner);
	}
	json_object_end(&json);
	json_end(&json);
}

static void write_texts(
	const char *key, const char *const *texts, uint32_t count, struct json *json)
{
	json_array_of(json, key);
	for (uint32_t i = 0; i < count; i++)
		json_string(json, texts[i]);
	json_array_end(json);
}

void manager_job_members(const struct manager_job *job, struct json *json)
{
	json_text(json, "job", job->job);
	json_text(json, "mgd", job->mgd);
	json_unsigned_of(json, "owner", job->owner);
	json_bool_of(json, "relaxed", job->relaxed);
	json_bool_of(json, "any_host", job->any_host);
	json_bool_of(json, "split_boards", job->split_boards);
	json_array_of(json, "chips");
	for (uint32_t i = 0; i < job->chip_count; i++)
		json_unsigned(json, job->chips[i]);
	json_array_end(json);
	write_channels("cables", job->cables, job->cable_count, json);
	write_texts("hosts", job->hosts, job->host_count, json);
	write_texts("devices", job->devices, job->device_count, json);
	json_text(json, "bindings", job->bindings);
	json_text(json, "rankfile", job->rankfile);
}

void manager_job_write(const struct manager_job *job, struct text *out)
{
	struct json json;

	json_start(&json, out);
	json.flat_from = 2;
	json_object(&json);
	manager_job_members(job, &json);
	json_object_end(&json);
	json_end(&json);
}
