/* Functions that build a located tree while a text is read: measuring nodes, reading documents, and
 * checking bytes. Private to base. */
#ifndef BASE_TREE_TREE_NODE_H
#define BASE_TREE_TREE_NODE_H

#include "base/tree.h"

struct tree {
	struct arena arena;
	const struct tree_node *root;
};

/* Computes `depth`, `nodes` and `bytes` of a node from its children. Returns NULL. If the node
 * exceeds a bound, returns a sentence that names the bound. */
const char *tree_measure(struct tree_node *node);

/* Returns true if `key` is a decimal index below `count`, and stores it in *index. */
bool tree_index(const char *key, uint32_t count, uint32_t *index);

/* Reads one YAML document from a registered source. `text` is the end of the text of this source.
 * If it does not begin at the start of a line, `shift` is the number of columns before it on this
 * line; otherwise 0. Returns the root, or NULL after errors. */
const struct tree_node *tree_read_yaml(const struct source *source, const char *text, size_t length,
	uint32_t shift, struct arena *arena, struct diag *diag);

/* Like tree_read_yaml(), for protobuf's text format. */
const struct tree_node *tree_read_fields(const struct source *source, const char *text,
	size_t length, struct arena *arena, struct diag *diag);

/* Rejects bytes that are not text, and constructs that make libyaml slow. Returns false after an
 * error. */
bool tree_check_text(const struct source *source, const char *text, size_t length, uint32_t shift,
	struct diag *diag);

/* Checks that a scalar is UTF-8 without control characters (text_is_control()); if `lines` is set,
 * "\n" and "\t" are allowed. Returns `length` if the scalar is valid. Otherwise reports an error,
 * and returns the number of valid bytes before the first fault. tree_check_text() cannot replace
 * this check: it sees escapes, and not the control characters for which they stand. */
size_t tree_check_scalar(
	struct location where, const char *text, size_t length, bool lines, struct diag *diag);

/* Tokens of protobuf's text format, with their locations. */
enum token_kind {
	TOKEN_END,
	TOKEN_WORD,   /* a name or number: any text outside of quotes */
	TOKEN_STRING, /* a string with resolved escapes; adjacent strings are not yet joined */
	TOKEN_SIGN,   /* one of the characters { } < > [ ] : , ; */
};

struct token {
	enum token_kind kind;
	struct location where;
	const char *text; /* text of the token, in the arena; one character for a SIGN */
	size_t length;
};

struct scan {
	const struct source *source;
	const char *at, *end;
	uint32_t line, column;
	struct arena *arena;
	struct diag *diag;
	struct token token; /* the next token */
	bool stopped;	    /* true after an error; the token is then TOKEN_END */
};

/* Starts the scan, and reads the first token. */
void scan_start(struct scan *scan, const struct source *source, const char *text, size_t length,
	struct arena *arena, struct diag *diag);

/* Goes to the next token. */
void scan_next(struct scan *scan);

/* Stops the scan, and reports the problem. Only the first problem is reported. */
void scan_stop(struct scan *scan, struct location where, const char *problem);

/* Returns true if the next token is the sign `sign`. */
bool scan_is(const struct scan *scan, char sign);

#endif
