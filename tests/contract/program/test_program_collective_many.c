/* label: full  needs: simgrid  timeout: 900
 * Runs the test of test_program_collective.c with 1,000 more seeds, or with the number of seeds
 * that seeds.h gives. */

#include "test.h"

#include "collective_case.h"
#include "seeds.h"

enum { FIRST = 1000, SEEDS = 1000 };

TEST(a_thousand_collectives_give_what_their_references_give)
{
	collective_case_run(seeds_first(FIRST), seeds_count(SEEDS), (1 << COLLECTIVE_OP_COUNT) - 1);
}

TEST_MAIN(NULL, NULL)
