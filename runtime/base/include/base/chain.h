/* Singly linked queues. A queue is two pointers, and its items hold the links, so a queue needs no
 * memory of its own. Hot paths may use it. */
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
