/* PCIe of a chip. Posted writes of the host and data of the device's reads share the direction
 * towards the device; the device's writes use the other. Each direction is a FIFO, which keeps
 * posted writes in order. */
#ifndef CHIP_PCIE_H
#define CHIP_PCIE_H

#include "chip/tile/tile.h"
#include "world/device_entries.h"

struct pcie {
	struct device *device;
	struct pipe down, up;
	struct flight *issuing, *last; /* reads with requests yet to be issued, in order */
	uint32_t outstanding;	       /* requests */
	uint32_t waiting;	       /* reads in that list */
	uint32_t high_water;
	uint64_t posts, posted_bytes, peeks, peeked_bytes, requests, read_bytes, writes,
		written_bytes;
};

struct pcie *sim_pcie_new(struct device *device);
void sim_pcie_free(struct pcie *pcie);

/* Transfers the data of one request of `read` to the device in FIFO order; the second handles their
 * arrival. */
void sim_pcie_bring(struct flight *read, uint64_t bytes);
void sim_pcie_brought(struct flight *read, uint64_t bytes);

/* ---- entries of the table of device.h ---- */
DEVICE_PCIE_READ_ENTRY(sim_);
DEVICE_PCIE_WRITE_ENTRIES(sim_);
DEVICE_HOST_ENTRIES(sim_pcie_);

#endif
