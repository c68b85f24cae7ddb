/* One way to say no: appends a sentence to the caller's text, if there is one, and gives the
 * status. For refusals of the world and of the user's wishes; bugs are ensure(). */
#ifndef BASE_REFUSE_H
#define BASE_REFUSE_H

#include "base/status.h"
#include "base/text.h"

/* `why`: a struct text *, or NULL. The value is `status`. */
#define refuse(why, status, ...)                                                                   \
	((why) != NULL ? (text_printf((why), __VA_ARGS__), (status)) : (status))

#endif
