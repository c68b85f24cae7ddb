/* Tokens of protobuf's text format, with their locations. Only for files of this folder. */
#ifndef BASE_TREE_TEXT_FORMAT_SCAN_H
#define BASE_TREE_TEXT_FORMAT_SCAN_H

#include "base/tree/tree_node.h"

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
