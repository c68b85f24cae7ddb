/* Schemas. A schema is a table that describes the keys of a mapping. It is used to check a located
 * tree, to fill in a C struct from the tree, and to print a JSON Schema. All problems of a tree are
 * reported in one pass: unknown keys with the nearest valid name, missing keys, wrong types, values
 * out of range.
 *
 * Values are plain numbers; their units are part of key names or of constants. Only an INT whose
 * .unit is a size or a time may have another unit after the number: for a key in B, `4KiB` equals
 * `4096`; for a key in ns, `20us` equals `20000`. Sizes are B, KB, MB, GB, TB (powers of 1000),
 * KiB, MiB, GiB, TiB (powers of 1024); times are ps, ns, us, ms, s. The form is digits, an optional
 * fraction, at most one blank, and the unit in exactly this case. If the value is not a whole
 * number in the key's unit, that is an error; values are never rounded.
 *
 * A table is static data, filled in with the SCHEMA_*() macros below. Each macro takes a struct,
 * its member and the key, followed by more designated members (.help, .fallback, .min, ...):
 *
 *     static const struct schema_field forward_fields[] = {
 *             SCHEMA_ENUM(struct forward, path, "path", path_names, .fallback = "unicast",
 *                     .help = "how commands reach the chips"),
 *             SCHEMA_INT(struct forward, initiators, "initiators", .min = 1, .max = 1024,
 *                     .fallback = "1", .help = "multicast initiators per virtual mesh",
 *                     SCHEMA_WHERE(struct forward, initiators_where)),
 *     };
 *     static const struct schema forward_schema = SCHEMA("forward", struct forward, forward_fields,
 *             .help = "forward path", .check = check_forward);
 *
 * A key without .required and .fallback may be missing. Its member is then zero; a map is filled in
 * as if it were empty. A mistake in a table is a bug (ensure.h). */
#ifndef BASE_SCHEMA_H
#define BASE_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/table/registry.h"
#include "base/text.h"
#include "base/tree.h"

enum schema_kind {
	SCHEMA_KIND_BOOL,    /* a bool */
	SCHEMA_KIND_INT,     /* any integer type, from min to max */
	SCHEMA_KIND_REAL,    /* a double, from real_min to real_max */
	SCHEMA_KIND_STRING,  /* a const char *; the text is empty only if .allow_empty is set */
	SCHEMA_KIND_ENUM,    /* an enum or other integer, which is an index into .names */
	SCHEMA_KIND_MAP,     /* a struct inside the object, bound by .schema */
	SCHEMA_KIND_MAP_PTR, /* a struct * to memory in the arena; NULL if the key is missing */
	SCHEMA_KIND_ARRAY,   /* T member[N]: a list of .element, with min to max items */
	/* T *member and a count: a list of .element, with min to max items */
	SCHEMA_KIND_LIST,
	/* like LIST, but for a map with free keys; each item stores its key */
	SCHEMA_KIND_DICT,
	SCHEMA_KIND_VARIANT,  /* a struct, for a map with exactly one key of .variants */
	SCHEMA_KIND_CONSTANT, /* a struct constant, see below */
	/* a const struct tree_node *: the node itself, or NULL if the key is missing */
	SCHEMA_KIND_NODE,
	SCHEMA_KIND_CUSTOM, /* any type, bound by .bind */
};

struct schema;
struct schema_field;
struct schema_variants;

/* Another spelling of a name of an ENUM. A list of aliases ends with {NULL, NULL}. */
struct schema_alias {
	const char *alias, *name;
};

/* The state of a bind, passed to .bind and .check functions. */
struct schema_context {
	struct arena *arena; /* memory of bound strings and lists */
	struct diag *diag;
	void *user;	    /* the value given to schema_bind_user() */
	unsigned tolerance; /* the value given to schema_bind_foreign() */
	/* the tagged map whose variant's value is being bound, otherwise NULL. If the value
	 * contains a key that belongs beside the variant's key, the error message says so */
	const struct schema_variants *beside;
};

/* Deviations that are allowed in files of other projects, which may use keys that meshsim does not
 * know. */
enum schema_tolerance {
	/* for an unknown key of a map, give a warning instead of an error */
	SCHEMA_UNKNOWN_WARNS = 1,
	/* where a list is expected, accept a single value as the only item */
	SCHEMA_ONE_IS_LIST = 2,
};

enum { SCHEMA_FILE_NAME_MAX = 128 };

struct schema_field {
	const char *name; /* the key */
	const char *help; /* one line of help */
	const char *unit; /* for help texts; for a CONSTANT: the unit that it must have */
	enum schema_kind kind;
	bool required;
	bool is_signed;	  /* the integer member is signed */
	bool allow_empty; /* the STRING may be "" */
	/* The STRING becomes a file name, or a part of one, in a folder that the user chooses. It
	 * must have at most SCHEMA_FILE_NAME_MAX bytes, no '/', no '.' at the start, and no control
	 * characters. */
	bool is_file_name;
	bool allow_null;      /* a null value is treated as a missing key */
	const char *fallback; /* the value of a missing key, as YAML text */
	size_t offset, size;  /* offset and size of the struct's member; for LIST and DICT, `size`
			       * is the size of one element */
	size_t count_offset;  /* offset of the uint32_t count of an ARRAY, LIST or DICT */
	bool has_count;
	bool has_where; /* the struct stores the location of the value */
	size_t where_offset;
	/* Bounds of an INT, or of the number of items of an ARRAY, LIST or DICT. If both are zero,
	 * an INT may be anything from 0 to the maximum of its member's type, and a LIST or DICT may
	 * have any length. For a REAL, use .real_min and .real_max instead. */
	int64_t min, max;
	double real_min, real_max; /* both 0: any number that is not negative */
	/* The names of an ENUM. Set one of three members: `names`, a list that ends with NULL;
	 * `name_at`, which returns NULL past the last name; or `registry`. A CUSTOM that accepts
	 * names and also other values may have a registry with these names. */
	const char *const *names;
	const char *(*name_at)(size_t index);
	const struct registry *registry;
	const struct schema_alias *aliases;	/* other spellings of the names; may be NULL */
	const struct schema *schema;		/* for MAP and MAP_PTR */
	const struct schema_field *element;	/* ARRAY, LIST and DICT: the schema of an element;
						 * its `offset` is 0 */
	const struct schema_variants *variants; /* for VARIANT */
	size_t key_offset;			/* DICT: offset of the const char * that stores
						 * the key of the element */
	/* CUSTOM: stores the value of `node` in `member`, which is zeroed, and reports errors to
	 * the diag. If the key is missing, `node` is the .fallback. If there is no .fallback
	 * either, bind() is not called. */
	void (*bind)(const struct schema_field *field, const struct tree_node *node, void *member,
		const struct schema_context *context);
	const char *json; /* CUSTOM, NODE: the JSON Schema of the value, as text; NULL: any value */
	/* For a NODE that is a map from dotted paths to lists of values, such as a sweep: the table
	 * whose keys the paths consist of. The JSON Schema allows these paths, except paths that
	 * begin with one of .paths_refused. */
	const struct schema *paths_of;
	const char *const *paths_refused; /* ends with NULL; may be NULL */
};

/* A mapping, and the struct into which it is bound. */
struct schema {
	const char *name; /* a unique name; the name of the definition in the JSON Schema */
	const char *help;
	size_t size; /* size of the struct */
	const struct schema_field *fields;
	size_t field_count;
	bool has_where; /* the struct stores the location of its map */
	bool layered;	/* for the JSON Schema of the root: true if a file may lack required keys,
			 * because another file that it extends may contain them */
	size_t where_offset;
	/* Called after a map was bound without errors, to check conditions that involve several
	 * keys. May be NULL. */
	void (*check)(
		void *object, const struct tree_node *node, const struct schema_context *context);
};

/* One variant of a tagged map: the key that names the variant, and the keys that may be beside this
 * key. All offsets are in the struct of the whole item, so the members of the variants may share a
 * union:
 *
 *     {.field = SCHEMA_INT(struct step, repeat.times, "repeat", .min = 1, .max = 1000000),
 *             SCHEMA_SIBLINGS(repeat_siblings)},
 *     {.field = SCHEMA_MAP(struct step, write, "write_buffer", &write_schema)}, */
struct schema_variant {
	struct schema_field field; /* the key that names the variant, and its value: a MAP, an
				    * INT, ...; null counts as an empty map */
	const struct schema_field *siblings;
	size_t sibling_count;
};

/* A tagged map, such as a step of a workload. It has exactly one of the keys in `variants`. If the
 * value of that key has no required keys, the item may also be only the name of the key
 * ("- finish"). A variant may contain items of the same tagged map, as in "repeat: 100" beside
 * "do: [...]". */
struct schema_variants {
	const char *name; /* a unique name, which is also the noun in messages: "step" */
	const char *help;
	size_t size;	   /* size of the struct of an item */
	size_t tag_offset; /* offset of an int or enum: the index of the variant */
	bool has_where;	   /* the struct stores the location of its item */
	size_t where_offset;
	const struct schema_variant *variants;
	size_t variant_count;
	const struct schema_field *common; /* keys that are allowed in every variant; may be NULL */
	size_t common_count;
};

/* A constant of the modelled machine: {value: 40, unit: cycles, source: "...", kind: measured}. It
 * is an error if a plain number stands in place of the map, if the unit is not the unit of this
 * constant, or if the source is empty. */
enum constant_kind {
	CONSTANT_PUBLISHED,
	CONSTANT_MEASURED,
	CONSTANT_FITTED,
	CONSTANT_ASSUMED,
	CONSTANT_KINDS
};

struct constant {
	double value;
	const char *unit;
	const char *source;
	const char *note; /* optional note; NULL if missing */
	enum constant_kind kind;
	struct location where;
};

/* Returns the name of a kind: "published", "measured", "fitted" or "assumed". */
const char *constant_kind_name(enum constant_kind kind);

/* --- using tables ------------------------------------------------------------------------- */

/* Checks `node`, and fills in `object` from it. `object` has `schema->size` bytes, which are zeroed
 * first. Strings and lists are allocated in `arena`, which must live as long as the object; NODE
 * members point into the tree. Returns true if there were no errors. Otherwise reports all errors
 * to `diag` and returns false; the object may then be incomplete. */
bool schema_bind(const struct schema *schema, const struct tree_node *node, void *object,
	struct arena *arena, struct diag *diag);

/* Like schema_bind(). The functions .bind and .check get `user` in their context. */
bool schema_bind_user(const struct schema *schema, const struct tree_node *node, void *object,
	struct arena *arena, struct diag *diag, void *user);

/* Like schema_bind_user(). `tolerance` is a sum of values of enum schema_tolerance. */
bool schema_bind_foreign(const struct schema *schema, const struct tree_node *node, void *object,
	struct arena *arena, struct diag *diag, void *user, unsigned tolerance);

/* Binds one value into `member`, as `field` describes. For .bind functions. */
void schema_bind_value(const struct schema_field *field, const struct tree_node *node, void *member,
	const struct schema_context *context);

/* Stores an integer in a member of 1, 2, 4 or 8 bytes. */
void schema_store_integer(void *member, size_t size, int64_t value);

/* Returns a copy of `node`, which must be valid. In the copy, every missing key that has a fallback
 * is filled in, at all levels. Keys are in the order of the table. Sizes and times are integers in
 * the units of their keys. Aliases are replaced by the names for which they stand. The copy is in
 * `arena`. */
const struct tree_node *schema_complete(
	const struct schema *schema, const struct tree_node *node, struct arena *arena);

/* Like schema_complete(), for a `node` that is the value at the dotted path `path` of the schema.
 * If the schema has no such path, returns `node` itself. */
const struct tree_node *schema_complete_at(const struct schema *schema, const char *path,
	const struct tree_node *node, struct arena *arena);

/* Returns the field at a dotted path such as "runtime.mesh.shape.0" or "workload.3.repeat", or NULL
 * if there is no such field. Any index of a list is accepted. */
const struct schema_field *schema_find(const struct schema *schema, const char *path);

/* Returns name `index` of an ENUM, or NULL if there are not so many names. */
const char *schema_value_name(const struct schema_field *field, size_t index);

/* Prints the JSON Schema (draft 2020-12) of the table: types, bounds, enums, defaults and help. */
void schema_write_json(const struct schema *schema, FILE *out);
void schema_append_json(const struct schema *schema, struct text *out);

/* --- filling tables ----------------------------------------------------------------------- */

#define SCHEMA_MEMBER(type, member) (((type *)0)->member)

/* These two macros compile only if the member has the required type. */
#define SCHEMA_KIND_IF(type, member, c_type, kind_)                                                \
	_Generic(SCHEMA_MEMBER(type, member), c_type : kind_)
#define SCHEMA_OFFSET_IF(type, member, c_type)                                                     \
	(offsetof(type, member) + 0 * _Generic(SCHEMA_MEMBER(type, member), c_type : 1))

#define SCHEMA(name_, type, fields_, ...)                                                          \
	{                                                                                          \
		.name = name_, .size = sizeof(type), .fields = fields_,                            \
		.field_count = sizeof(fields_) / sizeof((fields_)[0]), __VA_ARGS__                 \
	}

#define SCHEMA_FIELD(type, member, key)                                                            \
	.name = key, .offset = offsetof(type, member), .size = sizeof(SCHEMA_MEMBER(type, member))

/* Stores the location of the value in `member`, which must be a struct location. May also be used
 * in struct schema and struct schema_variants. */
#define SCHEMA_WHERE(type, member)                                                                 \
	.has_where = true, .where_offset = SCHEMA_OFFSET_IF(type, member, struct location)

/* Stores the number of items of a list in a uint32_t member. */
#define SCHEMA_COUNT(type, member)                                                                 \
	.has_count = true, .count_offset = SCHEMA_OFFSET_IF(type, member, uint32_t)

#define SCHEMA_BOOL(type, member, key, ...)                                                        \
	{                                                                                          \
		SCHEMA_FIELD(type, member, key),                                                   \
			.kind = SCHEMA_KIND_IF(type, member, bool, SCHEMA_KIND_BOOL), __VA_ARGS__  \
	}

#define SCHEMA_INT(type, member, key, ...)                                                         \
	{                                                                                          \
		SCHEMA_FIELD(type, member, key),                                                   \
			.kind = SCHEMA_KIND_INT,                                                   \
			.is_signed = SCHEMA_SIGNED(__typeof__(SCHEMA_MEMBER(type, member))),       \
			__VA_ARGS__                                                                \
	}

#define SCHEMA_REAL(type, member, key, ...)                                                        \
	{                                                                                          \
		SCHEMA_FIELD(type, member, key),                                                   \
			.kind = SCHEMA_KIND_IF(type, member, double, SCHEMA_KIND_REAL),            \
			__VA_ARGS__                                                                \
	}

#define SCHEMA_STRING(type, member, key, ...)                                                      \
	{                                                                                          \
		SCHEMA_FIELD(type, member, key),                                                   \
			.kind = SCHEMA_KIND_IF(type, member, const char *, SCHEMA_KIND_STRING),    \
			__VA_ARGS__                                                                \
	}

/* `names_` is a NULL-terminated list; the member becomes an index into it. */
#define SCHEMA_ENUM(type, member, key, names_, ...)                                                \
	{                                                                                          \
		SCHEMA_FIELD(type, member, key), .kind = SCHEMA_KIND_ENUM, .names = names_,        \
						 __VA_ARGS__                                       \
	}

/* The member becomes the index of an entry of KIND_registry. */
#define SCHEMA_CHOICE(type, member, key, kind_, ...)                                               \
	{                                                                                          \
		SCHEMA_FIELD(type, member, key), .kind = SCHEMA_KIND_ENUM,                         \
						 .registry = &kind_##_registry, __VA_ARGS__        \
	}

/* The names come from the function name_at_(index), which returns NULL past the last name. */
#define SCHEMA_REGISTRY(type, member, key, name_at_, ...)                                          \
	{                                                                                          \
		SCHEMA_FIELD(type, member, key), .kind = SCHEMA_KIND_ENUM, .name_at = name_at_,    \
						 __VA_ARGS__                                       \
	}

#define SCHEMA_MAP(type, member, key, schema_, ...)                                                \
	{                                                                                          \
		SCHEMA_FIELD(type, member, key), .kind = SCHEMA_KIND_MAP, .schema = schema_,       \
						 __VA_ARGS__                                       \
	}

#define SCHEMA_MAP_PTR(type, member, key, schema_, ...)                                            \
	{                                                                                          \
		SCHEMA_FIELD(type, member, key), .kind = SCHEMA_KIND_MAP_PTR, .schema = schema_,   \
						 __VA_ARGS__                                       \
	}

/* T member[N]: exactly N items, unless .min and .max allow fewer. If they do, use SCHEMA_COUNT. */
#define SCHEMA_ARRAY(type, member, key, element_, ...)                                             \
	{                                                                                          \
		.name = key, .offset = offsetof(type, member),                                     \
		.size = sizeof(SCHEMA_MEMBER(type, member)), .kind = SCHEMA_KIND_ARRAY,            \
		.element = element_, __VA_ARGS__                                                   \
	}

/* For a struct with the members T *member (T may be const) and uint32_t count_member. */
#define SCHEMA_LIST(type, member, count_member, key, element_, ...)                                \
	{                                                                                          \
		.name = key, .offset = offsetof(type, member),                                     \
		.size = sizeof(SCHEMA_MEMBER(type, member)[0]), .kind = SCHEMA_KIND_LIST,          \
		.element = element_, SCHEMA_COUNT(type, count_member), __VA_ARGS__                 \
	}

/* Like SCHEMA_LIST, for a map with free keys. key_member is a const char * in the element. */
#define SCHEMA_DICT(type, member, count_member, key, element_, item_type, key_member, ...)         \
	{                                                                                          \
		.name = key, .offset = offsetof(type, member),                                     \
		.size = sizeof(SCHEMA_MEMBER(type, member)[0]), .kind = SCHEMA_KIND_DICT,          \
		.element = element_, SCHEMA_COUNT(type, count_member),                             \
		.key_offset = SCHEMA_OFFSET_IF(item_type, key_member, const char *), __VA_ARGS__   \
	}

#define SCHEMA_VARIANT(type, member, key, variants_, ...)                                          \
	{                                                                                          \
		SCHEMA_FIELD(type, member, key), .kind = SCHEMA_KIND_VARIANT,                      \
						 .variants = variants_, __VA_ARGS__                \
	}

/* For a struct schema_variant: the keys that are allowed beside its name. */
#define SCHEMA_SIBLINGS(fields_)                                                                   \
	.siblings = fields_, .sibling_count = sizeof(fields_) / sizeof((fields_)[0])

#define SCHEMA_CONSTANT(type, member, key, unit_, ...)                                             \
	{                                                                                          \
		SCHEMA_FIELD(type, member, key),                                                   \
			.kind = SCHEMA_KIND_IF(                                                    \
				type, member, struct constant, SCHEMA_KIND_CONSTANT),              \
			.unit = unit_, __VA_ARGS__                                                 \
	}

#define SCHEMA_NODE(type, member, key, ...)                                                        \
	{                                                                                          \
		SCHEMA_FIELD(type, member, key),                                                   \
			.kind = SCHEMA_KIND_IF(                                                    \
				type, member, const struct tree_node *, SCHEMA_KIND_NODE),         \
			__VA_ARGS__                                                                \
	}

#define SCHEMA_CUSTOM(type, member, key, bind_, ...)                                               \
	{                                                                                          \
		SCHEMA_FIELD(type, member, key), .kind = SCHEMA_KIND_CUSTOM, .bind = bind_,        \
						 __VA_ARGS__                                       \
	}

/* Macros for the elements of lists. They are like the macros above, without member and key. */
#define SCHEMA_SIGNED(type) ((type)-1 < (type)1)
#define SCHEMA_ITEM_INT(type, ...)                                                                 \
	{                                                                                          \
		.kind = SCHEMA_KIND_INT, .size = sizeof(type), .is_signed = SCHEMA_SIGNED(type),   \
		__VA_ARGS__                                                                        \
	}
#define SCHEMA_ITEM_REAL(...)                                                                      \
	{                                                                                          \
		.kind = SCHEMA_KIND_REAL, .size = sizeof(double), __VA_ARGS__                      \
	}
#define SCHEMA_ITEM_STRING(...)                                                                    \
	{                                                                                          \
		.kind = SCHEMA_KIND_STRING, .size = sizeof(char *), __VA_ARGS__                    \
	}
#define SCHEMA_ITEM_ENUM(type, names_, ...)                                                        \
	{                                                                                          \
		.kind = SCHEMA_KIND_ENUM, .size = sizeof(type), .names = names_, __VA_ARGS__       \
	}
#define SCHEMA_ITEM_MAP(type, schema_, ...)                                                        \
	{                                                                                          \
		.kind = SCHEMA_KIND_MAP, .size = sizeof(type), .schema = schema_, __VA_ARGS__      \
	}
#define SCHEMA_ITEM_VARIANT(type, variants_, ...)                                                  \
	{                                                                                          \
		.kind = SCHEMA_KIND_VARIANT, .size = sizeof(type), .variants = variants_,          \
		__VA_ARGS__                                                                        \
	}
#define SCHEMA_ITEM_ARRAY(type, element_, ...)                                                     \
	{                                                                                          \
		.kind = SCHEMA_KIND_ARRAY, .size = sizeof(type), .element = element_, __VA_ARGS__  \
	}
#define SCHEMA_ITEM_NODE(...)                                                                      \
	{                                                                                          \
		.kind = SCHEMA_KIND_NODE, .size = sizeof(struct tree_node *), __VA_ARGS__          \
	}
#define SCHEMA_ITEM_CUSTOM(type, bind_, ...)                                                       \
	{                                                                                          \
		.kind = SCHEMA_KIND_CUSTOM, .size = sizeof(type), .bind = bind_, __VA_ARGS__       \
	}

#endif
