/* Loads libraries and finds their symbols; see base/library.h. */
#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

void *library_load(const char *name)
{
	return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

bool library_symbol(void *library, const char *name, void *pointer)
{
	void *found = dlsym(library, name);

	memcpy(pointer, &found, sizeof found);
	return found != NULL;
}
