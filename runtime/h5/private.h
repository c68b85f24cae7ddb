/* What the files of this room share: bytes of the file, messages of objects, types. */
#ifndef H5_PRIVATE_H
#define H5_PRIVATE_H

#include <stddef.h>

#include "h5/reader.h"

/* Bytes of a structure, read from the front. After a read behind the end it is bad and gives 0. */
struct cursor {
	const unsigned char *at;
	size_t left;
	bool bad;
};

/* `bytes` (0 to 8), little endian. */
uint64_t cursor_number(struct cursor *cursor, unsigned bytes);

/* The next `length` bytes; NULL: there are fewer. */
const unsigned char *cursor_bytes(struct cursor *cursor, size_t length);

/* True if the next bytes are those four letters. */
bool cursor_signature(struct cursor *cursor, const char *letters);

/* Addresses and sizes are of 8 bytes. HDF5's "nowhere" is all ones. */
#define H5_NOWHERE UINT64_MAX

enum { GROUP_DEPTH_MAX = 8, WINDOW_BYTES = 1 << 12 };

/* A link of a group, by its name. */
struct link {
	const char *name;
	uint64_t address;
	const char *foreign; /* NULL: a hard link; else what it is */
};

struct links {
	struct link *at; /* sorted by name */
	uint32_t count;
};

/* An attribute: its value where it was read. */
struct attribute {
	const char *name;
	enum h5_kind kind;
	bool is_variable; /* a text of variable length: its place in the global heap */
	bool is_odd;	  /* of a type or dataspace that is not read */
	uint32_t bytes;
	const unsigned char *value;
};

struct attributes {
	struct attribute *at; /* sorted by name */
	uint32_t count;
};

/* The links of the group that was visited last at some depth of paths. */
struct visited {
	uint64_t address;
	struct arena arena;
	struct links links;
	bool known;
};

struct h5_file {
	int descriptor;
	uint64_t length, root;
	const char *reason;
	unsigned char *window; /* of the file, so that small reads are few */
	uint64_t window_at;
	size_t window_bytes;
	struct visited visited[GROUP_DEPTH_MAX];
	struct arena attribute_arena; /* the attributes looked at last */
	uint64_t attribute_object;
	struct attributes attributes;
	bool attributes_known;
};

/* INVALID, for that reason (NULL: damaged). */
enum status h5_file_refuse(struct h5_file *file, const char *reason);

/* True if the file has `bytes` bytes at `address`. */
bool h5_file_holds(const struct h5_file *file, uint64_t address, uint64_t bytes);

/* Reads exactly that much. False: the file does not hold it. */
bool h5_file_read(struct h5_file *file, uint64_t address, void *into, size_t bytes);

/* The same into `arena`, with a cursor at the front. */
bool h5_file_load(struct h5_file *file, uint64_t address, uint64_t bytes, struct arena *arena,
	struct cursor *cursor);

/* ---- message.c: object headers ---- */

enum message_type {
	MESSAGE_DATASPACE = 0x01,
	MESSAGE_LINK_INFO = 0x02,
	MESSAGE_DATATYPE = 0x03,
	MESSAGE_LINK = 0x06,
	MESSAGE_EXTERNAL = 0x07,
	MESSAGE_LAYOUT = 0x08,
	MESSAGE_FILTERS = 0x0b,
	MESSAGE_ATTRIBUTE = 0x0c,
	MESSAGE_CONTINUATION = 0x10,
	MESSAGE_SYMBOLS = 0x11,
	MESSAGE_ATTRIBUTE_INFO = 0x15
};

struct message {
	uint8_t type;
	bool is_shared; /* stands elsewhere */
	struct cursor body;
};

struct object {
	struct message *messages;
	uint32_t count;
	uint64_t bytes; /* that they take in the file */
};

/* Reads all messages of the object at `address` into `arena`. */
enum status object_load(
	struct h5_file *file, uint64_t address, struct arena *arena, struct object *object);

/* The first message of a type; NULL: none. */
const struct message *object_message(const struct object *object, enum message_type type);

/* ---- heap.c: what does not fit into an object header ---- */

/* Calls `take` for each object of the heap at `heap` that the tree at `tree` lists: bodies of
 * messages. Records of `tree` hold the object's id behind `skip` bytes. */
enum status heap_visit(struct h5_file *file, uint64_t heap, uint64_t tree, unsigned skip,
	struct arena *arena, enum status (*take)(void *context, struct cursor body), void *context);

/* ---- link.c ---- */

/* The links of a group. */
enum status links_load(
	struct h5_file *file, uint64_t address, struct arena *arena, struct links *links);

/* Follows hard links from the root. OK, NOT_FOUND or INVALID. */
enum status link_find(struct h5_file *file, const char *path, uint64_t *address);

/* ---- type.c ---- */

struct type {
	enum { TYPE_PLAIN, TYPE_VARIABLE_TEXT, TYPE_COMPOUND } form;
	enum h5_kind kind; /* of a plain one */
	uint32_t bytes;
	struct h5_column *columns; /* of a compound one */
	uint32_t column_count;
};

/* OK, or INVALID if it is none of ours. */
enum status type_read(
	struct h5_file *file, struct cursor *cursor, struct arena *arena, struct type *type);

/* A dataspace of `count` elements; `is_scalar`: of no dimension. INVALID: of several dimensions, or
 * without any element ("null"). */
enum status space_read(
	struct h5_file *file, struct cursor *cursor, uint64_t *count, bool *is_scalar);

/* ---- attribute.c, text.c ---- */

/* All attributes of an object. */
enum status attributes_load(
	struct h5_file *file, uint64_t address, struct arena *arena, struct attributes *attributes);

/* NULL: none of that name. */
const struct attribute *attributes_find(const struct attributes *attributes, const char *name);

/* A text attribute in `arena`. */
enum status attribute_text(struct h5_file *file, const struct attribute *attribute,
	struct arena *arena, const char **text);

/* Whether every one is of a type and shape of ours, and every text is there. Adds the bytes of
 * texts of variable length to *bytes, unless it is NULL. */
enum status attributes_check(struct h5_file *file, const struct attributes *attributes,
	struct arena *arena, uint64_t *bytes);

/* The bytes of a text of variable length as it stands in an attribute or a list. */
enum { VARIABLE_BYTES = 16 };

/* The text itself, in `arena`. */
enum status variable_text(
	struct h5_file *file, const unsigned char *place, struct arena *arena, const char **text);

/* ---- chunk.c: where the rows of a dataset are ---- */

enum { FILTERS_MAX = 2, CHUNK_BYTES_MAX = 1 << 26 };

enum filter { FILTER_DEFLATE = 1, FILTER_SHUFFLE = 2 };

struct chunk {
	uint64_t address, bytes;
	uint32_t mask; /* of the filters that were left out */
};

struct layout {
	bool is_chunked;
	uint64_t address;    /* contiguous; or nowhere */
	uint64_t chunk_rows; /* of each chunk but the last, which is as long */
	struct chunk *chunks;
	uint64_t chunk_count;
	enum filter filters[FILTERS_MAX];
	uint32_t filter_count;
};

/* Of the dataset that has these messages, of `row_count` elements of `row_bytes` bytes. */
enum status layout_read(struct h5_file *file, const struct object *object, uint64_t row_count,
	uint32_t row_bytes, struct arena *arena, struct layout *layout);

/* Reads chunk `number`, decoded, into `rows` of chunk_rows * row_bytes bytes. */
enum status chunk_read(struct h5_file *file, const struct layout *layout, uint64_t number,
	uint32_t row_bytes, unsigned char *rows);

#endif
