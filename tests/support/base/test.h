/* The first include of a test program: cmocka with the headers that it needs, and TEST(). */
#ifndef SUPPORT_TEST_H
#define SUPPORT_TEST_H

/* cmocka.h declares with their types and includes none of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Begins a test of cmocka that has no state: TEST(a_name_that_states_the_behaviour) { ... } */
#define TEST(name) static void name(__attribute__((unused)) void **state)

#endif
