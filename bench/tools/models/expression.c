/* Expressions of sizes (model_private.h): a recursive descent that computes while it reads. */
#include "model_private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

struct reader {
	const char *at;
	const struct expression *expression;
	const struct sizes *sizes;
	struct diag *diag;
	uint32_t depth;
	bool failed;
};

static int64_t expression_sum(struct reader *reader);

void expression_bind(const struct schema_field *field, const struct tree_node *node, void *member,
	const struct schema_context *context)
{
	struct expression *expression = member;
	char described[TREE_DESCRIBE_BYTES];

	expression->where = node->where;
	expression->text = "1";
	if (node->kind != TREE_SCALAR || node->count == 0)
		diag_error(context->diag, node->where,
			"%s must be a size, like 32 or heads * head, not %s",
			field->name ? field->name : "an extent",
			tree_describe(node, described, sizeof described));
	else if (node->count > EXPRESSION_BYTES_MAX)
		diag_error(context->diag, node->where, "a size of %u characters, but at most %d",
			node->count, EXPRESSION_BYTES_MAX);
	else
		expression->text = node->text;
}

/* Reports the first error of an expression. */
static int64_t fail(struct reader *reader, const char *why)
{
	if (!reader->failed)
		diag_error(reader->diag, reader->expression->where, "size '%s': %s",
			reader->expression->text, why);
	reader->failed = true;
	return 1;
}

static char next_sign(struct reader *reader)
{
	while (*reader->at == ' ')
		reader->at++;
	return *reader->at;
}

static int64_t expression_number(struct reader *reader)
{
	int64_t value = 0;

	while (isdigit((unsigned char)*reader->at)) {
		value = value * 10 + (*reader->at++ - '0');
		if (value > EXPRESSION_VALUE_MAX)
			return fail(reader, "a number above 2^40");
	}
	return value;
}

static int64_t expression_name(struct reader *reader)
{
	size_t length = strspn(reader->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
					   "0123456789");
	char name[EXPRESSION_BYTES_MAX + 1], why[EXPRESSION_BYTES_MAX * 2 + 64];
	struct nearest nearest;

	memcpy(name, reader->at, length);
	name[length] = '\0';
	reader->at += length;
	nearest_start(&nearest, name);
	for (uint32_t i = 0; i < reader->sizes->count; i++) {
		if (strcmp(reader->sizes->at[i].name, name) == 0)
			return (int64_t)reader->sizes->at[i].value;
		nearest_offer(&nearest, reader->sizes->at[i].name);
	}
	snprintf(why, sizeof why, "no size '%s'%s%s%s", name,
		nearest.best ? ", did you mean '" : "", nearest.best ? nearest.best : "",
		nearest.best ? "'?" : "");
	return fail(reader, why);
}

static int64_t expression_factor(struct reader *reader)
{
	char sign = next_sign(reader);
	int64_t value;

	if (isdigit((unsigned char)sign))
		return expression_number(reader);
	if (isalpha((unsigned char)sign) || sign == '_')
		return expression_name(reader);
	if (sign != '(')
		return fail(reader, "expected a number, a name or '('");
	if (++reader->depth > EXPRESSION_DEPTH_MAX)
		return fail(reader, "more than 16 parentheses in each other");
	reader->at++;
	value = expression_sum(reader);
	if (next_sign(reader) != ')')
		return fail(reader, "a '(' without its ')'");
	reader->at++;
	reader->depth--;
	return value;
}

static int64_t expression_product(struct reader *reader)
{
	int64_t value = expression_factor(reader);

	for (char sign = next_sign(reader); !reader->failed && (sign == '*' || sign == '/');
		sign = next_sign(reader)) {
		int64_t other;

		reader->at++;
		other = expression_factor(reader);
		if (sign == '/' && (other == 0 || value % other != 0))
			return fail(reader,
				other ? "a quotient with a remainder" : "a division by zero");
		if (sign == '/')
			value /= other;
		else if (__builtin_mul_overflow(value, other, &value) ||
			 value > EXPRESSION_VALUE_MAX || value < -EXPRESSION_VALUE_MAX)
			return fail(reader, "a product above 2^40");
	}
	return value;
}

static int64_t expression_sum(struct reader *reader)
{
	int64_t value = expression_product(reader);

	for (char sign = next_sign(reader); !reader->failed && (sign == '+' || sign == '-');
		sign = next_sign(reader)) {
		reader->at++;
		value += sign == '+' ? expression_product(reader) : -expression_product(reader);
		if (value > EXPRESSION_VALUE_MAX || value < -EXPRESSION_VALUE_MAX)
			return fail(reader, "a sum above 2^40");
	}
	return value;
}

uint64_t expression_value(const struct expression *expression, const struct sizes *sizes,
	uint64_t most, struct diag *diag)
{
	struct reader reader = {
		.at = expression->text, .expression = expression, .sizes = sizes, .diag = diag};
	int64_t value = expression_sum(&reader);
	char why[96];

	if (!reader.failed && next_sign(&reader) != '\0')
		return (uint64_t)fail(&reader, "expected '+', '-', '*', '/' or its end");
	if (reader.failed)
		return 1;
	if (value < 1 || (uint64_t)value > most) {
		snprintf(why, sizeof why, "%lld, but allowed are 1 to %llu", (long long)value,
			(unsigned long long)most);
		return (uint64_t)fail(&reader, why);
	}
	return (uint64_t)value;
}
