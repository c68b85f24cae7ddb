/* The manager's store in SQLite (manager/store.h). A write is in the file, and synchronized, before
 * store_put() returns. */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "manager/store.h"

#define LIBRARY_NAME	  "SQLite"
#define LIBRARY_FILE	  "libsqlite3.so.0"
#define LIBRARY_FUNCTIONS "sqlite_functions.def"
#include "base/library_calls.h"

struct store {
	sqlite3 *base;
};

static const char *const table_sql[STORE_TABLES][3] = {
	[STORE_JOBS] = {"INSERT OR REPLACE INTO jobs VALUES (?1, ?2)",
		"DELETE FROM jobs WHERE name = ?1",
		"SELECT name, document FROM jobs ORDER BY name"},
	[STORE_HOSTS] = {"INSERT OR REPLACE INTO hosts VALUES (?1, ?2)",
		"DELETE FROM hosts WHERE name = ?1",
		"SELECT name, document FROM hosts ORDER BY name"},
};

/* application_id says whose file it is, user_version which version of the tables it has. */
static const char setup[] =
	"PRAGMA locking_mode = EXCLUSIVE;"
	"PRAGMA journal_mode = DELETE;"
	"PRAGMA synchronous = FULL;"
	"BEGIN EXCLUSIVE;"
	"CREATE TABLE IF NOT EXISTS jobs (name TEXT PRIMARY KEY, document TEXT);"
	"CREATE TABLE IF NOT EXISTS hosts (name TEXT PRIMARY KEY, document TEXT);"
	"PRAGMA application_id = 1836280685;"
	"PRAGMA user_version = 1;"
	"COMMIT;";

/* Reads a number that a pragma gives. */
static int pragma_row(void *context, int count, char **values, char **names)
{
	uint64_t value = 0;

	(void)names;
	if (count == 1 && values[0] && number_read_whole(values[0], INT32_MAX, &value))
		*(int *)context = (int)value;
	return 0;
}

/* Returns INVALID if the file is another program's, or of another version. */
static enum status store_check(sqlite3 *base, struct text *why)
{
	enum { APPLICATION = 1836280685, VERSION = 1 };
	int application = 0, version = 0, tables = 0, code;

	code = sqlite3_exec(base, "SELECT count(*) FROM sqlite_master", pragma_row, &tables, NULL);
	if (code == SQLITE_OK)
		code = sqlite3_exec(base, "PRAGMA application_id", pragma_row, &application, NULL);
	if (code == SQLITE_OK)
		code = sqlite3_exec(base, "PRAGMA user_version", pragma_row, &version, NULL);
	if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
		if (why)
			text_append(why, "another process has it open");
		return STATUS_EXISTS;
	}
	if (code == SQLITE_OK &&
		(tables == 0 || (application == APPLICATION && version == VERSION)))
		return STATUS_OK;
	if (why)
		text_append(why, code == SQLITE_OK && application == APPLICATION
					 ? "it is a store of another version of meshsim"
					 : "it is no store of meshsim");
	return STATUS_INVALID;
}

enum status store_open(const char *path, struct store **result, struct text *why)
{
	struct store *store;
	enum status status = library_status(why);
	int code;

	if (status != STATUS_OK)
		return status;
	store = allocate(1, sizeof *store);
	code = sqlite3_open_v2(
		path, &store->base, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
	if (code == SQLITE_OK)
		status = store_check(store->base, why);
	if (code == SQLITE_OK && status == STATUS_OK)
		code = sqlite3_exec(store->base, setup, NULL, NULL, NULL);
	if (status == STATUS_OK && code != SQLITE_OK) {
		status = code == SQLITE_BUSY ? STATUS_EXISTS : STATUS_IO;
		if (why)
			text_append(why, code == SQLITE_BUSY ? "another process has it open"
							     : "it cannot be written");
	}
	if (status == STATUS_OK)
		*result = store;
	else
		store_close(store);
	return status;
}

/* Executes a statement with one or two texts. */
static enum status store_do(
	struct store *store, const char *sql, const char *name, const char *document, size_t length)
{
	sqlite3_stmt *statement = NULL;
	bool good = sqlite3_prepare_v2(store->base, sql, -1, &statement, NULL) == SQLITE_OK &&
		    sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC) == SQLITE_OK &&
		    (!document || sqlite3_bind_text(statement, 2, document, (int)length,
					  SQLITE_STATIC) == SQLITE_OK) &&
		    sqlite3_step(statement) == SQLITE_DONE;

	(void)sqlite3_finalize(statement);
	return good ? STATUS_OK : STATUS_IO;
}

enum status store_put(struct store *store, enum store_table table, const char *name,
	const char *document, size_t length)
{
	if (!store)
		return STATUS_OK;
	return store_do(store, table_sql[table][0], name, document, length);
}

enum status store_remove(struct store *store, enum store_table table, const char *name)
{
	if (!store)
		return STATUS_OK;
	return store_do(store, table_sql[table][1], name, NULL, 0);
}

enum status store_each(struct store *store, enum store_table table,
	void (*each)(void *context, const char *name, const char *document, size_t length),
	void *context)
{
	sqlite3_stmt *statement = NULL;
	int code = SQLITE_DONE;

	if (!store)
		return STATUS_OK;
	if (sqlite3_prepare_v2(store->base, table_sql[table][2], -1, &statement, NULL) != SQLITE_OK)
		return STATUS_IO;
	while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(statement, 0);
		const char *document = (const char *)sqlite3_column_text(statement, 1);

		each(context, name ? name : "", document ? document : "",
			(size_t)sqlite3_column_bytes(statement, 1));
	}
	(void)sqlite3_finalize(statement);
	return code == SQLITE_DONE ? STATUS_OK : STATUS_IO;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	(void)sqlite3_close(store->base);
	free(store);
}
