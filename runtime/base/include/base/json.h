/* A writer of JSON, indented by two spaces, for everything that is printed or stored as JSON.
 * Refuses (base/ensure.h) what is not JSON: a value without key in an object, a key in an array,
 * unbalanced ends. Deterministic: a number has one spelling. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"

enum { JSON_DEPTH_MAX = 128 };

struct json {
	struct text *out;
	struct text own; /* what `out` is unless another text was given */
	unsigned depth;
	bool has_key;	    /* a key waits for its value */
	unsigned flat_from; /* what is deeper stays on its line; 0: nothing does */
	struct {
		bool is_array;
		bool has_items;
	} levels[JSON_DEPTH_MAX];
};

/* Starts a document that is appended to `out`; or, if that is NULL, kept for json_print(). Set
 * `flat_from` then if it holds many numbers. */
void json_start(struct json *json, struct text *out);

/* Ends the document; the caller may check that nothing is open by this. Appends a line end. */
void json_end(struct json *json);

/* Ends a document that was kept, prints it unless `out` is NULL, and frees it. */
void json_print(struct json *json, FILE *out);

void json_object(struct json *json); /* opens { */
void json_object_end(struct json *json);
void json_array(struct json *json); /* opens [ */
void json_array_end(struct json *json);

/* The key of the next value; only inside an object. */
void json_key(struct json *json, const char *key);

void json_string(struct json *json, const char *value);
void json_integer(struct json *json, int64_t value);
void json_unsigned(struct json *json, uint64_t value);

/* Shortest spelling that reads back as the same double; null for what is not finite. */
void json_real(struct json *json, double value);
void json_bool(struct json *json, bool value);
void json_null(struct json *json);

/* A key, and what opens its value. */
void json_object_of(struct json *json, const char *key);
void json_array_of(struct json *json, const char *key);

/* A member that is a text, or null if there is none (NULL). */
void json_text(struct json *json, const char *key, const char *value);

/* A value that is JSON already. */
void json_raw(struct json *json, const char *value);

#endif
