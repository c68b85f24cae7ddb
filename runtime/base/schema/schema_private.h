/* What the files of the schema share. Private to the room. */
#ifndef BASE_SCHEMA_SCHEMA_PRIVATE_H
#define BASE_SCHEMA_SCHEMA_PRIVATE_H

#include "base/schema.h"

/* Names a value in messages: a key, or an item of what `parent` names. */
struct label {
	const struct label *parent;
	const char *name; /* NULL: item `index` of the parent */
	uint32_t index;
};

enum { LABEL_BYTES = 320, LISTED_NAMES_MAX = 16 };

/* "'shape[1]'" */
const char *label_text(const struct label *label, char *out, size_t size);

/* " in 'mesh'", or nothing for a whole file. */
const char *label_place(const struct label *label, char *out, size_t size);

/* Reports "LABEL: expected WHAT, found ...". */
void schema_refuse_type(const struct label *label, const struct tree_node *node, const char *what,
	const struct schema_context *context);

/* Binds a scalar. */
void schema_bind_scalar(const struct label *label, const struct schema_field *field,
	const struct tree_node *node, void *member, const struct schema_context *context);

/* Reports a real out of the bounds of `field`; true if it is within. */
bool schema_check_real(const struct label *label, const struct schema_field *field,
	const struct tree_node *node, double value, const struct schema_context *context);

/* A bare name of a variant ("finish") as the map it stands for; everything else as it is. */
const struct tree_node *schema_variant_map(
	const struct schema_variants *variants, const struct tree_node *node, struct arena *arena);

/* The variant that `node` is. NULL after an error; keys that do not go with it are reported. */
const struct schema_variant *schema_variant_find(const struct label *label,
	const struct schema_variants *variants, const struct tree_node *node,
	const struct schema_context *context);

/* The field called `name`, or NULL. */
const struct schema_field *schema_field_of(
	const struct schema_field *fields, size_t count, const char *name);

/* Name `index` of an enum, NULL past the last. */
const char *schema_name_at(const struct schema_field *field, size_t index);

/* The fallback of a field as a tree without places, or NULL if it has none. */
const struct tree_node *schema_fallback(
	const struct schema_field *field, struct arena *arena, struct diag *diag);

/* True if `field` is an integer of a size or a time: its values may have a unit behind them. */
bool schema_takes_quantity(const struct schema_field *field);

/* What an INT must be, for messages: "an integer or a size such as 64KiB". */
const char *schema_integer_wanted(const struct schema_field *field);

/* Appends the units that a field that takes quantities may be written in. */
void schema_append_units(const struct schema_field *field, const char *separator, struct text *out);

/* The value of an INT in the unit of its field. INVALID if it is no number, OUT_OF_RANGE if
 * int64_t does not hold it, UNSUPPORTED after reporting a wrong unit or what is not whole. `name`
 * names the value in messages. */
enum status schema_read_integer(const struct schema_field *field, const struct tree_node *node,
	const char *name, struct diag *diag, int64_t *out);

/* Index of the name of an ENUM that `text` is, or is an alias of; -1 if it is neither. */
int64_t schema_name_index(const struct schema_field *field, const char *text);

/* An empty map without place, or at `where`. */
const struct tree_node *schema_empty_map(struct arena *arena, struct location where);

/* True if an empty map would satisfy the schema. */
bool schema_is_optional(const struct schema *schema);

/* Number of items that an ARRAY or LIST must have; `*max` is UINT32_MAX without a bound. */
void schema_length_bounds(const struct schema_field *field, uint64_t *min, uint64_t *max);

/* Bounds of an INT, from the table or the type of its member. */
void schema_int_bounds(const struct schema_field *field, int64_t *min, int64_t *max);

/* Bounds of a REAL or CONSTANT; infinite without. */
void schema_real_bounds(const struct schema_field *field, double *min, double *max);

/* The table that every constant is bound by. */
extern const struct schema schema_of_constant;

#endif
