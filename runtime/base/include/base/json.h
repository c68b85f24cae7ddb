/* A JSON writer, indented by two spaces, for everything that is printed or stored as JSON. A wrong
 * sequence of calls is a bug (base/ensure.h), for example a value without a key in an object, a key
 * in an array, or an end without its start. The output is deterministic: a number is always written
 * in the same way. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"

enum { JSON_DEPTH_MAX = 128 };

struct json {
	struct text *out;
	struct text own; /* the text that is used if the caller gives no `out` */
	unsigned depth;
	bool has_key;	    /* a key was written, and its value comes next */
	unsigned flat_from; /* objects and arrays that are nested deeper than this are written on
			     * one line; 0: no object or array is written on one line */
	struct {
		bool is_array;
		bool has_items;
	} levels[JSON_DEPTH_MAX];
};

/* Starts a document. If `out` is not NULL, the document is appended to `out`; otherwise it is kept
 * for json_print(). If the document holds many numbers, set `flat_from` after this call. */
void json_start(struct json *json, struct text *out);

/* Ends the document, which must have no open levels, and appends a line end. */
void json_end(struct json *json);

/* Ends a kept document, prints it unless `out` is NULL, and frees it. */
void json_print(struct json *json, FILE *out);

void json_object(struct json *json); /* opens { */
void json_object_end(struct json *json);
void json_array(struct json *json); /* opens [ */
void json_array_end(struct json *json);

/* Writes the key of the next value. Only allowed inside an object. */
void json_key(struct json *json, const char *key);

void json_string(struct json *json, const char *value);
void json_integer(struct json *json, int64_t value);
void json_unsigned(struct json *json, uint64_t value);

/* Writes the number with 15 to 17 significant digits: as few of these as are read as the same
 * double. Writes null if the value is not finite. */
void json_real(struct json *json, double value);
void json_bool(struct json *json, bool value);
void json_null(struct json *json);

/* Writes a key, and starts the object or array that is its value. */
void json_object_of(struct json *json, const char *key);
void json_array_of(struct json *json, const char *key);

/* Writes a member with a text, or with null if `value` is NULL. */
void json_text(struct json *json, const char *key, const char *value);

/* Write a key and its value. */
void json_integer_of(struct json *json, const char *key, int64_t value);
void json_unsigned_of(struct json *json, const char *key, uint64_t value);
void json_real_of(struct json *json, const char *key, double value);
void json_bool_of(struct json *json, const char *key, bool value);

/* Writes a value that is already JSON. */
void json_raw(struct json *json, const char *value);

#endif
