/* A hub on host 0 and members on the other hosts (world/channel.h), for tests of the network
 * between hosts. Records when the members receive messages. */
#ifndef SUPPORT_NETWORK_SCENE_H
#define SUPPORT_NETWORK_SCENE_H

#include "sim_network.h"

enum { SCENE_MEMBERS_MAX = 32, SCENE_MESSAGES_MAX = 64 };

/* A message. When all members have joined, messages are sent one after the other. */
struct scene_message {
	uint32_t member; /* number of the receiving member, or CHANNEL_ALL */
	uint32_t bytes;
};

struct scene {
	struct host_constants host;
	struct hostnet_constants network;
	enum hostnet_transport transport;
	uint32_t members; /* member i is on host 1 + i % 3 */
	bool same_host;	  /* all members are on host 0 */
	bool causes;	  /* true: causes are recorded */
	uint32_t window;  /* size of the window in messages; 0: room for all messages */
	struct scene_message messages[SCENE_MESSAGES_MAX];
	uint32_t message_count;
};

/* Times in ps since the first send call. */
struct scene_times {
	int64_t sent[SCENE_MESSAGES_MAX]; /* time at which the call returned */
	int64_t received[SCENE_MEMBERS_MAX][SCENE_MESSAGES_MAX];
	uint32_t received_count[SCENE_MEMBERS_MAX];
	struct hostnet_statistics statistics[SIM_NETWORK_HOSTS]; /* statistics of the whole run */
	int64_t network_ps, transport_ps;			 /* times charged for each */
};

/* Returns a scene with one member and one message of `bytes` bytes. Only the network takes time;
 * the transport library takes none. */
struct scene scene_of(enum hostnet_transport transport, uint32_t bytes);

/* Plays the scene in a child process. Returns when all messages were received. */
void scene_play(const struct scene *scene, struct scene_times *times);

/* Returns the time at which the last member received the last message. */
int64_t scene_last_ps(const struct scene *scene);

#endif
