/* Keeps error tables in the user's cache folder (see errors.h). A table ends with its own hash, so
 * that a truncated table is detected. */
#include "bench/tools/reference/errors.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/hash.h"

static bool hash_file(const char *path, uint64_t *hash)
{
	static char bytes[65536];
	FILE *file = fopen(path, "rb");
	size_t length;
	bool good;

	if (!file)
		return false;
	while ((length = fread(bytes, 1, sizeof bytes, file)) > 0)
		*hash = hash_more(*hash, bytes, length);
	good = !ferror(file);
	fclose(file);
	return good;
}

static int is_yaml(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > 5 && strcmp(entry->d_name + length - 5, ".yaml") == 0;
}

/* Hashes all platforms, in the order of their names. */
static bool hash_folder(const char *folder, uint64_t *hash)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_yaml, alphasort);
	bool good = count > 0;
	char path[4096];

	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
		*hash = hash_more(*hash, entries[i]->d_name, strlen(entries[i]->d_name) + 1);
		good = good && hash_file(path, hash);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	return good;
}

static bool find_folder(char *folder, size_t size)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int length;

	if (cache && cache[0] == '/')
		length = snprintf(folder, size, "%s/meshsim", cache);
	else if (home && home[0] == '/')
		length = snprintf(folder, size, "%s/.cache/meshsim", home);
	else
		return false;
	return length > 0 && (size_t)length + 64 < size;
}

void errors_cache_init(struct errors_cache *cache, const char *platforms, const char *reference,
	const char *errors)
{
	uint64_t hash = HASH_EMPTY;
	char folder[512];

	cache->path[0] = '\0';
	hash_file(errors, &hash); /* the file is optional */
	if (find_folder(folder, sizeof folder) && hash_file("/proc/self/exe", &hash) &&
		hash_folder(platforms, &hash) && hash_file(reference, &hash))
		snprintf(cache->path, sizeof cache->path, "%.440s/errors-%016" PRIx64 ".json",
			folder, hash_mix(hash));
}

bool errors_cache_read(const struct errors_cache *cache, struct text *out)
{
	int descriptor = cache->path[0] ? file_open_own(cache->path) : -1;
	FILE *file = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
	char *table = NULL, *last, hash[32];
	size_t size = 0;
	bool good = false;

	if (!file)
		return false;
	if (getdelim(&table, &size, '\0', file) > 0 && (last = strrchr(table, '#'))) {
		snprintf(hash, sizeof hash, "#%016" PRIx64 "\n",
			hash_bytes(table, (size_t)(last - table)));
		good = strcmp(last, hash) == 0;
		if (good)
			text_append_bytes(out, table, (size_t)(last - table));
	}
	free(table);
	fclose(file);
	return good;
}

/* Removes tables that other versions of the program or its data have left. */
static void remove_others(const char *folder, const char *kept)
{
	DIR *entries = opendir(folder);
	const struct dirent *entry;
	char path[4096];

	while (entries && (entry = readdir(entries))) {
		if (strncmp(entry->d_name, "errors-", 7) != 0 || strcmp(entry->d_name, kept) == 0)
			continue;
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		unlink(path);
	}
	if (entries)
		closedir(entries);
}

static void make_folders(char *folder)
{
	for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(folder, 0700);
		*slash = '/';
	}
	mkdir(folder, 0700);
}

void errors_cache_write(const struct errors_cache *cache, const char *table)
{
	char folder[sizeof cache->path], temporary[sizeof cache->path + 32];
	struct text text = {0};
	char *slash;
	bool good;

	if (!cache->path[0])
		return;
	snprintf(folder, sizeof folder, "%s", cache->path);
	slash = strrchr(folder, '/');
	*slash = '\0';
	make_folders(folder);
	snprintf(temporary, sizeof temporary, "%s.%ld", cache->path, (long)getpid());
	text_printf(&text, "%s#%016" PRIx64 "\n", table, hash_string(table));
	good = file_write(temporary, 0600, &text) && rename(temporary, cache->path) == 0;
	text_fini(&text);
	if (good)
		remove_others(folder, slash + 1);
	else
		unlink(temporary);
}
