/* Remembers copies of ranges that lay in two pieces (base/sparse.h). After a broadcast, the
 * memories of all chips have the same pieces, so only the first chip copies a range. */
#include "joins.h"

static bool is_same(const struct span *a, const struct span *b)
{
	return a->extent == b->extent && a->offset == b->offset && a->length == b->length;
}

bool sparse_join_find(const struct sparse_joins *joins, struct sparse_join *join)
{
	for (uint32_t back = 1; back <= SPARSE_JOINS; back++) {
		const struct sparse_join *known =
			&joins->known[(joins->turn - back) % SPARSE_JOINS];

		if (!is_same(&known->first, &join->first) ||
			!is_same(&known->second, &join->second))
			continue;
		join->whole = known->whole;
		span_hold(join->whole);
		return true;
	}
	return false;
}

static void join_release(const struct sparse_join *join)
{
	span_release(join->first);
	span_release(join->second);
	span_release(join->whole);
}

void sparse_join_keep(struct sparse_joins *joins, const struct sparse_join *join)
{
	struct sparse_join *known = &joins->known[joins->turn++ % SPARSE_JOINS];

	join_release(known);
	span_hold(join->first);
	span_hold(join->second);
	span_hold(join->whole);
	*known = *join;
}

void sparse_joins_fini(struct sparse_joins *joins)
{
	for (uint32_t i = 0; i < SPARSE_JOINS; i++)
		join_release(&joins->known[i]);
	*joins = (struct sparse_joins){.turn = 0};
}
