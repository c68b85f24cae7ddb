/* Cluster descriptions for tests: meshes of any size. PCIe is on every chip, on the chips of the
 * left column, or on one gateway for each row. The chips are small, so that tests are fast. No
 * description is that of a product. */
#ifndef TEST_CLUSTER_H
#define TEST_CLUSTER_H

#include "world/device.h"

enum test_pcie {
	TEST_PCIE_ALL,	    /* every chip has PCIe */
	TEST_PCIE_LEFT,	    /* chips in column 0 have PCIe and lead to all other chips */
	TEST_PCIE_GATEWAYS, /* one extra chip for each row has PCIe and is linked to column 0 */
};

struct test_cluster {
	uint16_t rows, columns;
	enum test_pcie pcie;
	uint16_t worker_columns, worker_rows; /* 0: 4 columns, 3 rows */
	uint16_t dispatch_tiles;	      /* tiles of a mesh chip; 0: 8; gateways have 16 */
	uint16_t dram_banks;		      /* number of DRAM banks; 0: 4 */
	bool wrap;			      /* true: opposite edges are linked, too */
	uint16_t channels;		      /* number of virtual channels of each link; 0: 2 */
	uint16_t links;			      /* parallel links between neighbours; 0: 2 */
	bool ethernet;			      /* true: dispatch tiles are Ethernet tiles */
	uint16_t idle_ethernet;		      /* number of further Ethernet tiles, for programs */
};

/* Builds the description. Ends the test process if memory runs out. */
struct cluster_info *test_cluster_info_new(const struct test_cluster *config);

/* Frees the description. Free the cluster that was made from it first. NULL is allowed. */
void test_cluster_info_free(struct cluster_info *info);

#endif
