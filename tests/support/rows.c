/* Which rows this build has. */
#include "row.h"

const struct row *const rows[] = {&row_native};
const uint32_t row_count = sizeof(rows) / sizeof(rows[0]);
