/* Singly linked queues. A queue consists of two pointers, and the links are members of the items.
 * So appending allocates no memory, and even frequently executed code can use these queues. */
#ifndef BASE_CHAIN_H
#define BASE_CHAIN_H

#include <stddef.h>

/* Appends `item` to the chain from `first` (NULL if the chain is empty) to `last`. `link` is the
 * member of an item that points to the next item. */
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
