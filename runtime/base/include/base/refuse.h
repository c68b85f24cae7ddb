/* refuse() reports a failure in one expression. It appends a sentence to the caller's text, unless
 * the text is NULL, and returns the status. Use it for failures of the system and of requests; use
 * ensure() for bugs. */
#ifndef BASE_REFUSE_H
#define BASE_REFUSE_H

#include "base/status.h"
#include "base/text.h"

/* `why` is a struct text *, or NULL. The value of the expression is `status`. */
#define refuse(why, status, ...)                                                                   \
	((why) != NULL ? (text_printf((why), __VA_ARGS__), (status)) : (status))

#endif
