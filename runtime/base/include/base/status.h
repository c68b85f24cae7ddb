/* Status codes, for failures of the world. Bugs are assertions (base/ensure.h), not statuses. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

enum status {
#define X(name, message) STATUS_##name,
#include "base/status.def"
#undef X
	STATUS_COUNT
};

/* Name of `status` without its prefix, such as "TIMEOUT"; never NULL. */
const char *status_name(enum status status);

/* One sentence for users, such as "deadline passed"; never NULL. */
const char *status_message(enum status status);

#endif
