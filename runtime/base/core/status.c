/* The names and messages of statuses, generated from status.def. */
#include "base/status.h"
#include "base/ensure.h"

static const char *const status_names[STATUS_COUNT] = {
#define X(name, message) [STATUS_##name] = #name,
#include "base/status.def"
#undef X
};

static const char *const status_messages[STATUS_COUNT] = {
#define X(name, message) [STATUS_##name] = message,
#include "base/status.def"
#undef X
};

const char *status_name(enum status status)
{
	ensure(status >= 0 && status < STATUS_COUNT, "status %d of %d", (int)status, STATUS_COUNT);
	return status_names[status];
}

const char *status_message(enum status status)
{
	ensure(status >= 0 && status < STATUS_COUNT, "status %d of %d", (int)status, STATUS_COUNT);
	return status_messages[status];
}
