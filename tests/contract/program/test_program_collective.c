/* label: full  needs: simgrid
 * Tests collectives, in the native and the simulated world. The output on every device must match
 * the reference: after one launch, after three launches in a row, and after another launch with
 * other values. Each link must have carried as many bytes as a formula gives. */

#include "test.h"

#include "collective_case.h"

enum { SEEDS = 96, ALL = (1 << COLLECTIVE_OP_COUNT) - 1 };

TEST(collectives_give_what_their_references_give)
{
	collective_case_run(0, SEEDS, ALL);
}

TEST_MAIN(NULL, NULL)
