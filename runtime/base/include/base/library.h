/* Libraries that are loaded when they are first needed. If a program were linked with them instead,
 * every start would load them and all libraries that they need. */
#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H

#include <stdbool.h>

/* Loads a library by its file name. Returns NULL if it is not on this machine. */
void *library_load(const char *name);

/* Finds a function or object of a loaded library. Stores its address in the pointer to which
 * `pointer` points, and returns true. If the library has no such symbol, stores NULL and returns
 * false. */
bool library_symbol(void *library, const char *name, void *pointer);

#endif
