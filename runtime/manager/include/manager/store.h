/* Where the manager keeps what must survive its own restart: the jobs, and the last report of each
 * host. One row is SQLite; without a store, a manager forgets everything when it ends. */
#ifndef MANAGER_STORE_H
#define MANAGER_STORE_H

#include "base/status.h"
#include "base/text.h"

struct store; /* opaque */

enum store_table { STORE_JOBS, STORE_HOSTS, STORE_TABLES };

/* Opens the file, and makes it if there is none. Only one process may have it open. Returns OK, or
 * an error with a sentence in `why` (may be NULL): EXISTS if another process has it open; INVALID
 * if the file is no store, or a store of another version; UNSUPPORTED without SQLite; IO after any
 * other error. */
enum status store_open(const char *path, struct store **store, struct text *why);

/* Keeps a document under a name, in place of an older one. When it returns OK, the document
 * survives a crash of the process and of the machine. Returns IO after an error. NULL for `store`
 * is allowed: nothing is kept. */
enum status store_put(struct store *store, enum store_table table, const char *name,
	const char *document, size_t length);

/* Forgets a document; OK also if there is none. */
enum status store_remove(struct store *store, enum store_table table, const char *name);

/* Calls `each` for all documents of a table, in the order of their names. Returns OK, or IO after
 * an error. */
enum status store_each(struct store *store, enum store_table table,
	void (*each)(void *context, const char *name, const char *document, size_t length),
	void *context);

/* Closes the store. NULL is allowed. */
void store_close(struct store *store);

#endif
