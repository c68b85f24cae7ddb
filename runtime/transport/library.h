/* Symbols of libraries that are loaded when an end is first opened. Private to the room. */
#ifndef TRANSPORT_LIBRARY_H
#define TRANSPORT_LIBRARY_H

#include <stdbool.h>

/* Stores the address of a function or object of a loaded library in the pointer at `pointer`.
 * False, and NULL stored: the library has no such symbol. */
bool library_symbol(void *library, const char *name, void *pointer);

#endif
