/* A controller of a case (hosts_case.h) that is a script, and one executor, which is real: each
 * command and each answer by hand. */
#ifndef TEST_HOSTS_ORDERS_H
#define TEST_HOSTS_ORDERS_H

#include "distributed/common/mail.h"
#include "hosts_case.h"

/* Its mesh is 1 x 2 devices, which is all that there is. */
struct hosts_orders {
	bool asks; /* the executor is to say what binaries take */
	struct hosts_case *hosts;
	struct hub *hub;
	struct mail_writer writer;
	struct letter letter;
};

/* Of a choice, but for hosts and devices. With `opened`, OPEN_MESH is number 5, and answered. */
void hosts_orders_open(struct hosts_orders *by, struct hosts_case *hosts,
	const struct hosts_choice *choice, bool opened);
/* The executor has ended so. */
void hosts_orders_close(struct hosts_orders *by, enum status ended);

void hosts_orders_send(struct hosts_orders *by, struct wire_command command);

/* The next answer is COMPLETED of that number, with status and sentence. */
void hosts_orders_completed(
	struct hosts_orders *by, uint64_t number, enum status status, const char *text);

#endif
