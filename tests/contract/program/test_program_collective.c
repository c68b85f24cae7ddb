/* needs: simgrid
 * Collectives, in both worlds: every device has what the reference gives, three launches in a row,
 * and each link has carried the bytes of the closed form; what cannot be is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collective_case.h"

enum {
	SEEDS = 96,
	MOVING = 1 << COLLECTIVE_ALL_GATHER | 1 << COLLECTIVE_ALL_TO_ALL | 1 << COLLECTIVE_BROADCAST
};

static void collectives_give_what_their_references_give(void **state)
{
	(void)state;
	collective_case_run(0, SEEDS, MOVING);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(collectives_give_what_their_references_give),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
