/* Stages that run only during bring-up (spec 3.8.8.1). They end before other stages start on the
 * same processors. A boot sender runs on a chip with PCIe. The host writes the firmware into the
 * sender's ring, in blocks. The sender forwards each block over the fabric to the chips of its
 * tree. Then it sends a greeting along the tree, waits for the answers of all boot receivers, and
 * notifies the host. A boot receiver answers one greeting. At its end, a boot stage resets its
 * counter words to zero. */
#ifndef FIRMWARE_BOOT_BOOT_H
#define FIRMWARE_BOOT_BOOT_H

#include "firmware/core/firmware.h"

/* The header of a block in the ring of a boot sender. The `bytes` bytes after the header are the
 * block's contents. The sender writes the contents to `address` on tile `tile` of the chips that
 * its tree reaches. */
enum {
	BOOT_HEADER_BYTES = 16,
	BOOT_GREET = 0xffff /* this tile number in a header means that all blocks are loaded and the
			     * greeting must be sent */
};

void boot_header_encode(
	uint16_t tile, uint32_t address, uint32_t bytes, uint8_t out[BOOT_HEADER_BYTES]);

struct boot_sender_config {
	struct stage_place place;
	uint32_t ring, ring_bytes; /* ring_bytes 0: nothing to load, send the greeting at once */
	uint32_t written_word;	   /* address of a word that counts the units of 16 B that the host
				    * has written since the start */
	uint64_t read_address;	   /* address of a host word that counts the units of 16 B that the
				    * sender has taken since the start */
	struct fabric_tree *tree;  /* tree along which blocks and the greeting are sent; NULL: to no
				    * other chip */
	struct fabric_tree **more; /* [more_count] further trees, along which the greeting is
				    * sent one after another, after `tree` */
	uint32_t more_count;
	uint16_t tile;	  /* tile of the receivers */
	uint32_t word;	  /* word of the receivers that a greeting increments */
	bool greets_here; /* a receiver is also on this chip */
	uint32_t answer_word, answers;
	uint64_t done_address; /* address of a host word: 1 when all receivers have answered */
	uint32_t operation;    /* operation number of the stage's marks; 0: no marks */
};

struct boot_receiver_config {
	struct stage_place place;
	uint32_t word;
	struct fabric_tree *tree; /* tree to the sender; NULL: the sender is on this chip */
	uint16_t tile;		  /* tile of the sender, to whose answer_word the answer goes */
	uint32_t answer_word;
	uint32_t operation;
};

struct stage *boot_sender_new(
	const struct firmware *firmware, const struct boot_sender_config *config);
struct stage *boot_receiver_new(
	const struct firmware *firmware, const struct boot_receiver_config *config);

#endif
