/* The points of an operation's life, in the order of the dispatch path (mark.def). */
#ifndef LISTS_MARK_H
#define LISTS_MARK_H

enum mark_point {
#define X(name, what, stage, wait) MARK_##name,
#include "lists/mark.def"
#undef X
	MARK_POINT_COUNT
};

#endif
