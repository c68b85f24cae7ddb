/* Status codes, for failures that are not bugs. Bugs are reported by assertions (base/ensure.h),
 * not by statuses. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

enum status {
#define X(name, message) STATUS_##name,
#include "base/status.def"
#undef X
	STATUS_COUNT
};

/* Returns the name of `status` without its prefix, such as "TIMEOUT". Never returns NULL. */
const char *status_name(enum status status);

/* Returns a phrase for users, such as "deadline passed". Never returns NULL. */
const char *status_message(enum status status);

#endif
