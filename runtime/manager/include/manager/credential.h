/* Proves who sends a message in a cluster, by munge: every host has the cluster's key and a daemon,
 * which seals a message with the user id of the process that asks. A sealed message is refused when
 * it comes from another cluster, is older than its time to live, or was opened before. */
#ifndef MANAGER_CREDENTIAL_H
#define MANAGER_CREDENTIAL_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"

enum { CREDENTIAL_BYTES_MAX = 1 << 20 }; /* maximum bytes of a sealed message */

struct credential_settings {
	const char *socket; /* path of the daemon's socket; NULL: where munge has it */
	uint32_t ttl_s;	    /* a message that is older is refused; 0: munge's default */
};

/* Seals a message, and appends the result to `sealed`. Returns OK, or an error with a sentence in
 * `why` (may be NULL): OUT_OF_RANGE if the message is too long; CLOSED if no daemon answers;
 * UNSUPPORTED without munge; IO after any other error. */
enum status credential_seal(const struct credential_settings *settings, const char *message,
	size_t length, struct text *sealed, struct text *why);

/* Opens a sealed message: appends the message to `message`, and sets *user to the sender's user id.
 * Returns OK, or an error with a sentence in `why` (may be NULL): INVALID if the message was not
 * sealed in this cluster, has expired, or was opened before; CLOSED if no daemon answers;
 * UNSUPPORTED without munge; IO after any other error. */
enum status credential_open(const struct credential_settings *settings, const char *sealed,
	struct text *message, uint32_t *user, struct text *why);

#endif
