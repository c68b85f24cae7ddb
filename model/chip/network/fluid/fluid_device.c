/* The device.h implementation of the network `fluid`. Its functions that send start SimGrid
 * communications. Its other functions are the same as in the other networks. */
#include "chip/device/entries.h"
#include "fluid.h"

const struct device_ops sim_device_fluid = {
	SIM_ENTRIES,
	.post_word = sim_fluid_post_word,
	.post = sim_fluid_post,
	.peek = sim_fluid_peek,
	.noc_write = sim_fluid_noc_write,
	.noc_write_packed = sim_fluid_noc_write_packed,
	.noc_multicast = sim_fluid_noc_multicast,
	.noc_write_word = sim_fluid_noc_write_word,
	.noc_increment = sim_fluid_noc_increment,
	.noc_write_counted = sim_fluid_noc_write_counted,
	.noc_read = sim_fluid_noc_read,
	.pcie_write = sim_fluid_pcie_write,
	.pcie_write_word = sim_fluid_pcie_write_word,
};
