/* Credentials (manager/credential.h) in a build without munge: nothing can be sealed or opened. */
#include "manager/credential.h"

static enum status credential_absent(struct text *why)
{
	if (why)
		text_append(why, "this build is without munge: install libmunge-dev");
	return STATUS_UNSUPPORTED;
}

enum status credential_seal(const struct credential_settings *settings, const char *message,
	size_t length, struct text *sealed, struct text *why)
{
	(void)settings;
	(void)message;
	(void)length;
	(void)sealed;
	return credential_absent(why);
}

enum status credential_open(const struct credential_settings *settings, const char *sealed,
	struct text *message, uint32_t *user, struct text *why)
{
	(void)settings;
	(void)sealed;
	(void)message;
	(void)user;
	return credential_absent(why);
}
