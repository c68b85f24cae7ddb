/* Functions that bind and describe single fields of a schema: labels for messages, scalars,
 * variants, units, fallbacks and bounds. Only for files of this folder. */
#ifndef BASE_SCHEMA_SCHEMA_PRIVATE_H
#define BASE_SCHEMA_SCHEMA_PRIVATE_H

#include "base/schema.h"
#include "base/json.h"

/* Names a value in messages: a key, or an item of the value that `parent` names. */
struct label {
	const struct label *parent;
	const char *name; /* name of the key; NULL: item `index` of the parent */
	uint32_t index;
};

enum { LABEL_BYTES = 320, LISTED_NAMES_MAX = 16 };

/* Writes a text such as "'shape[1]'", and returns `out`. */
const char *label_text(const struct label *label, char *out, size_t size);

/* Writes a text such as " in 'mesh'", or "" for a whole file, and returns `out`. */
const char *label_place(const struct label *label, char *out, size_t size);

/* Reports "LABEL: expected WHAT, found ...". */
void schema_refuse_type(const struct label *label, const struct tree_node *node, const char *what,
	const struct schema_context *context);

/* Binds a scalar. */
void schema_bind_scalar(const struct label *label, const struct schema_field *field,
	const struct tree_node *node, void *member, const struct schema_context *context);

/* Returns true if the value is within the bounds of `field`. Otherwise reports an error. */
bool schema_check_real(const struct label *label, const struct schema_field *field,
	const struct tree_node *node, double value, const struct schema_context *context);

/* If `node` is only the name of a variant ("finish"), returns a map that has this name as its key.
 * Otherwise returns `node`. */
const struct tree_node *schema_variant_map(
	const struct schema_variants *variants, const struct tree_node *node, struct arena *arena);

/* Returns the variant that `node` names, or NULL after an error. Reports keys that do not belong to
 * the variant. */
const struct schema_variant *schema_variant_find(const struct label *label,
	const struct schema_variants *variants, const struct tree_node *node,
	const struct schema_context *context);

/* Returns the field with this name, or NULL. */
const struct schema_field *schema_field_of(
	const struct schema_field *fields, size_t count, const char *name);

/* Returns the fallback of a field as a tree without locations, or NULL. */
const struct tree_node *schema_fallback(
	const struct schema_field *field, struct arena *arena, struct diag *diag);

/* Returns true if `field` is an integer whose unit is a unit of sizes or times. Values of such a
 * field may be written with other units of sizes or times. */
bool schema_takes_quantity(const struct schema_field *field);

/* Returns the type of an INT, for messages: "an integer or a size such as 64KiB". */
const char *schema_integer_wanted(const struct schema_field *field);

/* Appends the units that are allowed for values of `field`. */
void schema_append_units(const struct schema_field *field, const char *separator, struct text *out);

/* Reads the value of an INT into *out, in the unit of its field. `name` names the value in
 * messages. Returns OK. Returns INVALID if the node is not a number, and OUT_OF_RANGE if int64_t
 * cannot hold the value; the caller must report these errors. Reports an error itself, and returns
 * UNSUPPORTED, if the unit is wrong or the value is not whole. */
enum status schema_read_integer(const struct schema_field *field, const struct tree_node *node,
	const char *name, struct diag *diag, int64_t *out);

/* Returns the index of the ENUM's name that equals `text` or has `text` as an alias. Returns -1 if
 * there is no such name. */
int64_t schema_name_index(const struct schema_field *field, const char *text);

/* Returns an empty map with location `where`. */
const struct tree_node *schema_empty_map(struct arena *arena, struct location where);

/* Returns true if an empty map would satisfy the schema. */
bool schema_is_optional(const struct schema *schema);

/* Sets *min and *max to the bounds of the number of items of an ARRAY or LIST. *max is UINT32_MAX
 * if there is no bound. */
void schema_length_bounds(const struct schema_field *field, uint64_t *min, uint64_t *max);

/* Sets *min and *max to the bounds of an INT, from the table or from the type of its member. */
void schema_int_bounds(const struct schema_field *field, int64_t *min, int64_t *max);

/* Sets *min and *max to the bounds of a REAL or CONSTANT, or to infinite values if there are
 * none. */
void schema_real_bounds(const struct schema_field *field, double *min, double *max);

/* The table that describes all constants. */
extern const struct schema schema_of_constant;

/* These functions write a JSON Schema. schema_json.c writes the definitions of maps and tagged
 * maps. schema_json_field.c writes fields, and finds the maps that need a definition. */

enum { DEFINITIONS_MAX = 512 };

/* The maps and tagged maps for which a definition is needed, in the order in which they were found.
 * The definitions before index `done` are already written. */
struct schema_writer {
	struct json json;
	struct {
		const char *name;
		const struct schema *schema;
		const struct schema_variants *variants;
	} definitions[DEFINITIONS_MAX];
	size_t count, done;
	bool layered; /* true: no key is required */
};

/* Writes a reference to a definition, and makes sure that the definition will be written. Either
 * `schema` or `variants` is NULL. */
void schema_json_refer(struct schema_writer *writer, const char *name, const struct schema *schema,
	const struct schema_variants *variants);

/* Writes a member with a text, or nothing if the text is NULL. */
void schema_json_text(struct schema_writer *writer, const char *key, const char *value);

/* schema_json_field() writes the schema of one field as a separate value. schema_json_fields()
 * writes fields as members of an object. */
void schema_json_field(struct schema_writer *writer, const struct schema_field *field);
void schema_json_fields(
	struct schema_writer *writer, const struct schema_field *fields, size_t count);

#endif
