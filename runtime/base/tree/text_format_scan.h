/* Tokens of protobuf's text format, with their locations. Only for files of this folder. */
#ifndef BASE_TREE_TEXT_FORMAT_SCAN_H
#define BASE_TREE_TEXT_FORMAT_SCAN_H

#include "base/tree/tree_node.h"

enum token_kind {
	TOKEN_END,
	TOKEN_WORD,   /* name, number: anything outside of quotes */
	TOKEN_STRING, /* escapes resolved, adjacent strings not yet joined */
	TOKEN_SIGN,   /* one of { } < > [ ] : , ; */
};

struct token {
	enum token_kind kind;
	struct location where;
	const char *text; /* in the arena; of a SIGN one character */
	size_t length;
};

struct scan {
	const struct source *source;
	const char *at, *end;
	uint32_t line, column;
	struct arena *arena;
	struct diag *diag;
	struct token token; /* the next one */
	bool stopped;	    /* after an error: the token is TOKEN_END */
};

/* Starts with the first token. */
void scan_start(struct scan *scan, const struct source *source, const char *text, size_t length,
	struct arena *arena, struct diag *diag);

/* Goes to the next token. */
void scan_next(struct scan *scan);

/* Reports the first error only, and stops the scan. */
void scan_stop(struct scan *scan, struct location where, const char *problem);

/* True if the next token is the sign. */
bool scan_is(const struct scan *scan, char sign);

#endif
