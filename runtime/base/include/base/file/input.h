/* Opening files that users name: regular files only, so that no pipe, device or socket makes a
 * reader wait or answers for a file. Symbolic links are followed: it is the user who names them. */
#ifndef BASE_FILE_INPUT_H
#define BASE_FILE_INPUT_H

#include "base/text.h"

/* Opens `path` for reading and never waits. A descriptor; negative with a sentence in `why` without
 * the name of the file: it cannot be opened, or it is not regular, and then what it is. */
int input_open(const char *path, struct text *why);

#endif
