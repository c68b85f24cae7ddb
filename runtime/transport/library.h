/* Symbols of libraries that are loaded when an end is first opened. Private to the room. Knows no
 * library. */
#ifndef TRANSPORT_LIBRARY_H
#define TRANSPORT_LIBRARY_H

#include <stdbool.h>

/* Writes the address of a function or an object of a loaded library into a pointer to it, where
 * `pointer` is. False, and NULL there: the library has none of that name. */
bool library_symbol(void *library, const char *name, void *pointer);

#endif
