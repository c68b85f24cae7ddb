/* Macros that declare the functions of a device implementation, with the prefix of the
 * implementation. The implementation puts these functions into its struct device_ops. device.h
 * documents them. */
#ifndef WORLD_DEVICE_ENTRIES_H
#define WORLD_DEVICE_ENTRIES_H

#include "world/device.h"

#define DEVICE_NOC_ENTRIES(prefix)                                                                 \
	void prefix##noc_write(                                                                    \
		struct stage *stage, uint16_t tile, uint32_t address, struct span span);           \
	void prefix##noc_write_packed(struct stage *stage, const struct packed_target *targets,    \
		uint32_t count, uint32_t address, uint32_t stride, struct span span,               \
		uint64_t pace);                                                                    \
	void prefix##noc_multicast(                                                                \
		struct stage *stage, struct worker_rect rect, uint32_t address, struct span span); \
	void prefix##noc_write_word(                                                               \
		struct stage *stage, uint16_t tile, uint32_t address, uint32_t value);             \
	void prefix##noc_increment(                                                                \
		struct stage *stage, uint16_t tile, uint32_t address, uint32_t delta);             \
	void prefix##noc_write_counted(struct stage *stage, uint16_t tile, uint32_t address,       \
		struct span span, uint32_t word, uint32_t delta);                                  \
	void prefix##noc_read(struct stage *stage, uint16_t tile, uint32_t address,                \
		uint32_t length, uint32_t local_address)

#define DEVICE_PCIE_READ_ENTRY(prefix)                                                             \
	void prefix##pcie_read(struct stage *stage, uint64_t host_address, uint32_t length,        \
		uint32_t local_address)

#define DEVICE_PCIE_WRITE_ENTRIES(prefix)                                                          \
	void prefix##pcie_write(struct stage *stage, uint64_t host_address, struct span span);     \
	void prefix##pcie_write_word(struct stage *stage, uint64_t host_address, uint32_t value)

#define DEVICE_FABRIC_ENTRIES(prefix)                                                              \
	bool prefix##fabric_ready(const struct stage *stage, struct fabric_tree *tree);            \
	void prefix##fabric_write(struct stage *stage, struct fabric_tree *tree, uint16_t tile,    \
		uint32_t address, struct span span, uint32_t increment_address, uint32_t delta);   \
	void prefix##fabric_scatter(struct stage *stage, struct fabric_tree *tree, uint16_t tile,  \
		const uint32_t *addresses, uint32_t count, struct span span);                      \
	void prefix##fabric_read(struct stage *stage, struct fabric_tree *tree, uint16_t tile,     \
		uint32_t address, uint32_t length, uint32_t local_address);                        \
	void prefix##fabric_tree_forget(struct fabric_tree *tree)

/* Declares the functions with which the host writes to a chip and reads from it. Implementations
 * use another prefix for these functions. */
#define DEVICE_HOST_ENTRIES(prefix)                                                                \
	void prefix##post_word(                                                                    \
		struct device *device, uint16_t tile, uint32_t address, uint32_t value);           \
	void prefix##post(                                                                         \
		struct device *device, uint16_t tile, uint32_t address, struct span span);         \
	enum status prefix##peek(struct device *device, uint16_t tile, uint32_t address,           \
		uint32_t length, void *out)

#endif
