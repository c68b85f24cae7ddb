/* Sizes and times with a unit after the number ("64KiB", "1.5us"). They are computed exactly, in
 * integers, and never rounded. */
#include <ctype.h>
#include <string.h>

#include "base/ensure.h"
#include "base/nearest.h"
#include "schema_private.h"

enum dimension { DIMENSION_SIZE, DIMENSION_TIME, DIMENSIONS };

/* Scales are in B or ps. */
static const struct unit {
	const char *name;
	enum dimension dimension;
	int64_t scale;
} units[] = {
	{"B", DIMENSION_SIZE, 1},
	{"KB", DIMENSION_SIZE, 1000},
	{"MB", DIMENSION_SIZE, 1000000},
	{"GB", DIMENSION_SIZE, 1000000000},
	{"TB", DIMENSION_SIZE, INT64_C(1000000000000)},
	{"KiB", DIMENSION_SIZE, INT64_C(1) << 10},
	{"MiB", DIMENSION_SIZE, INT64_C(1) << 20},
	{"GiB", DIMENSION_SIZE, INT64_C(1) << 30},
	{"TiB", DIMENSION_SIZE, INT64_C(1) << 40},
	{"ps", DIMENSION_TIME, 1},
	{"ns", DIMENSION_TIME, 1000},
	{"us", DIMENSION_TIME, 1000000},
	{"ms", DIMENSION_TIME, 1000000000},
	{"s", DIMENSION_TIME, INT64_C(1000000000000)},
};

enum { UNITS = sizeof(units) / sizeof(units[0]), DIGITS_MAX = 18 };

static const struct unit *schema_quantity_unit_of(const char *name)
{
	for (size_t i = 0; name && i < UNITS; i++) {
		if (strcmp(units[i].name, name) == 0)
			return &units[i];
	}
	return NULL;
}

/* The parts of a quantity: "12.50 KiB" is 1250, 2 and "KiB". */
struct quantity {
	int64_t digits;
	unsigned decimals;
	const char *unit;
};

static bool read_quantity(const char *text, struct quantity *quantity)
{
	unsigned digits = 0;
	bool fraction = false;

	*quantity = (struct quantity){0};
	for (; isdigit((unsigned char)*text) || (*text == '.' && !fraction && digits); text++) {
		if (*text == '.') {
			fraction = true;
			continue;
		}
		if (++digits > DIGITS_MAX)
			return false;
		quantity->digits = quantity->digits * 10 + (*text - '0');
		quantity->decimals += fraction;
	}
	if (!digits || (fraction && !quantity->decimals))
		return false;
	quantity->unit = text + (*text == ' ');
	return isalpha((unsigned char)*quantity->unit);
}

bool schema_takes_quantity(const struct schema_field *field)
{
	return field->kind == SCHEMA_KIND_INT && schema_quantity_unit_of(field->unit);
}

const char *schema_integer_wanted(const struct schema_field *field)
{
	static const char *const wanted[DIMENSIONS] = {
		[DIMENSION_SIZE] = "an integer or a size such as 64KiB",
		[DIMENSION_TIME] = "an integer or a time such as 20us",
	};

	return schema_takes_quantity(field)
		       ? wanted[schema_quantity_unit_of(field->unit)->dimension]
		       : "an integer";
}

void schema_append_units(const struct schema_field *field, const char *separator, struct text *out)
{
	enum dimension dimension = schema_quantity_unit_of(field->unit)->dimension;
	bool any = false;

	for (size_t i = 0; i < UNITS; i++) {
		if (units[i].dimension != dimension)
			continue;
		text_printf(out, "%s%s", any ? separator : "", units[i].name);
		any = true;
	}
}

/* Converts a quantity to the unit of `field`, and sets *out. Returns OK. Returns INVALID if the
 * result is not a whole number, and OUT_OF_RANGE if it is too large. Products do not overflow: a
 * quantity has at most 18 digits, so they are at most 1e30. */
static enum status convert(const struct quantity *quantity, const struct schema_field *field,
	const struct unit *unit, int64_t *out)
{
	__extension__ __int128 value = (__int128)quantity->digits * unit->scale;
	__extension__ __int128 divisor = schema_quantity_unit_of(field->unit)->scale;

	for (unsigned i = 0; i < quantity->decimals; i++)
		divisor *= 10;
	if (value % divisor != 0)
		return STATUS_INVALID;
	if (value / divisor > INT64_MAX)
		return STATUS_OUT_OF_RANGE;
	*out = (int64_t)(value / divisor);
	return STATUS_OK;
}

static const struct unit *unit_for(const struct schema_field *field, const char *name)
{
	const struct unit *unit = schema_quantity_unit_of(name);

	return unit && unit->dimension == schema_quantity_unit_of(field->unit)->dimension ? unit
											  : NULL;
}

static void refuse_unit(const struct schema_field *field, const struct quantity *quantity,
	const struct tree_node *node, const char *label, struct diag *diag)
{
	struct nearest nearest;
	struct text hint;

	text_init(&hint);
	nearest_start(&nearest, quantity->unit);
	for (size_t i = 0; i < UNITS; i++) {
		if (unit_for(field, units[i].name))
			nearest_offer(&nearest, units[i].name);
	}
	if (nearest.best)
		text_printf(&hint, ", did you mean '%s'?", nearest.best);
	text_append(&hint, " (valid: ");
	schema_append_units(field, ", ", &hint);
	diag_error(diag, node->where, "%s: no such unit in %.40s%s)", label, node->text,
		text_string(&hint));
	text_fini(&hint);
}

enum status schema_read_integer(const struct schema_field *field, const struct tree_node *node,
	const char *label, struct diag *diag, int64_t *out)
{
	enum status status = tree_integer(node, out);
	struct quantity quantity;
	const struct unit *unit;

	if (status != STATUS_INVALID || node->kind != TREE_SCALAR ||
		!schema_takes_quantity(field) || !read_quantity(node->text, &quantity))
		return status;
	unit = unit_for(field, quantity.unit);
	if (!unit) {
		refuse_unit(field, &quantity, node, label, diag);
		return STATUS_UNSUPPORTED;
	}
	status = convert(&quantity, field, unit, out);
	if (status != STATUS_INVALID)
		return status;
	diag_error(diag, node->where, "%s: %.40s is not a whole number of %s", label, node->text,
		field->unit);
	return STATUS_UNSUPPORTED;
}
