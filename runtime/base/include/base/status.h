/* Status codes: what the world may do to us. Bugs are assertions (base/ensure.h), no statuses. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

enum status {
#define X(name, message) STATUS_##name,
#include "base/status.def"
#undef X
	STATUS_COUNT
};

/* Name of `status` without prefix, such as "TIMEOUT"; never NULL. */
const char *status_name(enum status status);

/* One sentence for people, such as "deadline passed"; never NULL. */
const char *status_message(enum status status);

#endif
