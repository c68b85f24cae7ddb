/* Numbers in users' texts: valid forms, bounds, and the end of a number. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static const struct {
	const char *text;
	bool whole, real;
	double value;
} texts[] = {
	{"0", true, true, 0},
	{"12", true, true, 12},
	{"0x1f", true, true, 31},
	{"18446744073709551615", true, true, 18446744073709551615.0},
	{"18446744073709551616", false, true, 18446744073709551616.0},
	{"-3", false, true, -3},
	{"+3", false, true, 3},
	{"1.5", false, true, 1.5},
	{".5", false, true, 0.5},
	{"1e3", false, true, 1000},
	{"-1.5E-1", false, true, -0.15},
	{"1e400", false, false, 0},
	{"nan", false, false, 0},
	{"inf", false, false, 0},
	{"-inf", false, false, 0},
	{"infinity", false, false, 0},
	{"", false, false, 0},
	{"~", false, false, 0},
	{" 1", false, false, 0},
	{"1 ", false, false, 0},
	{"1,5", false, false, 0},
	{"1_000", false, false, 0},
	{"010", false, false, 0},
	{"0x", false, false, 0},
	{"0x1p3", false, false, 0},
	{"1e", false, false, 0},
	{".", false, false, 0},
	{"--1", false, false, 0},
};

TEST(a_number_is_what_the_grammar_says_and_finite)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		uint64_t whole = 77;
		double real = 77;
		bool is_whole = number_read_whole(texts[i].text, UINT64_MAX, &whole);
		bool is_real = number_read_real(texts[i].text, &real);

		if (is_whole != texts[i].whole || is_real != texts[i].real)
			fail_msg("'%s': whole %d, real %d; expected %d, %d", texts[i].text,
				is_whole, is_real, texts[i].whole, texts[i].real);
		if (is_real ? real != texts[i].value : real != 77)
			fail_msg("'%s': %g, expected %g", texts[i].text, real,
				is_real ? texts[i].value : 77);
		if (is_whole ? (double)whole != texts[i].value : whole != 77)
			fail_msg("'%s': %llu", texts[i].text, (unsigned long long)whole);
	}
}

TEST(a_whole_number_keeps_its_bound)
{
	uint64_t value = 5;

	assert_true(number_read_whole("255", 255, &value));
	assert_int_equal(value, 255);
	assert_false(number_read_whole("256", 255, &value));
	assert_int_equal(value, 255);
}

TEST(a_number_ends_where_one_of_the_bytes_stands)
{
	static const char text[] = "12:0.5;x";
	uint64_t whole;
	double real;

	assert_ptr_equal(number_read_whole_until(text, ":;", 100, &whole), text + 2);
	assert_int_equal(whole, 12);
	assert_ptr_equal(number_read_real_until(text + 3, ":;", &real), text + 6);
	assert_true(real == 0.5);
	assert_null(number_read_whole_until(text + 3, ":;", 100, &whole));
	assert_null(number_read_real_until(text + 7, ":;", &real));
	assert_non_null(number_read_whole_until("7", ":", 100, &whole));
}

TEST_MAIN(NULL, NULL)
