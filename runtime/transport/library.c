/* Looks up symbols of loaded libraries, see library.h. */
#include "library.h"

#include <dlfcn.h>
#include <string.h>

bool library_symbol(void *library, const char *name, void *pointer)
{
	void *found = dlsym(library, name);

	memcpy(pointer, &found, sizeof found);
	return found != NULL;
}
