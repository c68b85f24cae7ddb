/* Chains of items that hold the link to their next: two pointers and no memory of their own, so
 * that hot paths may queue. Refuses to free or to find anything. */
#ifndef BASE_CHAIN_H
#define BASE_CHAIN_H

#include <stddef.h>

/* Puts `item` behind `last` of the chain that begins at `first` (NULL: empty); `link` is the member
 * of an item that leads to the next. */
#define CHAIN_APPEND(first, last, item, link)                                                      \
	do {                                                                                       \
		(item)->link = NULL;                                                               \
		if ((first) != NULL)                                                               \
			(last)->link = (item);                                                     \
		else                                                                               \
			(first) = (item);                                                          \
		(last) = (item);                                                                   \
	} while (0)

#endif
