/* Declarations that the files of this folder share: reading of bytes, messages and types. */
#ifndef H5_PRIVATE_H
#define H5_PRIVATE_H

#include <stddef.h>

#include "h5/reader.h"

/* A cursor that reads the bytes of a structure from front to back. A read beyond the end sets `bad`
 * and returns 0 or NULL. */
struct cursor {
	const unsigned char *at;
	size_t left;
	bool bad;
};

/* Reads a little-endian number of `bytes` (0 to 8) bytes. */
uint64_t cursor_number(struct cursor *cursor, unsigned bytes);

/* Returns the next `length` bytes, or NULL if there are fewer. */
const unsigned char *cursor_bytes(struct cursor *cursor, size_t length);

/* Reads four bytes. Returns true if they are these four letters. */
bool cursor_signature(struct cursor *cursor, const char *letters);

/* HDF5's undefined address is all ones. Addresses and sizes have 8 bytes. */
#define H5_NOWHERE UINT64_MAX

enum { GROUP_DEPTH_MAX = 8, WINDOW_BYTES = 1 << 12 };

/* A link of a group. */
struct link {
	const char *name;
	uint64_t address;
	const char *foreign; /* NULL for a hard link; otherwise the name of the kind of link */
};

struct links {
	struct link *at; /* sorted by name */
	uint32_t count;
};

/* An attribute. Its value has the format of the file. */
struct attribute {
	const char *name;
	enum h5_kind kind;
	/* true for a variable-length text: the value is then a reference to the text in the global
	 * heap */
	bool is_variable;
	bool is_odd; /* the type or the dataspace is not supported */
	uint32_t bytes;
	const unsigned char *value;
};

struct attributes {
	struct attribute *at; /* sorted by name */
	uint32_t count;
};

/* The links of one group: the group that was visited last at one depth of paths. */
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
	/* a copy of a part of the file, so that small reads need no system call */
	unsigned char *window;
	uint64_t window_at;
	size_t window_bytes;
	struct visited visited[GROUP_DEPTH_MAX];
	struct arena attribute_arena; /* memory of the attributes that were loaded last */
	uint64_t attribute_object;
	struct attributes attributes;
	bool attributes_known;
};

/* Returns INVALID. Unless `reason` is NULL, stores it for h5_reason(). */
enum status h5_file_refuse(struct h5_file *file, const char *reason);

/* Returns true if the file has `bytes` bytes from `address` on. */
bool h5_file_holds(const struct h5_file *file, uint64_t address, uint64_t bytes);

/* Reads exactly `bytes` bytes into `into`. Returns false if the file does not have that many bytes
 * from `address` on, or if reading fails. */
bool h5_file_read(struct h5_file *file, uint64_t address, void *into, size_t bytes);

/* Reads `bytes` bytes into `arena`, and sets the cursor to these bytes. Returns false if the file
 * does not have that many bytes from `address` on, or if reading fails. */
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
	bool is_shared; /* the message is stored elsewhere in the file */
	struct cursor body;
};

struct object {
	struct message *messages;
	uint32_t count;
	uint64_t bytes; /* size of the data in the file */
};

/* Reads all messages of the object at `address` into `arena` and *object. Returns OK or INVALID. */
enum status object_load(
	struct h5_file *file, uint64_t address, struct arena *arena, struct object *object);

/* Returns the first message of a type, or NULL if there is none. */
const struct message *object_message(const struct object *object, enum message_type type);

/* ---- heap.c: data that does not fit into an object header ---- */

/* Calls take() for each object of the heap at `heap` that the tree at `tree` lists. Each object is
 * the body of a message. In a record of the tree, `skip` bytes come before the id of the object.
 * Returns OK, or the first error. */
enum status heap_visit(struct h5_file *file, uint64_t heap, uint64_t tree, unsigned skip,
	struct arena *arena, enum status (*take)(void *context, struct cursor body), void *context);

/* ---- link.c ---- */

/* Loads the links of the group at `address`. Returns OK or INVALID. */
enum status links_load(
	struct h5_file *file, uint64_t address, struct arena *arena, struct links *links);

/* Follows hard links from the root along `path`, and sets *address to the address of the object.
 * Returns OK, NOT_FOUND or INVALID. */
enum status link_find(struct h5_file *file, const char *path, uint64_t *address);

/* ---- type.c ---- */

struct type {
	enum { TYPE_PLAIN, TYPE_VARIABLE_TEXT, TYPE_COMPOUND } form;
	enum h5_kind kind; /* for a plain type */
	uint32_t bytes;
	struct h5_column *columns; /* for a compound type */
	uint32_t column_count;
};

/* Reads a type. Returns OK, or INVALID if the type is not supported. */
enum status type_read(
	struct h5_file *file, struct cursor *cursor, struct arena *arena, struct type *type);

/* Reads a dataspace. Sets *count to the number of its elements, and sets *is_scalar to true if the
 * dataspace has no dimensions. Returns OK. Returns INVALID if the dataspace has several dimensions,
 * or is a "null" dataspace, which has no elements. */
enum status space_read(
	struct h5_file *file, struct cursor *cursor, uint64_t *count, bool *is_scalar);

/* ---- attribute.c, text.c ---- */

/* Loads all attributes of an object. */
enum status attributes_load(
	struct h5_file *file, uint64_t address, struct arena *arena, struct attributes *attributes);

/* Returns the attribute with this name, or NULL if there is none. */
const struct attribute *attributes_find(const struct attributes *attributes, const char *name);

/* Reads a text attribute into `arena`, and sets *text. Returns OK, or INVALID if the attribute is
 * not a text. */
enum status attribute_text(struct h5_file *file, const struct attribute *attribute,
	struct arena *arena, const char **text);

/* Checks that all attributes have a supported type and shape, and that their texts exist. Adds the
 * sizes in bytes of variable-length texts to *bytes, unless `bytes` is NULL. Returns OK or
 * INVALID. */
enum status attributes_check(struct h5_file *file, const struct attributes *attributes,
	struct arena *arena, uint64_t *bytes);

/* The size of a reference to a variable-length text, as attributes and datasets contain it. */
enum { VARIABLE_BYTES = 16 };

/* Reads a variable-length text into `arena`, and sets *text. `place` points to the reference to
 * this text. Returns OK or INVALID. */
enum status variable_text(
	struct h5_file *file, const unsigned char *place, struct arena *arena, const char **text);

/* ---- chunk.c: locations of a dataset's rows ---- */

enum { FILTERS_MAX = 2, CHUNK_BYTES_MAX = 1 << 26 };

enum filter { FILTER_DEFLATE = 1, FILTER_SHUFFLE = 2 };

struct chunk {
	uint64_t address, bytes;
	uint32_t mask; /* bit i: filter i was not applied to this chunk */
};

struct layout {
	bool is_chunked;
	uint64_t address; /* address of the rows if they are contiguous; otherwise H5_NOWHERE */
	/* number of rows in a chunk; the last chunk may have fewer rows, but has the same size in
	 * bytes */
	uint64_t chunk_rows;
	struct chunk *chunks;
	uint64_t chunk_count;
	enum filter filters[FILTERS_MAX];
	uint32_t filter_count;
};

/* Reads the layout of a dataset from the messages of its object. The dataset has `row_count`
 * elements of `row_bytes` bytes each. Returns OK or INVALID. */
enum status layout_read(struct h5_file *file, const struct object *object, uint64_t row_count,
	uint32_t row_bytes, struct arena *arena, struct layout *layout);

/* Decodes chunk `number` into `rows` (chunk_rows * row_bytes bytes). Returns OK or INVALID. */
enum status chunk_read(struct h5_file *file, const struct layout *layout, uint64_t number,
	uint32_t row_bytes, unsigned char *rows);

#endif
