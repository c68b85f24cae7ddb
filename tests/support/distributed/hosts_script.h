/* An executor of a case (hosts_case.h) that is a script: it joins, tells of its machine, opens its
 * mesh, and then does what a test says. Does nothing that it is not told to. */
#ifndef TEST_HOSTS_SCRIPT_H
#define TEST_HOSTS_SCRIPT_H

#include "distributed/common/mail.h"
#include "hosts_case.h"

struct hosts_script {
	struct hosts_case *hosts;
	uint32_t host;	     /* which it is */
	uint64_t dram_bytes; /* of a bank, that the controller may give out; 0: 1 GiB */
	/* At each command; false: the executor dies. */
	bool (*serve)(struct hosts_script *script, const struct wire_command *command);
	void *context;
	struct channel *channel;
	struct cluster_info *info;
	struct mail_writer writer;
	struct thread *thread; /* to be joined */
};

/* After hosts_case_start_controller(). */
void hosts_script_start(struct hosts_script *script);

/* Inside serve(). */
void hosts_script_say(struct hosts_script *script, const struct wire_command *command);

#endif
