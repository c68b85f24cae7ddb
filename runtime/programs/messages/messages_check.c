/* Checks lists of messages (programs/messages.h). Each send must have a receive and each receive a
 * send, and no device may wait for ever. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "programs/messages.h"
#include "collective_private.h"

/* Returns how many entries before entry `end` have this kind, this peer and the tag of `like`. */
static uint32_t ends_before(const struct messages_list *list, uint32_t end, enum message_kind kind,
	const struct message *like, uint32_t peer)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < end; i++)
		count += list->at[i].kind == kind && list->at[i].peer == peer &&
			 list->at[i].tag == like->tag;
	return count;
}

uint32_t messages_other_end(const struct messages_list *lists, uint32_t place, uint32_t entry)
{
	const struct message *message = &lists[place].at[entry];
	const struct messages_list *other = &lists[message->peer];
	enum message_kind wanted = message->kind == MESSAGE_SEND ? MESSAGE_RECEIVE : MESSAGE_SEND;
	uint32_t before = ends_before(&lists[place], entry, message->kind, message, message->peer);

	for (uint32_t i = 0; i < other->count; i++)
		if (other->at[i].kind == wanted && other->at[i].peer == place &&
			other->at[i].tag == message->tag && before-- == 0)
			return i;
	return UINT32_MAX;
}

static enum status check_entry(const struct messages_list *lists, uint32_t device_count,
	uint32_t place, uint32_t entry, struct text *why)
{
	const struct message *message = &lists[place].at[entry];
	bool sends = message->kind == MESSAGE_SEND;

	if (message->kind == MESSAGE_BUSY)
		return STATUS_OK;
	if (message->peer >= device_count)
		return refuse(why, STATUS_INVALID, "rank %u of %u", message->peer, device_count);
	if (message->peer == place)
		return refuse(why, STATUS_INVALID, "a message of rank %u to itself", place);
	if (messages_other_end(lists, place, entry) == UINT32_MAX)
		return refuse(why, STATUS_INVALID,
			sends ? "rank %u does not receive this message of rank %u, tag %u"
			      : "rank %u does not send this message to rank %u, tag %u",
			message->peer, place, message->tag);
	return STATUS_OK;
}

/* Executes the sends and receives in all lists as far as possible. A receive waits for its send; a
 * send never waits. done[i] becomes the number of executed entries of list i. */
static void go_on(const struct messages_list *lists, uint32_t device_count, uint32_t *done)
{
	for (bool moved = true; moved;) {
		moved = false;
		for (uint32_t i = 0; i < device_count; i++)
			for (; done[i] < lists[i].count; done[i]++, moved = true) {
				const struct message *message = &lists[i].at[done[i]];

				if (message->kind == MESSAGE_RECEIVE &&
					messages_other_end(lists, i, done[i]) >=
						done[message->peer])
					break;
			}
	}
}

enum status messages_check(const struct messages_list *lists, uint32_t device_count,
	struct text *why, uint32_t *place, uint32_t *entry)
{
	uint32_t *done;
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < device_count; i++)
		for (uint32_t k = 0; k < lists[i].count && status == STATUS_OK; k++) {
			*place = i;
			*entry = k;
			status = check_entry(lists, device_count, i, k, why);
		}
	if (status != STATUS_OK)
		return status;
	done = allocate(device_count, sizeof *done);
	go_on(lists, device_count, done);
	for (uint32_t i = 0; i < device_count && status == STATUS_OK; i++)
		if (done[i] < lists[i].count) {
			*place = i;
			*entry = done[i];
			status = refuse(why, STATUS_INVALID,
				"rank %u waits for rank %u, which waits for it in turn", i,
				lists[i].at[done[i]].peer);
		}
	free(done);
	return status;
}
