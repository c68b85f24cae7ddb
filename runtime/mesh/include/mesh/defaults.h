/* Defaults of a mesh device: names of rows (mesh/registry.h), numbers and sizes. This one list
 * serves mesh_config_init(), zeros in struct mesh_config, and the keys of scenarios. Machine
 * constants come from a platform instead. */
#ifndef MESH_DEFAULTS_H
#define MESH_DEFAULTS_H

#define MESH_DEFAULT_FORWARD		    unicast
#define MESH_DEFAULT_FEED		    copy
#define MESH_DEFAULT_PACKETIZER		    per_queue
#define MESH_DEFAULT_ROUTE		    line_column
#define MESH_DEFAULT_ORDERING		    counter
#define MESH_DEFAULT_CHANNELS		    shared
#define MESH_DEFAULT_CREDITS		    on
#define MESH_DEFAULT_GO			    running
#define MESH_DEFAULT_DISPATCHER		    shared
#define MESH_DEFAULT_LOWERING		    depth_first
#define MESH_DEFAULT_COMPLETION		    table
#define MESH_DEFAULT_THREADS		    main
#define MESH_DEFAULT_QUEUES		    shared
#define MESH_DEFAULT_PIN		    none
#define MESH_DEFAULT_CREATE		    auto
#define MESH_DEFAULT_READERS		    per_device
#define MESH_DEFAULT_POOL_THREADS	    4
#define MESH_DEFAULT_ISSUE_QUEUE_BYTES	    8388608
#define MESH_DEFAULT_COMPLETION_QUEUE_BYTES 2097152
#define MESH_DEFAULT_CONFIG_RING_BYTES	    70656
#define MESH_DEFAULT_BINARY_PAGE_BYTES	    2048

/* MESH_DEFAULT(THREADS) is the string "main", for a schema. */
#define MESH_DEFAULT(name)	 MESH_DEFAULT_TEXT(MESH_DEFAULT_##name)
#define MESH_DEFAULT_TEXT(value) MESH_DEFAULT_TEXT_(value)
#define MESH_DEFAULT_TEXT_(text) #text

/* MESH_DEFAULT_ROW(threads_, MESH_DEFAULT_THREADS) is threads_main, a row of a registry. */
#define MESH_DEFAULT_ROW(registry, name)  MESH_DEFAULT_ROW_(registry, name)
#define MESH_DEFAULT_ROW_(registry, name) registry##name

#endif
