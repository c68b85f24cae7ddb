/* Defaults of a mesh device: names of variants (mesh/rows.def), numbers and sizes.
 * mesh_config_init() sets the variants. It leaves the numbers and sizes below 0 in struct
 * mesh_config, where 0 stands for the default. All defaults also apply to keys that a scenario does
 * not contain. Constants of the machine are not here, because platforms define them. */
#ifndef MESH_DEFAULTS_H
#define MESH_DEFAULTS_H

#define MESH_DEFAULT_forward		    unicast
#define MESH_DEFAULT_initiator_place	    centre
#define MESH_DEFAULT_feed		    copy
#define MESH_DEFAULT_packetizer		    per_queue
#define MESH_DEFAULT_route		    line_column
#define MESH_DEFAULT_pieces		    balanced
#define MESH_DEFAULT_ordering		    counter
#define MESH_DEFAULT_channels		    shared
#define MESH_DEFAULT_credits		    on
#define MESH_DEFAULT_trace_hold		    own_queue
#define MESH_DEFAULT_go			    running
#define MESH_DEFAULT_dispatcher		    shared
#define MESH_DEFAULT_lowering		    depth_first
#define MESH_DEFAULT_completion		    table
#define MESH_DEFAULT_threads		    main
#define MESH_DEFAULT_queues		    shared
#define MESH_DEFAULT_tasks		    per_device
#define MESH_DEFAULT_pin		    none
#define MESH_DEFAULT_create		    auto
#define MESH_DEFAULT_compilation	    ready
#define MESH_DEFAULT_readers		    per_device
#define MESH_DEFAULT_POOL_THREADS	    4
#define MESH_DEFAULT_BATCH_DEVICES	    8
#define MESH_DEFAULT_ISSUE_QUEUE_BYTES	    8388608
#define MESH_DEFAULT_COMPLETION_QUEUE_BYTES 2097152
#define MESH_DEFAULT_CONFIG_RING_BYTES	    70656
#define MESH_DEFAULT_BINARY_PAGE_BYTES	    2048

/* MESH_DEFAULT(threads) is the string "main", for a schema. */
#define MESH_DEFAULT(name)	 MESH_DEFAULT_TEXT(MESH_DEFAULT_##name)
#define MESH_DEFAULT_TEXT(value) MESH_DEFAULT_TEXT_(value)
#define MESH_DEFAULT_TEXT_(text) #text

/* MESH_DEFAULT_ROW(threads_, MESH_DEFAULT_threads) is threads_main, a variant of a registry. */
#define MESH_DEFAULT_ROW(registry, name)  MESH_DEFAULT_ROW_(registry, name)
#define MESH_DEFAULT_ROW_(registry, name) registry##name

#endif
