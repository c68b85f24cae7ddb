/* Looks up symbols of loaded libraries, see rows_private.h. */
#include "rows_private.h"

#include <dlfcn.h>
#include <string.h>

bool library_symbol(void *library, const char *name, void *pointer)
{
	void *found = dlsym(library, name);

	memcpy(pointer, &found, sizeof found);
	return found != NULL;
}
