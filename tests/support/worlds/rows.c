/* The rows of this build. */
#include "row.h"

const struct row *const rows[] = {&row_native, &row_sim};
const uint32_t row_count = sizeof(rows) / sizeof(rows[0]);
