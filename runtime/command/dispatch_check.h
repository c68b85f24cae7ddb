/* Checks that a dispatch command is well formed. Private to the room. */
#ifndef DISPATCH_CHECK_H
#define DISPATCH_CHECK_H

#include "command/dispatch.h"

/* OK, INVALID or OUT_OF_RANGE, as dispatch_decode(). */
enum status dispatch_check(const struct dispatch_command *command);

#endif
