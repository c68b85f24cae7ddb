/* PCIe of a chip. It has one FIFO for each direction, so posted writes stay in order. The FIFO
 * towards the device carries posted writes of the host, and data that the device reads from the
 * host. The other FIFO carries writes by the device. */
#ifndef CHIP_PCIE_H
#define CHIP_PCIE_H

#include "chip/tile/tile.h"
#include "world/device_entries.h"

struct pcie {
	struct device *device;
	struct pipe down, up;
	struct flight *issuing, *last; /* list of reads that still have requests to issue */
	uint32_t outstanding;	       /* number of requests in flight */
	uint32_t waiting;	       /* number of reads in the list */
	uint32_t high_water;
	uint64_t posts, posted_bytes, peeks, peeked_bytes, requests, read_bytes, writes,
		written_bytes;
};

struct pcie *sim_pcie_new(struct device *device);
void sim_pcie_free(struct pcie *pcie);

/* sim_pcie_bring() transfers the data of one request of `read` to the device, in FIFO order. When
 * these data arrive, it calls sim_pcie_brought(). */
void sim_pcie_bring(struct flight *read, uint64_t bytes);
void sim_pcie_brought(struct flight *read, uint64_t bytes);

/* ---- entries of the table of device.h ---- */
DEVICE_PCIE_READ_ENTRY(sim_);
DEVICE_PCIE_WRITE_ENTRIES(sim_);
DEVICE_HOST_ENTRIES(sim_pcie_);

#endif
