/* Passes messages from the executors through three stages to the table of notifications (spec 4.8):
 * RPC receive, deserialization, reader. The controller drops a host that sends an invalid
 * answer. */
#include <stdlib.h>

#include "base/allocate.h"
#include "controller_private.h"

static void drop(struct controller *controller, uint32_t host, enum status status, const char *what)
{
	controller->settings.transport->hub_drop(controller->hub, controller->hosts[host].member);
	table_fault(controller, host, status, what);
}

/* ---- letters: they are reused, because their scratch memory is large ---- */

/* Called by the receiving thread; only one thread receives at a time. */
static struct letter *letter_take(struct controller *controller)
{
	struct letter *letter = __atomic_load_n(&controller->unused, __ATOMIC_ACQUIRE);

	while (letter != NULL && !__atomic_compare_exchange_n(&controller->unused, &letter,
					 letter->next, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
		continue;
	return letter != NULL ? letter : allocate(1, sizeof *letter);
}

/* May be called by any stage. */
static void letter_give_back(struct controller *controller, struct letter *letter)
{
	letter_empty(letter);
	letter->next = __atomic_load_n(&controller->unused, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&controller->unused, &letter->next, letter, false,
		__ATOMIC_RELEASE, __ATOMIC_RELAXED))
		continue;
}

static void free_letters(struct controller *controller)
{
	struct letter *letter = controller->unused;

	while (letter != NULL) {
		struct letter *next = letter->next;

		letter_fini(letter);
		free(letter);
		letter = next;
	}
	controller->unused = NULL;
}

/* ---- reader ---- */

static void read_letter(void *context, void *item)
{
	struct letter *letter = item;

	if (letter->lost)
		table_lost(context, letter->member);
	else
		table_take(context, letter->member, &letter->command);
	letter_give_back(context, letter);
}

/* ---- deserialization; `member` of a letter is the index of the host ---- */

static void reverse_decode(void *context, void *item)
{
	struct controller *controller = context;
	struct letter *letter = item;
	struct text why = {0};

	if (letter->lost) {
		station_pass(&controller->read, letter);
	} else if (letter_read(letter, controller->settings.codec, letter->message, &why) ==
		   STATUS_OK) {
		station_pass(&controller->read, letter);
	} else {
		drop(controller, letter->member, STATUS_INVALID, text_string(&why));
		letter_give_back(controller, letter);
	}
	text_fini(&why);
}

/* ---- RPC receive ---- */

enum status reverse_take(struct controller *controller, int64_t deadline_ns)
{
	struct span message;
	struct letter *letter;
	uint32_t member = 0, host;
	enum status status = controller->settings.transport->hub_receive(
		controller->hub, deadline_ns, &member, &message);

	if (status == STATUS_TIMEOUT)
		return status;
	host = controller->member_host[member];
	if (status == STATUS_CLOSED)
		message = (struct span){0};
	if (host == UINT32_MAX) {
		span_release(message);
		return STATUS_OK;
	}
	letter = letter_take(controller);
	letter->message = message;
	letter->lost = status == STATUS_CLOSED; /* the loss of a host is reported after all messages
						 * that the host has sent */
	letter->member = host;
	station_pass(&controller->deserialize, letter);
	return STATUS_OK;
}

bool reverse_begin(struct controller *controller)
{
	return !__atomic_exchange_n(&controller->receiving, true, __ATOMIC_ACQ_REL);
}

void reverse_end(struct controller *controller)
{
	__atomic_store_n(&controller->receiving, false, __ATOMIC_RELEASE);
}

static void reverse_receive(void *arg)
{
	struct controller *controller = arg;

	while (!__atomic_load_n(&controller->ending, __ATOMIC_ACQUIRE))
		(void)reverse_take(
			controller, world->now_ns() + (int64_t)controller->settings.look_ns);
}

void reverse_start(struct controller *controller)
{
	const struct controller_settings *settings = &controller->settings;
	const struct pipeline_ops *row = settings->pipeline;

	station_start(&controller->read, "controller reads", row->read, settings, read_letter,
		controller);
	station_start(&controller->deserialize, "controller deserializes", row->deserialize,
		settings, reverse_decode, controller);
	if (row->receive)
		controller->receiver = world->spawn(
			"controller receives", settings->place, reverse_receive, controller);
}

void reverse_stop(struct controller *controller)
{
	__atomic_store_n(&controller->ending, true, __ATOMIC_RELEASE);
	if (controller->receiver != NULL)
		world->join(controller->receiver);
	controller->receiver = NULL;
	station_stop(&controller->deserialize);
	station_stop(&controller->read);
	free_letters(controller);
}
