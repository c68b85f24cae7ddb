/* label: full
 * needs: simgrid
 * timeout: 600
 * The same as test_program_collective.c of 1,000 more seeds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collective_case.h"

enum { FIRST = 1000, SEEDS = 1000 };

static void a_thousand_collectives_give_what_their_references_give(void **state)
{
	(void)state;
	collective_case_run(FIRST, SEEDS, (1 << COLLECTIVE_OP_COUNT) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thousand_collectives_give_what_their_references_give),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
