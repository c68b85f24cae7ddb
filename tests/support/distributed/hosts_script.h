/* Replaces one executor of a case (hosts_case.h) by code of the test. This code joins the
 * controller, sends a machine descriptor, and opens a mesh. For all other commands it calls the
 * test's serve(). */
#ifndef TEST_HOSTS_SCRIPT_H
#define TEST_HOSTS_SCRIPT_H

#include "distributed/common/mail.h"
#include "hosts_case.h"

struct hosts_script {
	struct hosts_case *hosts;
	uint32_t host;	     /* number of the host */
	uint64_t dram_bytes; /* size of a DRAM bank that the controller is told; 0: 1 GiB */
	/* Called for each command. If it returns false, the executor dies. */
	bool (*serve)(struct hosts_script *script, const struct wire_command *command);
	/* called after the descriptor was sent; NULL: does nothing */
	void (*joined)(struct hosts_script *script);
	void *context;
	struct channel *channel;
	struct cluster_info *info;
	struct mail_writer writer;
	struct thread *thread; /* thread to join at the end */
};

/* Call it after hosts_case_start_controller(). */
void hosts_script_start(struct hosts_script *script);

/* Sends a command; call it in serve(). */
void hosts_script_say(struct hosts_script *script, const struct wire_command *command);

#endif
