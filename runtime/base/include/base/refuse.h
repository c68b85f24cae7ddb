/* Reports a failure in one expression, which appends a sentence to the caller's text, if there is
 * one, and has the status as its value. Use it for failures of the world and of requests; bugs use
 * ensure(). */
#ifndef BASE_REFUSE_H
#define BASE_REFUSE_H

#include "base/status.h"
#include "base/text.h"

/* `why`: a struct text *, or NULL. Evaluates to `status`. */
#define refuse(why, status, ...)                                                                   \
	((why) != NULL ? (text_printf((why), __VA_ARGS__), (status)) : (status))

#endif
