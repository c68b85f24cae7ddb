/* The last step on the host: writes commands into an issue queue and rings the doorbells. */
#ifndef MESH_QUEUE_SUBMIT_H
#define MESH_QUEUE_SUBMIT_H

#include "mesh/queue/job.h"

/* Sends the job's preamble and `body` to one device. Marks COPIED and DOORBELL. */
void submit_unicast(struct job *job, struct lane *lane, const struct command_stream *body);

/* Sends the job's preamble and `body` to every chip of a part of a feed, with their transaction
 * numbers. */
void submit_broadcast(struct job *job, struct feed *feed, struct feed_part *part,
	const struct command_stream *body);

/* Ends the prefetch_h and the packetizer behind an issue queue of an initiator. */
void submit_terminate(struct issue_queue *issue);

#endif
