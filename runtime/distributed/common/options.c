/* Writes struct mesh_config as a list of options, and reads such a list. The options are listed in
 * mesh/settings.def and mesh/rows.def. The length of an encoded list must not depend on the values,
 * whatever the codec. So numbers are sent with a high bit (option_number()), and the names of
 * variants are padded.
 *
 * Some options contain several values in one number, because each additional option makes the list
 * longer, and a longer list takes more time. Results of machines with several hosts would then
 * change with each new option. The number of forward.initiators also contains
 * forward.multicast_members and the variants of PACKED_KIND. The number of host.count also contains
 * host.batch_devices and whole.spans, and that of command_queues sizes.system_memory_bytes. */
#include "distributed/common/described.h"

#include <string.h>

#include "base/ensure.h"
#include "base/refuse.h"
#include "mesh/choice.h"

enum {
	OPTIONS = 0
#define SETTING(member) +1
#define VALUE(member)	+1
#include "mesh/settings.def"
#define KIND(kind, member, what)	    +1
#define OTHER_KIND(kind, member, key, what) +1
#define PACKED_KIND(kind, member, what)
#include "mesh/rows.def"
};

enum { ROW_BYTES = 32 }; /* bytes of a variant's name, padded with '\0' */

static struct wire_bytes bytes_of(const char *string)
{
	return (struct wire_bytes){(const uint8_t *)string, (uint32_t)strlen(string)};
}

/* Returns the name padded to ROW_BYTES. `name` may be NULL if no variant is chosen. */
static struct wire_bytes options_padded(struct arena *arena, const char *name)
{
	char *bytes = arena_array(arena, ROW_BYTES, 1);

	if (name) {
		ensure(strlen(name) < ROW_BYTES, "the row %s of more than %d B", name, ROW_BYTES);
		memcpy(bytes, name, strlen(name));
	}
	return (struct wire_bytes){(const uint8_t *)bytes, ROW_BYTES};
}

static bool is_named(struct wire_bytes bytes, const char *name)
{
	return bytes.count == strlen(name) && memcmp(bytes.at, name, bytes.count) == 0;
}

/* ---- the number of forward.initiators ---- */

/* Numbers of bits: of each of the two counts, of a variant's index, and of all together. */
enum { COUNT_BITS = 17, INDEX_BITS = 4, PACKED_BITS = 62 };

static uint64_t options_pack(const struct mesh_config *config)
{
	uint64_t packed = config->forward.initiators | (uint64_t)config->forward.multicast_members
							       << COUNT_BITS;
	unsigned at = 2 * COUNT_BITS;

	ensure(packed >> at == 0, "numbers of %u bits", at);

#define PACKED_KIND(kind, member, what)                                                            \
	for (size_t i = 0; kind##_row(i); i++)                                                     \
		if (kind##_row(i) == config->member)                                               \
			packed |= (uint64_t)i << at;                                               \
	at += INDEX_BITS;
#include "mesh/rows.def"
	ensure(at <= PACKED_BITS, "rows of %u bits", at);
	return packed;
}

static enum status options_unpack(uint64_t packed, struct mesh_config *config)
{
	const uint64_t most = (1u << COUNT_BITS) - 1;
	unsigned at = 2 * COUNT_BITS;

	config->forward.initiators = (uint32_t)(packed & most);
	config->forward.multicast_members = (uint32_t)(packed >> COUNT_BITS & most);
#define PACKED_KIND(kind, member, what)                                                            \
	config->member = kind##_row(packed >> at & ((1u << INDEX_BITS) - 1));                      \
	if (!config->member)                                                                       \
		return STATUS_OUT_OF_RANGE;                                                        \
	at += INDEX_BITS;
#include "mesh/rows.def"
	return packed >> at ? STATUS_OUT_OF_RANGE : STATUS_OK;
}

enum { QUEUE_BITS = 8 }; /* bits of the number of command queues */

/* Returns the number to send for a member. */
static uint64_t number_of(const struct mesh_config *config, const void *member, uint64_t value)
{
	if (member == &config->host.count)
		return config->host.count | (uint64_t)config->host.batch_devices << COUNT_BITS |
		       (uint64_t)config->whole.spans << 2 * COUNT_BITS;
	if (member == &config->command_queues) {
		ensure(config->command_queues >> QUEUE_BITS == 0, "%u queues",
			config->command_queues);
		return config->command_queues | config->sizes.system_memory_bytes << QUEUE_BITS;
	}
	return member == &config->forward.initiators ? options_pack(config) : value;
}

/* ---- the list ---- */

void options_write(
	const struct mesh_config *config, struct arena *arena, struct wire_open_mesh *message)
{
	struct wire_option *options = arena_array(arena, OPTIONS, sizeof *options);
	uint32_t count = 0;

#define SETTING(member) VALUE(member)
#define VALUE(member)                                                                              \
	options[count++] = (struct wire_option){.key = bytes_of(#member),                          \
		.value = option_number(                                                            \
			number_of(config, &config->member, (uint64_t)config->member))};
#include "mesh/settings.def"
#define OTHER_KIND(kind, member, key, what) KIND(kind, member, what)
#define KIND(kind, member, what)                                                                   \
	options[count++] = (struct wire_option){.key = bytes_of(#member),                          \
		.row = options_padded(arena, config->member ? config->member->entry.name : NULL)};
#define PACKED_KIND(kind, member, what)
#include "mesh/rows.def"
	message->options.at = options;
	message->options.count = count;
}

/* The name of a variant, copied from an option of a message. The string is "" if the option
 * contains no name, or if the name has more than 64 characters. */
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

/* Reads an option that has a number. Sets *known to false if no such option has this key. */
static enum status options_read_value(
	const struct wire_option *option, struct mesh_config *config, bool *known)
{
	uint64_t value = option_value(option->value);

	*known = true;
	if (is_named(option->key, "forward.initiators"))
		return options_unpack(value, config);
	if (is_named(option->key, "command_queues")) {
		config->command_queues = (uint32_t)value & ((1u << QUEUE_BITS) - 1);
		config->sizes.system_memory_bytes = value >> QUEUE_BITS;
		return STATUS_OK;
	}
	if (is_named(option->key, "host.count")) {
		config->whole.spans = value >> 2 * COUNT_BITS & 1;
		config->host.batch_devices =
			(uint32_t)(value >> COUNT_BITS) & ((1u << COUNT_BITS) - 1);
		config->host.count = (uint32_t)value & ((1u << COUNT_BITS) - 1);
		return value >> (2 * COUNT_BITS + 1) ? STATUS_OUT_OF_RANGE : STATUS_OK;
	}
#define SETTING(member) VALUE(member)
#define VALUE(member)                                                                              \
	if (is_named(option->key, #member)) {                                                      \
		config->member = (__typeof__(config->member))value;                                \
		return (uint64_t)config->member == value ? STATUS_OK : STATUS_OUT_OF_RANGE;        \
	}
#include "mesh/settings.def"
	*known = false;
	return STATUS_OK;
}

static enum status read_row(
	const struct wire_option *option, struct mesh_config *config, bool *known)
{
	struct row_name name = name_of(option);

	*known = true;
#define OTHER_KIND(kind, member, key, what) KIND(kind, member, what)
#define KIND(kind, member, what)                                                                   \
	if (is_named(option->key, #member)) {                                                      \
		if (name.text[0])                                                                  \
			config->member = kind##_find(name.text);                                   \
		return config->member || !name.text[0] ? STATUS_OK : STATUS_NOT_FOUND;             \
	}
#define PACKED_KIND(kind, member, what)
#include "mesh/rows.def"
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
		enum status status = options_read_value(option, config, &known);

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
				(const char *)option->key.at,
				(unsigned long long)option_value(option->value));
	}
	return STATUS_OK;
}
