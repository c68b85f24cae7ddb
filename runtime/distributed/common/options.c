/* struct mesh_config as a list of options, made of options.def. */
#include "distributed/common/options.h"

#include <string.h>

#include "base/refuse.h"
#include "mesh/choice.h"

enum {
#define VALUE(member)	  +1
#define ROW(member, kind) +1
	OPTIONS = 0
#include "distributed/common/options.def"
};

static struct wire_bytes bytes_of(const char *string)
{
	return (struct wire_bytes){(const uint8_t *)string, (uint32_t)strlen(string)};
}

static bool is_named(struct wire_bytes bytes, const char *name)
{
	return bytes.count == strlen(name) && memcmp(bytes.at, name, bytes.count) == 0;
}

void options_write(
	const struct mesh_config *config, struct arena *arena, struct wire_open_mesh *message)
{
	struct wire_option *options = arena_array(arena, OPTIONS, sizeof *options);
	uint32_t count = 0;

#define VALUE(member)                                                                              \
	options[count++] =                                                                         \
		(struct wire_option){.key = bytes_of(#member), .value = (uint64_t)config->member};
#define ROW(member, kind)                                                                          \
	if (config->member != NULL)                                                                \
		options[count++] = (struct wire_option){                                           \
			.key = bytes_of(#member), .row = bytes_of(config->member->entry.name)};
#include "distributed/common/options.def"
	message->options.at = options;
	message->options.count = count;
}

/* A row's name as a string; "" if it is longer than any of ours. */
struct row_name {
	char text[64 + 1];
};

static struct row_name name_of(const struct wire_option *option)
{
	struct row_name name = {""};

	if (option->row.count < sizeof name.text)
		if (option->row.count > 0)
			memcpy(name.text, option->row.at, option->row.count);
	return name;
}

/* Two groups, since a function has sixty lines at most. */
static enum status read_value(
	const struct wire_option *option, struct mesh_config *config, bool *known)
{
	*known = true;
#define VALUE(member)                                                                              \
	if (is_named(option->key, #member)) {                                                      \
		config->member = (__typeof__(config->member))option->value;                        \
		return (uint64_t)config->member == option->value ? STATUS_OK                       \
								 : STATUS_OUT_OF_RANGE;            \
	}
#include "distributed/common/options.def"
	*known = false;
	return STATUS_OK;
}

static enum status read_row(
	const struct wire_option *option, struct mesh_config *config, bool *known)
{
	struct row_name name = name_of(option);

	*known = true;
#define ROW(member, kind)                                                                          \
	if (is_named(option->key, #member)) {                                                      \
		config->member = kind##_find(name.text);                                           \
		return config->member != NULL ? STATUS_OK : STATUS_NOT_FOUND;                      \
	}
#include "distributed/common/options.def"
	*known = false;
	return STATUS_OK;
}

enum status options_read(
	const struct wire_open_mesh *message, struct mesh_config *config, struct text *why)
{
	for (uint32_t i = 0; i < message->options.count; i++) {
		const struct wire_option *option = &message->options.at[i];
		int length = (int)option->key.count;
		bool known;
		enum status status = read_value(option, config, &known);

		if (!known)
			status = read_row(option, config, &known);
		if (!known)
			return refuse(why, STATUS_INVALID, "no option %.*s", length,
				(const char *)option->key.at);
		if (status == STATUS_NOT_FOUND)
			return refuse(why, STATUS_INVALID, "%.*s has no row %s", length,
				(const char *)option->key.at, name_of(option).text);
		if (status != STATUS_OK)
			return refuse(why, STATUS_INVALID, "%.*s of %llu", length,
				(const char *)option->key.at, (unsigned long long)option->value);
	}
	return STATUS_OK;
}
