"""Checks the margins of the shipped scenarios, and what is left of them without their mechanism in the model.

    flagship_margins.py MESHSIM SCENARIOS [NAME...]

A margin is how much longer the loser takes than the winner, by the medians of one figure at one point of the sweep.
Prints every margin that differs from the table, and exits with 1 if there is one.
"""

import json
import os
import subprocess
import sys
import tempfile
from typing import NamedTuple

COMPLETION = "enqueue_workload.completion"

NO_COMPILER = ["platform.host.work.compile_kernel.cost=0"]

NO_COPIES = [
    "platform.host.copy.cached.pinned.bandwidth=1000000",
    "platform.host.copy.cached.pinned.traffic=0",
    "platform.host.write_combining_drain=0",
    "platform.host.memory_bandwidth=1000000",
]
NO_WORK_PER_DEVICE = NO_COPIES + [
    "platform.host.work.reserve.cost=0",
    "platform.host.work.doorbell.cost=0",
    "platform.host.work.build_command.cost=0",
    "platform.host.work.build_bytes.cost=0",
]
NO_BUILDING = [
    "platform.host.work.create_operation.cost=0",
    "platform.host.work.spread_operation.cost=0",
    "platform.host.work.build_command.cost=0",
    "platform.host.work.build_bytes.cost=0",
    "platform.host.work.patch_argument.cost=0",
    "platform.host.work.cache_lookup.cost=0",
    "platform.host.work.launch.cost=0",
    "platform.host.work.api_call.cost=0",
]
NO_CREDIT_TRAFFIC = [
    "model.network=ideal",
    "platform.firmware.packetizer_credit_check=0",
    "platform.firmware.packetizer_credit_take=0",
    "platform.firmware.credit_return=0",
    "platform.firmware.landing_ring_size=512KiB",
]
# One thread takes one read at a time, while the completion queues of the other chips fill up.
NO_READ_IN_TURN = [
    "platform.host.copy.pinned.uncached_source.bandwidth=1000000",
    "platform.host.copy.pinned.uncached_source.traffic=0",
    "platform.host.memory_bandwidth=1000000",
    "runtime.sizes.completion_queue_bytes=16MiB",
]
NO_HOPS = [
    "platform.chip.%s=0" % name
    for name in (
        "ethernet_latency", "router_send_latency", "router_receive_latency", "router_forward_latency",
        "router_2d_latency", "router_send", "router_receive", "router_forward", "router_deliver", "router_2d_send",
        "router_2d_receive", "router_handover", "router_handover_2d", "router_handover_overlap", "router_part")
] + ["platform.chip.ethernet_bandwidth=1000000", "platform.chip.noc_hop=0", "model.network=ideal"]
NO_COMMANDS = ["platform.firmware.%s=0" % name for name in (
    "dispatch_command", "dispatch_wait", "dispatch_switch", "dispatch_flush", "dispatch_binary", "dispatch_word", "relay_command",
    "relay_turn", "relay_write", "fetch_issue", "fetch_land")]
NO_RUN = ["workload.0.do.0.do.%d.enqueue_workload.run_ns=0" % step for step in (0, 1)]
NO_BLOCKING = [
    "workload.0.do.7.read_buffer.blocking=false",
    "workload.0.do.8.do.3.read_buffer.blocking=false",
]
NO_SWITCHES = [
    "platform.host.switch=0",
    "platform.host.wake_call=0",
    "platform.host.wake_queued=0",
    "platform.host.wake_hot=0",
    "platform.host.wake_idle=0",
    "platform.host.work.queue_push.cost=0",
    "platform.host.work.queue_pop.cost=0",
]
NO_RING_BYTES = NO_HOPS + ["workload.0.do.0.collective.workers=4"] + ["platform.firmware.%s=0" % name for name in (
    "fabric_send", "kernel_noc", "kernel_instruction", "kernel_load", "kernel_store", "kernel_page", "kernel_buffer",
    "kernel_wait")] + ["platform.chip.%s=0" % name for name in (
        "dram_latency", "dram_request", "noc_latency", "noc_read", "noc_atomic", "noc_issue", "noc_issue_flit", "noc_acknowledge")] + [
            "platform.chip.%s=1000000" % name for name in (
                "dram_read_bandwidth", "dram_write_bandwidth", "noc_injection_rate", "noc_ejection_rate", "noc_link_rate")]
NO_PEERS = [
    "platform.transports.tcp.peer_message=0",
    "platform.transports.tcp.peer_kib=0",
]
NO_LIBRARY_THREADS = NO_SWITCHES + [
    "platform.transports.zeromq.%s=0" % name
    for name in ("thread_send_message", "thread_send_kib", "thread_peer_message", "thread_peer_kib",
                 "thread_receive_message", "thread_receive_kib", "send_message", "receive_message")]
NO_COST_BY_HOST = [
    "platform.transports.zeromq.%s=0" % name
    for name in ("send_message", "send_kib", "peer_message", "thread_send_message", "thread_send_kib",
                 "thread_peer_message", "thread_peer_kib")]
NO_BYTES_BETWEEN_HOSTS = NO_COST_BY_HOST + NO_COPIES + [
    "platform.transports.zeromq.%s=0" % name for name in ("receive_kib", "thread_receive_kib")
] + ["platform.host_network.bandwidth=1000000"] + [
    "platform.host.copy.%s.%s.bandwidth=1000000" % pair
    for pair in (("cached", "cached"), ("uncached_source", "cached"), ("uncached_source", "pinned"))]

# All hosts are processes of one core, so no two work at once.
NO_SECOND_HOST = ["platform.hosts.machines=one", "platform.host.sockets=1", "platform.host.cores_per_socket=1"]

NO_STORAGE = ["platform.host.work.storage_read.cost=0", "platform.host.work.storage_kib.cost=0"] + [
    "platform.codecs.packed.%s=0" % name
    for name in ("encode_message", "encode_kib", "decode_message", "decode_kib")]

NO_ROUND_TRIP = NO_LIBRARY_THREADS + [
    "platform.transports.zeromq.%s=0" % name
    for name in ("send_kib", "peer_message", "peer_kib", "hand_off", "receive_kib", "thread_send_kib",
                 "thread_peer_kib", "thread_receive_kib")
] + ["platform.host_network.%s=0" % name for name in ("nic_latency", "switch_latency")]

# An aggregator that takes, opens and sends in no time has nothing that others could do beside it.
NO_GATHERING = ["platform.firmware.%s=0" % name for name in (
    "aggregator_take", "aggregator_open", "aggregator_notify", "gate_announce", "fabric_send", "dispatch_h_record")]
# Answers, and looks at events, that take no time of the event loop.
NO_ANSWERS = ["platform.transports.tcp.%s=0" % name for name in ("send_message", "send_kib", "peer_message", "peer_kib")] + [
    "platform.codecs.packed.encode_message=0",
    "platform.codecs.packed.encode_kib=0",
    "platform.host.work.api_call.cost=0",
    "platform.host.work.complete.cost=0",
    "platform.host.copy.pinned.cached.bandwidth=1000000",
    "platform.host.copy.pinned.uncached_source.bandwidth=1000000",
    "platform.host.memory_bandwidth=1000000",
]


class Margin(NamedTuple):
    """One margin of `figure`, between two values of `key`, with the other keys set to `where`."""

    scenario: str
    figure: str
    key: str
    winner: object
    loser: object
    where: dict
    least: float  # percent
    without: list  # settings that remove the mechanism
    left: float  # percent that may be left then, due to smaller mechanisms such as longer NoC paths
    seeds: int = 1  # the margin is of means over so many; wake-ups of one seed can differ by 10 %


MARGINS = (
    Margin("tgg-releases", COMPLETION, "runtime.preset", "v1.2", "v1",
           {"runtime.mesh.shape": "[8, 8]"}, 40, NO_WORK_PER_DEVICE, 8),
    Margin("tgg-releases", COMPLETION, "runtime.preset", "v1", "today",
           {"runtime.mesh.shape": "[8, 8]"}, 80, NO_SWITCHES + NO_BUILDING, 8),
    Margin("tgg-order", "enqueue_workload/behind a unicast.completion", "runtime.forward.ordering", "counter", "event",
           {"runtime.forward.initiators": "1"}, 8, NO_WORK_PER_DEVICE, 2),
    Margin("tgg-feed", COMPLETION, "runtime.forward.feed", "shared", "copy",
           {"runtime.forward.initiators": "8"}, 6, NO_COPIES, 2),
    Margin("tgg-credits", "write_buffer.completion", "runtime.forward.credits", "off", "on",
           {"runtime.forward.initiators": "1"}, 400, NO_CREDIT_TRAFFIC, 10),
    Margin("tgg-receive", "write_buffer/behind programs.completion", "platform.firmware.spill_size", "4MiB", "0",
           {}, 0.5, ["workload.0.do.0.do.0.enqueue_workload.run_ns=0"], 0.2),
    Margin("tgg-go", "enqueue_workload/upper.interval", "runtime.forward.go", "running", "all",
           {"runtime.forward.path": "unicast"}, 8, NO_WORK_PER_DEVICE, 4),
    Margin("tgg-route", COMPLETION, "runtime.forward.route", "tree", "ring", {}, 35, NO_HOPS, 9),
    # The rest is the notification itself, which is sent only when the workers are done.
    Margin("tgg-dispatcher", "enqueue_workload/behind a unicast.completion", "runtime.forward.dispatcher", "shared",
           "dedicated", {}, 1.5, NO_COMMANDS, 1),
    Margin("tgg-lowering", COMPLETION, "runtime.lowering", "depth-first", "breadth-first", {}, 7,
           NO_WORK_PER_DEVICE, 2),
    Margin("tgg-create", COMPLETION, "runtime.host.create", "per-mesh", "per-device",
           {"runtime.command_cache": "true"}, 25, NO_BUILDING, 5, 6),
    Margin("tgg-traces", "enqueue_workload.interval", "runtime.traces", "replicated", "off",
           {"runtime.forward.path": "unicast"}, 100, NO_WORK_PER_DEVICE + NO_BUILDING, 20),
    # What is spilled behind a trace comes back while all receivers return their credits over the same links.
    Margin("tgg-trace-hold", "write_buffer/behind a trace.completion", "runtime.forward.trace_hold", "own-queue",
           "depacketizer", {}, 13, ["model.network=ideal"], 1),
    # A sender that waits leaves the links to the other queue.
    Margin("tgg-trace-hold", "write_buffer/on the other queue.completion", "runtime.forward.trace_hold", "prefetch-h",
           "own-queue", {}, 28, ["workload.0.do.1.write_buffer.bytes=2048"], 1),
    Margin("tgg-sub-devices", "enqueue_workload/second.interval",
           "workload.0.do.0.do.1.enqueue_workload.sub_device", "right", "left", {"runtime.forward.path": "broadcast"},
           60, NO_RUN, 10),
    # The rest is the time of the dispatchers and workers that are reset.
    Margin("tgg-sub-device-turns", "enqueue_workload/third.round", "workload.0.do.2.load_sub_devices", "initial", "one",
           {"runtime.forward.path": "unicast"}, 6, NO_WORK_PER_DEVICE, 1),
    Margin("coordinates", COMPLETION, "runtime.coordinates", "virtual", "physical",
           {"runtime.command_cache": "true"}, 40, NO_BUILDING, 2),
    Margin("tgg-channels", COMPLETION, "runtime.forward.channels", "own", "shared",
           {"platform.chip": "{router_receiver_slots: 2, ring_free_slots: 1}"}, 60,
           ["workload.0.write_buffer.bytes=131072"], 3),
    Margin("two-meshes", "enqueue_workload/add.interval", "runtime.host.clients", "per-mesh", "one", {}, 60,
           NO_COPIES + NO_BLOCKING, 10),
    Margin("bring-up", "open_mesh.completion", "runtime.forward.path", "unicast", "broadcast",
           {"runtime.mesh.shape": "[8, 8]"}, 1.5,
           NO_WORK_PER_DEVICE + NO_HOPS + ["platform.firmware.stage_image_size=4"], 1),
    Margin("tgg-gather", "read_buffer/small.latency", "runtime.gather", "device", "host",
           {"runtime.mesh.shape": "[8, 8]"}, 40, NO_SWITCHES, 10),
    Margin("tgg-gather", "read_buffer/large.latency", "runtime.gather", "host", "device",
           {"runtime.mesh.shape": "[8, 8]"}, 180, ["workload.1.write_buffer.bytes=131072"], 10),
    Margin("tgg-readers", "read_buffer/alone.latency", "runtime.host.readers", "pool", "per-mesh", {}, 150,
           NO_READ_IN_TURN, 2),
    Margin("tgg-compile", COMPLETION, "runtime.host.compile", "per-mesh", "per-device",
           {"runtime.coordinates": "virtual", "runtime.host.count": "8"}, 700, NO_COMPILER + NO_SWITCHES, 10),
    Margin("tgg-compile", COMPLETION, "runtime.host.compile", "per-kernel", "per-mesh",
           {"runtime.coordinates": "virtual", "runtime.host.count": "8"}, 300, NO_COMPILER, 1),
    Margin("tgg-compile", COMPLETION, "runtime.coordinates", "virtual", "physical",
           {"runtime.host.compile": "per-mesh", "runtime.host.count": "8"}, 390, NO_COMPILER, 4),
    # Eight threads are at forty kernels, or at five.
    Margin("tgg-compile-ahead", "enqueue_workload/later.interval", "runtime.host.compile", "asynchronous", "per-kernel",
           {}, 50, NO_COMPILER, 1),
    Margin("distributed-descriptor", "open_mesh.completion", "runtime.distributed.descriptor", "cached", "discovered",
           {"platform.topology.mesh": "[4, 8]"}, 10000, ["platform.host.work.query_chip.cost=0"], 1),
    # Agents have discovered the chips before the job; in other flows each rank does it in the job.
    Margin("bring-up-flows", "bring_up.completion", "workload.0.do.0.bring_up.flow", "automatic", "manual",
           {"platform.hosts.count": "4"}, 40, ["platform.host.work.query_chip.cost=0"], 1.5),
    # The slowest host decides, since a compilation never takes the same time.
    Margin("distributed-compile", COMPLETION, "runtime.distributed.compile", "controller", "executors",
           {"platform.hosts.count": "32"}, 10, ["platform.host.work.compile_kernel.variation=0"], 1, 4),
    # A batch is handed over once; the rest is which thread is awake.
    Margin("tgg-pool-tasks", COMPLETION, "runtime.host.pool_tasks", "batches", "per-device",
           {"runtime.command_cache": "true"}, 60, NO_SWITCHES, 10),
    Margin("tgg-pool-tasks", COMPLETION, "runtime.host.pool_tasks", "phased", "per-device",
           {"runtime.command_cache": "false"}, 75, NO_BUILDING, 5),
    Margin("tgg-pool-tasks", "enqueue_workload.host", "runtime.host.pool_tasks", "posted", "per-device",
           {"runtime.host.create": "per-device"}, 450, NO_BUILDING + NO_WORK_PER_DEVICE, 50),
    # The caller wakes each thread that is parked.
    Margin("tgg-worker-wait", COMPLETION, "runtime.host.worker_wait", "yield", "park",
           {"platform.host.cores_per_socket": "32"}, 300, NO_SWITCHES, 1),
    # Readers wait for cores on which others spin, until a quantum of these is over.
    Margin("tgg-worker-wait", COMPLETION, "runtime.host.worker_wait", "yield", "spin",
           {"platform.host.cores_per_socket": "4"}, 2000, ["platform.host.quantum=2us"], 15),
    Margin("tgg-event-paths", COMPLETION, "runtime.completion", "table", "aggregator",
           {"runtime.forward.initiators": "2"}, 4, NO_HOPS, 2),
    Margin("tgg-host-threads", COMPLETION, "runtime.host.count", "2", "4",
           {"platform.host.cores_per_socket": "48", "runtime.completion": "table",
            "runtime.host.threads": "pool"}, 60, NO_SWITCHES, 10),
    Margin("tgg-broadcast-grid", COMPLETION, "runtime.forward.path", "broadcast", "unicast",
           {"runtime.completion": "table", "runtime.forward.initiators": "4"}, 30, NO_WORK_PER_DEVICE, 8),
    Margin("tgg-order", "enqueue_workload/behind a unicast.completion", "runtime.forward.initiators", "8", "1",
           {"runtime.forward.ordering": "counter"}, 1, NO_HOPS, 1),
    Margin("coordinates", COMPLETION, "runtime.command_cache", "true", "false",
           {"runtime.coordinates": "virtual"}, 30, NO_BUILDING, 5),
    Margin("tgg-traces", "enqueue_workload.interval", "runtime.traces", "replicated", "sharded",
           {"runtime.forward.path": "broadcast"}, 25, NO_WORK_PER_DEVICE + NO_BUILDING, 2),
    Margin("tgg-host-threads", COMPLETION, "runtime.host.threads", "pool", "main",
           {"platform.host.cores_per_socket": "48", "runtime.completion": "table", "runtime.host.count": "2"}, 5,
           NO_WORK_PER_DEVICE + NO_BUILDING, 2),
    Margin("distributed-transports", COMPLETION, "runtime.distributed.transport", "zeromq-router", "tcp",
           {"platform.hosts.count": "32", "workload.0.do.0.enqueue_workload.runtime_args": "1"}, 20, NO_PEERS, 0),
    Margin("distributed-transports", COMPLETION, "runtime.distributed.transport", "tcp", "zeromq",
           {"platform.hosts.count": "2", "workload.0.do.0.enqueue_workload.runtime_args": "1"}, 6,
           NO_LIBRARY_THREADS, 2),
    Margin("distributed-allocator", "enqueue_workload/first.completion", "runtime.distributed.allocator", "split",
           "requests", {"platform.hosts.count": "2"}, 30, NO_ROUND_TRIP, 8),
    Margin("distributed-serialization", COMPLETION, "runtime.distributed.codec", "packed", "msgpack",
           {"platform.hosts.count": "2", "workload.0.do.0.enqueue_workload.runtime_args": "200"}, 150,
           ["platform.codecs.msgpack.%s=0" % name
            for name in ("encode_message", "encode_argument_kib", "encode_kib", "decode_message",
                         "decode_argument_kib", "decode_kib")], 5),
    Margin("distributed-scale", COMPLETION, "runtime.distributed.resolution", "mixed", "controller",
           {"platform.hosts.count": "32"}, 15, NO_COST_BY_HOST, 4),
    Margin("distributed-resolution", "write_buffer.completion", "runtime.distributed.resolution", "controller",
           "executors", {"platform.hosts.count": "8", "workload.0.do.0.write_buffer.spread": "sharded"}, 200,
           NO_BYTES_BETWEEN_HOSTS, 10),
    Margin("distributed-broadcast", "write_buffer.completion", "runtime.distributed.broadcast", "machine", "per-host",
           {"platform.topology.mesh": "[1, 4]", "platform.hosts.count": "16"}, 45,
           NO_BYTES_BETWEEN_HOSTS, 8),
    Margin("distributed-broadcast", "write_buffer.completion", "runtime.distributed.broadcast", "per-host", "machine",
           {"platform.topology.mesh": "[4, 8]"}, 25, NO_CREDIT_TRAFFIC, 8),
    Margin("distributed-meshes", "enqueue_workload/multiply.round", "runtime.meshes",
           "{left: {shape: [8, 4]}, right: {shape: [8, 4], offset: [0, 4]}}",
           "{left: {shape: [4, 8]}, right: {shape: [4, 8], offset: [4, 0]}}", {}, 20, NO_SECOND_HOST, 8),
    Margin("distributed-loading", "write_buffer.completion", "runtime.distributed.loading", "executors", "controller",
           {"platform.hosts.count": "8", "workload.0.do.0.write_buffer.spread": "sharded",
            "workload.0.do.0.write_buffer.bytes": "4194304"}, 600, NO_BYTES_BETWEEN_HOSTS + NO_STORAGE, 8),
    Margin("distributed-threads", "enqueue_workload.interval", "runtime.distributed.pipeline", "main", "stages",
           {"platform.hosts.count": "2", "runtime.distributed.executor_threads": "false"}, 15, NO_SWITCHES, 8),
    Margin("tgg-aggregators", "enqueue_workload/burst.interval", "runtime.completion", "aggregator-rows", "aggregator",
           {}, 80, NO_GATHERING + NO_HOPS, 3),
    Margin("tgg-aggregators", "enqueue_workload/burst.interval", "runtime.completion", "aggregator-semaphores",
           "aggregator", {}, 12, NO_GATHERING + NO_HOPS, 3),
    Margin("distributed-reader", "enqueue_workload/burst.interval", "runtime.distributed.completion_reader", "thread",
           "event-loop", {}, 8, NO_ANSWERS, 3, 4),
    Margin("noc-links", "enqueue_workload/reading.latency", "workload.2.do.0.enqueue_workload.kernels.0.processor",
           "ncrisc", "brisc", {"model.noc": "links"}, 120, ["platform.chip.noc_link_rate=1000000"], 1),
    Margin("noc-links", "enqueue_workload/writing.latency", "workload.2.do.2.enqueue_workload.kernels.0.processor",
           "brisc", "ncrisc", {"model.noc": "links"}, 120, ["platform.chip.noc_link_rate=1000000"], 1),
    Margin("finish-scale", "finish.latency", "runtime.completion", "table", "per-device",
           {"runtime.mesh.shape": "[16, 16]"}, 300, NO_SWITCHES, 10),
    Margin("tgg-initiator-place", "enqueue_workload/left.completion", "runtime.forward.initiator_place", "centre",
           "corner", {}, 6, NO_HOPS, 1),
    # Both meshes' chips return credits to one gateway: without contention they do not wait.
    Margin("tgg-initiator-place", "write_buffer/left.completion", "runtime.forward.initiator_place", "least-loaded",
           "centre", {}, 60, ["model.network=ideal"], 2),
    # Each packet is sent once for each piece.
    Margin("tgg-pieces", COMPLETION, "runtime.forward.pieces", "balanced", "rows",
           {}, 3, NO_HOPS, 1),
    # The rest is 56 ns for each of the six links more, which none of these constants covers.
    Margin("galaxy-stages", "collective.completion", "runtime.mesh.shape", "[2, 4]", "[1, 8]", {}, 40, NO_HOPS, 4),
    # Bytes that take no time, on links and in the kernels that send them. The rest is that seven steps follow each other, not four.
    Margin("t3k-ring-ways", "collective.completion", "workload.0.do.0.collective.ways", "2", "1", {}, 30, NO_RING_BYTES, 15),
    # One row of cores is as many as the grid takes.
    Margin("matmul-forms", COMPLETION, "workload.3.do.0.enqueue_workload.library", "matmul_line", "matmul_grid", {}, 95,
           ["workload.3.do.0.enqueue_workload.cores=[8, 1]"], 1),
    # A prompt of one tile has no keys behind its queries to skip.
    Margin("attention-mask", COMPLETION, "workload.5.do.0.enqueue_workload", "{library: attention_causal}",
           "{library: attention_masked, buffers: {mask: mask}}", {}, 30,
           ["workload.%d.write_buffer.shape=[8, 32, 64]" % step for step in (0, 1, 2, 4)]
           + ["workload.3.write_buffer.shape=[32, 32]"], 1),
)


def point(margin, settings):
    """Options that select the two runs of the margin, with these settings."""
    sweep = ["%s: [%s]" % (key, value) for key, value in margin.where.items()]
    values = [value if value[0].isdigit() or value[0] in "{[" or value in ("true", "false") else '"%s"' % value for value in (margin.winner, margin.loser)]
    sweep.append("%s: [%s]" % (margin.key, ", ".join(values)))
    options = ["--set", "sweep={%s}" % ", ".join(sweep), "--set", "measure.seeds=%d" % margin.seeds]
    for setting in settings:
        options += ["--set", setting]
    return options


def option_of(margin, keys):
    """Returns the winner or the loser, whichever the keys of a run say. A map of keys is told by its program,
    or by its left mesh."""
    if margin.key in keys:
        return str(keys[margin.key])
    told = keys.get(margin.key + ".library") or str(keys[margin.key + ".left.shape"])
    return margin.winner if told in margin.winner else margin.loser


def percent(meshsim, scenarios, margin, settings):
    """Returns how much longer the loser takes, in percent."""
    operation, metric = margin.figure.rsplit(".", 1)
    seen = {}
    with tempfile.TemporaryDirectory() as folder:
        result = os.path.join(folder, "result.h5")
        words = [meshsim, "run", os.path.join(scenarios, margin.scenario + ".yaml"), "-o", result]
        end = subprocess.run(words + point(margin, settings), capture_output=True, text=True, check=False)
        if end.returncode != 0:
            sys.exit("%s\n%s" % (" ".join(words), end.stderr))
        shown = subprocess.run([meshsim, "show", result, "--json"], capture_output=True, text=True, check=True)
    for run in json.loads(shown.stdout)["runs"]:
        numbers = run["operations"][operation]
        seen.setdefault(option_of(margin, run["keys"]), []).append(
            1 / numbers["throughput"] if metric == "interval" else numbers[metric]["p50"])
    return 100 * (sum(seen[margin.loser]) / sum(seen[margin.winner]) - 1)


def main():
    meshsim, scenarios = sys.argv[1:3]
    wrong = 0
    every = 1 if sys.argv[3:] or os.environ.get("MESHSIM_LONG") else 3
    for number, margin in enumerate(MARGINS):
        if number % every or (sys.argv[3:] and margin.scenario not in sys.argv[3:]):
            continue
        seen = percent(meshsim, scenarios, margin, [])
        left = percent(meshsim, scenarios, margin, margin.without)
        print("%s, %s: %s over %s by %.1f %% (at least %g); %.1f %% without its mechanism (at most %g)" % (
            margin.scenario, margin.figure, margin.winner, margin.loser, seen, margin.least, left, margin.left))
        wrong += seen < margin.least or left > margin.left
    sys.exit("%d margins are not as they have to be" % wrong if wrong else 0)


main()
