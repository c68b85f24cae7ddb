/* The manager's store (manager/store.h) in a build without SQLite: none can be opened. */
#include "manager/store.h"

enum status store_open(const char *path, struct store **store, struct text *why)
{
	(void)path;
	(void)store;
	if (why)
		text_append(why, "this build is without SQLite: install libsqlite3-dev");
	return STATUS_UNSUPPORTED;
}

enum status store_put(struct store *store, enum store_table table, const char *name,
	const char *document, size_t length)
{
	(void)store;
	(void)table;
	(void)name;
	(void)document;
	(void)length;
	return STATUS_OK;
}

enum status store_remove(struct store *store, enum store_table table, const char *name)
{
	(void)store;
	(void)table;
	(void)name;
	return STATUS_OK;
}

enum status store_each(struct store *store, enum store_table table,
	void (*each)(void *context, const char *name, const char *document, size_t length),
	void *context)
{
	(void)store;
	(void)table;
	(void)each;
	(void)context;
	return STATUS_OK;
}

void store_close(struct store *store)
{
	(void)store;
}
