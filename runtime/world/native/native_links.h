/* The native connections between clusters of several processes (world/links.h). Only for files of
 * this folder.
 *
 * A struct device with `peer` set stands for a chip of another process (a stand-in). A packet for a
 * stand-in becomes a record in the queue of its peer. One thread sends the records of all queues.
 * It is the only thread that waits for room at another host. For each connection, another thread
 * receives; it puts packets into inboxes, and queues answers, but never waits. So hosts always
 * empty the connections of each other, and hosts cannot wait for each other in a circle. The queues
 * are bounded by the quotas of the chips (native_quota.c): a delivery keeps its quota until the
 * record of its return has arrived. */
#ifndef WORLD_NATIVE_NATIVE_LINKS_H
#define WORLD_NATIVE_NATIVE_LINKS_H

#include "native_chip.h"
#include "world/links.h"

/* The messages on a connection are chunks of records. A chunk has room for many small records, or
 * for one record with the largest packet. */
enum {
	LINKS_CHUNK_BYTES = 1 << 15,
	LINKS_BODY_MAX = 1 << 16,
	RECORD_BYTES = 40,
	LINKS_WINDOW = 64,
	LINKS_SLICE_NS = 50000000, /* longest wait without a look at whether to stop */
};

enum record_kind {
	/* first record: `chip` is the first chip of the host, `count` the number of its chips */
	RECORD_HELLO = 1,
	RECORD_WRITE,
	RECORD_READ,
	RECORD_ANSWER, /* a piece of the bytes that were read */
	RECORD_RETURN, /* `count` deliveries of chip `source` are complete */
	RECORD_BYE,    /* the last record of a connection */
	RECORD_KIND_COUNT,
};

/* Chips are numbered in the machine of all hosts. */
struct record {
	enum record_kind kind;
	/* WRITE, ANSWER: no bytes follow the record, because they are elided, or all zeros */
	bool elided, zeros;
	bool last; /* ANSWER: the last piece */
	uint16_t chip, source;
	uint16_t tile, reader_tile;
	uint32_t address;
	uint32_t increment_address, delta;
	/* READ, ANSWER: number of the read at the reader's host; HELLO, RETURN: see enum
	 * record_kind */
	uint32_t count;
	uint32_t local_address;
	/* WRITE, ANSWER: number of bytes to write; READ: number of bytes to read */
	uint32_t length;
};

struct chunk {
	struct chunk *next;
	struct extent *extent;
	uint32_t used;
};

/* Another host. The lock of the links protects all members but the first four. */
struct peer {
	struct links *links;
	uint32_t host;
	struct channel *channel; /* channel to the host, if the host has a lower number */
	uint32_t member;	 /* at the hub, of a host with a higher number */
	bool joined, met;	 /* joined: the host is connected; met: its greeting was received */
	/* left: the host has sent its goodbye; lost: the connection has ended, or cannot be used */
	bool left, lost;
	struct device *chips; /* the stand-ins for the chips of the host */
	uint16_t first, chip_count;
	struct chunk *queue, *tail; /* records to send; the next record is added to `tail` */
	uint8_t *returning;	    /* the last record of the tail, if it is a RETURN */
	uint16_t returning_chip;
	/* [own chip] number of deliveries of the chip to the host that are not complete */
	uint32_t *outstanding;
};

/* A read by one of this host's stages that another host has not completed yet. */
struct links_read {
	struct stage *stage; /* NULL: the entry is free */
	uint32_t host, free; /* host that must answer; index plus 1 of the next free entry */
};

struct links {
	struct cluster *cluster;
	struct links_settings settings;
	struct hub *hub;
	struct peer peers[LINKS_HOSTS_MAX];
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct links_read *reads;
	uint32_t read_count, read_free;
	pthread_t sender, receivers[LINKS_HOSTS_MAX + 1];
	uint32_t receiver_count;
	bool sends;    /* the sender exists */
	bool ending;   /* the sender must end when the queues are empty; under the lock */
	bool stopping; /* the receivers must end; atomic */
	int64_t until_ns;
};

/* ---- native_links_send.c ---- */

/* Send a message to a chip of another host. They take ownership of the references in the message.
 * The quota of message->source is returned when the delivery is complete, or at once if the other
 * host is lost. */
void native_links_write(struct device *chip, const struct message *message);
void native_links_read(struct device *chip, const struct message *message);

/* Sends a piece of the bytes that a stage of chip `reader` has asked for with `asked`. */
void native_links_answer(
	struct device *reader, const struct message *asked, const struct message *piece, bool last);

/* Reports to the host of this chip that a delivery of one of the chip's packets is complete. */
void native_links_return(struct device *chip);

/* Adds a record without bytes to the peer's queue. The caller holds the lock. */
void native_links_say(struct peer *peer, const struct record *record);

/* The main function of the sender. Ends with `ending`. */
void *native_links_sender(void *links);

/* Must be called when the connection to the peer has ended, or cannot be used any more; `why` is
 * the reason. Gives back the quota of all outstanding deliveries. Also calls lost() of the
 * settings, unless the peer has sent its goodbye or this host closes its links. A second call has
 * no effect. */
void native_links_lose(struct peer *peer, const char *why);

/* Returns the stage that waits for the read with this number; NULL if this host has not sent such a
 * read. If `last` is set, also removes the read from the table. */
struct stage *native_links_read_end(struct peer *peer, uint32_t number, bool last);

/* ---- native_links_take.c ---- */

/* The main functions of the threads that receive. The argument of the hub's thread is the struct
 * links; the argument of a channel's thread is the struct peer. */
void *native_links_hub_receiver(void *links);
void *native_links_channel_receiver(void *peer);

/* ---- records ---- */

void native_record_write(const struct record *record, uint8_t bytes[RECORD_BYTES]);
void native_record_read(const uint8_t bytes[RECORD_BYTES], struct record *record);

/* ---- native_links.c ---- */

/* Closes the connections if they are open, and frees the links. NULL is allowed. */
void native_links_free(struct links *links);

#endif
