/* The registrar of this process (registrar_private.h). There is only one, since a process has only
 * one run. */
#include "registrar_private.h"

struct registrar registrar;
