/* A case (hosts_case.h) in which the test plays the controller. The case has one real executor. The
 * test itself sends each command to the executor and receives each answer. */
#ifndef TEST_HOSTS_ORDERS_H
#define TEST_HOSTS_ORDERS_H

#include "distributed/common/mail.h"
#include "hosts_case.h"

/* The mesh has all devices of the machine, 1 x 2. */
struct hosts_orders {
	bool asks; /* the executor must report the size of binaries */
	struct hosts_case *hosts;
	struct hub *hub;
	struct mail_writer writer;
	struct letter letter;
};

/* Opens the case with the settings in `choice`, but always with one host and 1 x 2 devices. If
 * `opened` is set, also sends the command OPEN_MESH with number 5, and receives the answer. */
void hosts_orders_open(struct hosts_orders *by, struct hosts_case *hosts,
	const struct hosts_choice *choice, bool opened);
/* Closes the case. Checks that the executor has ended with status `ended`. */
void hosts_orders_close(struct hosts_orders *by, enum status ended);

void hosts_orders_send(struct hosts_orders *by, struct wire_command command);

/* Receives the next answer. It must be COMPLETED with this number, status and sentence. */
void hosts_orders_completed(
	struct hosts_orders *by, uint64_t number, enum status status, const char *text);

#endif
