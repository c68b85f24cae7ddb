/* Writes struct mesh_config as a list of options, and reads such a list. The options are listed in
 * mesh/settings.def and mesh/rows.def. With every codec, the length of an encoded list must be the
 * same for all values. So bit 63 of each number is set (option_number()), because some codecs
 * encode small numbers in fewer bytes. The names of variants are padded. The numbers of some
 * options consist of several parts (PART in mesh/settings.def, PACKED_KIND in mesh/rows.def). */
#include "distributed/common/described.h"

#include <stddef.h>
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

/* ---- numbers of several parts ---- */

/* The number of bits of a variant's index, and the largest number of bits of all parts of an option
 * together. option_number() uses bit 63. */
enum { INDEX_BITS = 4, PARTS_BITS = 62 };

/* A part of an option's number. It encodes a member of struct mesh_config. The member is a number
 * or a pointer to a variant. */
struct part_of_option {
	const char *option;
	uint16_t offset, size;
	uint8_t bits;
	const void *(*row)(size_t index); /* variants of a kind; NULL: the member is a number */
};

#define PACKED_KIND(kind, member, what)                                                            \
	static const void *row_of_##kind(size_t index)                                             \
	{                                                                                          \
		return kind##_row(index);                                                          \
	}
#include "mesh/rows.def"

static const struct part_of_option parts[] = {
#define PART_AT(option, member, bits, row)                                                         \
	{option, offsetof(struct mesh_config, member),                                             \
		sizeof(((struct mesh_config *)NULL)->member), bits, row},
#define PART(option, member, bits) PART_AT(#option, member, bits, NULL)
#include "mesh/settings.def"
#define PACKED_KIND(kind, member, what)                                                            \
	PART_AT("forward.initiators", member, INDEX_BITS, row_of_##kind)
#include "mesh/rows.def"
};

enum { PARTS = sizeof parts / sizeof *parts };

/* Returns the index of the variant to which the member points. Without a variant, returns 0. */
static uint64_t index_at(const struct part_of_option *part, const uint8_t *member)
{
	const void *chosen;

	memcpy(&chosen, member, sizeof chosen);
	for (size_t i = 0; part->row(i); i++)
		if (part->row(i) == chosen)
			return i;
	return 0;
}

static uint64_t part_value(const struct part_of_option *part, const struct mesh_config *config)
{
	const uint8_t *member = (const uint8_t *)config + part->offset;
	uint64_t value = 0;

	if (part->row)
		return index_at(part, member);
	memcpy(&value, member, part->size); /* hosts are little-endian, as device words are */
	return value;
}

static enum status part_set(
	const struct part_of_option *part, uint64_t value, struct mesh_config *config)
{
	uint8_t *member = (uint8_t *)config + part->offset;
	const void *row = part->row ? part->row(value) : NULL;

	if (part->row ? row == NULL : part->size < sizeof value && value >> 8 * part->size)
		return STATUS_OUT_OF_RANGE;
	memcpy(member, part->row ? (const void *)&row : &value, part->size);
	return STATUS_OK;
}

/* Returns the number to send for an option, which is `value` if it has no parts. */
static uint64_t number_of(const struct mesh_config *config, const char *option, uint64_t value)
{
	uint64_t number = 0;
	unsigned at = 0;

	for (size_t i = 0; i < PARTS; i++) {
		uint64_t part = part_value(&parts[i], config);

		if (strcmp(parts[i].option, option) != 0)
			continue;
		ensure(part >> parts[i].bits == 0, "%llu in %u bits of %s",
			(unsigned long long)part, parts[i].bits, option);
		number |= part << at;
		at += parts[i].bits;
	}
	ensure(at <= PARTS_BITS, "parts of %u bits in %s", at, option);
	return at ? number : value;
}

/* Sets *known to whether the option has parts. If it has, stores them. */
static enum status options_read_parts(
	const struct wire_option *option, struct mesh_config *config, bool *known)
{
	uint64_t number = option_value(option->value);
	enum status status = STATUS_OK;

	*known = false;
	for (size_t i = 0; i < PARTS && status == STATUS_OK; i++) {
		if (!is_named(option->key, parts[i].option))
			continue;
		*known = true;
		status = part_set(&parts[i], number & ((UINT64_C(1) << parts[i].bits) - 1), config);
		number >>= parts[i].bits;
	}
	return *known && status == STATUS_OK && number ? STATUS_OUT_OF_RANGE : status;
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
		.value = option_number(number_of(config, #member, (uint64_t)config->member))};
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
	enum status status = options_read_parts(option, config, known);

	if (*known)
		return status;
	*known = true;
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
