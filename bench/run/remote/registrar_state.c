/* The registrar of this process (registrar_private.h). A run has one, as it has one clock. */
#include "registrar_private.h"

struct registrar registrar;
