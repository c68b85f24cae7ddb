/* Credentials by munge (manager/credential.h). */
#include <munge.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "manager/credential.h"

#define LIBRARY_NAME	  "munge"
#define LIBRARY_FILE	  "libmunge.so.2"
#define LIBRARY_FUNCTIONS "munge_functions.def"
#include "base/library_calls.h"

/* munge_ctx_set() has variable arguments, so it is called where it lies. */
static munge_err_t (*context_set)(munge_ctx_t context, int option, ...);

static enum status context_make(
	const struct credential_settings *settings, munge_ctx_t *context, struct text *why)
{
	enum status status = library_status(why);

	if (status != STATUS_OK)
		return status;
	if (!context_set &&
		!library_symbol(library_load(LIBRARY_FILE), "munge_ctx_set", &context_set))
		return STATUS_UNSUPPORTED;
	*context = munge_ctx_create();
	if (!*context)
		return STATUS_NO_MEMORY;
	if ((settings->socket &&
		    context_set(*context, MUNGE_OPT_SOCKET, settings->socket) != EMUNGE_SUCCESS) ||
		(settings->ttl_s > 0 && context_set(*context, MUNGE_OPT_TTL,
						(int)settings->ttl_s) != EMUNGE_SUCCESS)) {
		munge_ctx_destroy(*context);
		return STATUS_IO;
	}
	return STATUS_OK;
}

/* Returns the status of an error, and appends munge's sentence to `why`. */
static enum status munge_status(munge_err_t error, struct text *why)
{
	if (error == EMUNGE_SUCCESS)
		return STATUS_OK;
	if (why)
		text_printf(why, "munge: %s", munge_strerror(error));
	switch (error) {
	case EMUNGE_SOCKET:
	case EMUNGE_TIMEOUT:
		return STATUS_CLOSED;
	case EMUNGE_BAD_LENGTH:
		return STATUS_OUT_OF_RANGE;
	case EMUNGE_SNAFU:
	case EMUNGE_NO_MEMORY:
	case EMUNGE_OVERFLOW:
		return STATUS_IO;
	default:
		return STATUS_INVALID;
	}
}

enum status credential_seal(const struct credential_settings *settings, const char *message,
	size_t length, struct text *sealed, struct text *why)
{
	munge_ctx_t context;
	char *bytes = NULL;
	enum status status = context_make(settings, &context, why);

	if (status != STATUS_OK)
		return status;
	if (length > CREDENTIAL_BYTES_MAX) {
		if (why)
			text_append(why, "the message is too long");
		status = STATUS_OUT_OF_RANGE;
	} else {
		status = munge_status(munge_encode(&bytes, context, message, (int)length), why);
	}
	if (status == STATUS_OK)
		text_append(sealed, bytes);
	free(bytes);
	munge_ctx_destroy(context);
	return status;
}

enum status credential_open(const struct credential_settings *settings, const char *sealed,
	struct text *message, uint32_t *user, struct text *why)
{
	munge_ctx_t context;
	void *bytes = NULL;
	int length = 0;
	uid_t from = 0;
	gid_t group;
	enum status status = context_make(settings, &context, why);

	if (status != STATUS_OK)
		return status;
	status = munge_status(munge_decode(sealed, context, &bytes, &length, &from, &group), why);
	if (status == STATUS_OK) {
		text_append_bytes(message, bytes, (size_t)length);
		*user = from;
	}
	free(bytes);
	munge_ctx_destroy(context);
	return status;
}
