"""Writes Chakra traces for tests, one file a rank: chakra.py FOLDER NAME RANKS."""
import os
import sys

LOAD, STORE, COMPUTE, SEND, RECEIVE, COLLECTIVE = 2, 3, 4, 5, 6, 7
COMM = {"all_reduce": 0, "reduce": 1, "all_gather": 2, "gather": 3, "scatter": 4, "broadcast": 5, "all_to_all": 6,
        "reduce_scatter": 7, "blocks": 8, "barrier": 9}


def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value) if value else b""
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def attribute(name, value):
    """An attribute: bool, string, int64, list of bools, or (number of the field, value)."""
    if isinstance(value, bool):
        body = varint(27 << 3) + varint(int(value))
    elif isinstance(value, str):
        body = field(29, value)
    elif isinstance(value, list):
        body = field(28, field(1, bytes(value)))
    elif isinstance(value, tuple):
        body = varint(value[0] << 3) + varint(value[1] % (1 << 64))
    else:
        body = varint(9 << 3) + varint(value % (1 << 64))
    return field(1, name) + body


def node(number, name, kind, needs=(), us=0, control=(), **attributes):
    body = field(1, number) + field(2, name) + field(3, kind)
    body += field(4, b"".join(map(varint, control))) if control else b""
    body += field(5, b"".join(map(varint, needs))) if needs else b""
    body += field(7, us)
    for key, value in attributes.items():
        body += field(10, attribute(key, value))
    return body


def collective(number, name, comm, size, needs=(), **attributes):
    return node(number, name, COLLECTIVE, needs, is_cpu_op=False, comm_type=COMM[comm], comm_size=size, **attributes)


def send(number, to, size, needs=(), tag=0):
    return node(number, "send%d" % number, SEND, needs, comm_size=size, comm_dst=(7, to), comm_tag=(7, tag))


def receive(number, source, size, needs=(), tag=0):
    return node(number, "receive%d" % number, RECEIVE, needs, comm_size=size, comm_src=(7, source), comm_tag=(7, tag))


def framed(message):
    return varint(len(message)) + message


def trace(nodes, metadata=field(1, "0.0.4")):
    return framed(metadata) + b"".join(map(framed, nodes))


def ring(rank, ranks, size, us):
    """An all-reduce as sends and receives around a ring, of parts of `size` bytes."""
    nodes, before = [], ()
    for step in range(2 * (ranks - 1)):
        nodes.append(send(len(nodes), (rank + 1) % ranks, size, before))
        nodes.append(receive(len(nodes), (rank - 1) % ranks, size, (len(nodes) - 1,)))
        if step < ranks - 1 and us:
            nodes.append(node(len(nodes), "add", COMPUTE, (len(nodes) - 1,), us))
        before = (len(nodes) - 1,)
    return nodes


def layers(rank, ranks):
    """Two layers: compute, an all-reduce, compute by a roofline, an all-gather; a barrier between them."""
    nodes = []

    def add(make, *arguments, **keys):
        nodes.append(make(len(nodes), *arguments, **keys))
        return (len(nodes) - 1,)

    last = ()
    for layer in range(2):
        last = add(node, "attention", COMPUTE, last, 20 + rank % 2)
        last = add(collective, "sum", "all_reduce", 65536, last)
        last = add(node, "mlp", COMPUTE, last, num_ops=40000000000, tensor_size=33554432)
        last = add(collective, "join", "all_gather", 16384, last)
        last = add(collective, "wait", "barrier", 0, last)
    return nodes


def pipeline(rank, ranks):
    """Three micro-batches through a pipeline with a stage a rank; compute is long."""
    nodes, last = [], ()
    for batch in range(3):
        if rank > 0:
            nodes.append(receive(len(nodes), rank - 1, 8192, last, batch))
            last = (len(nodes) - 1,)
        nodes.append(node(len(nodes), "stage", COMPUTE, last, 200))
        last = (len(nodes) - 1,)
        if rank + 1 < ranks:
            nodes.append(send(len(nodes), rank + 1, 8192, last, batch))
            last = (len(nodes) - 1,)
    return nodes


def parallel(rank, ranks):
    """Two layers over groups of ranks: halves sum what they compute, and pairs of ranks of both halves exchange
    gradients, on which nothing depends before the end."""
    half, nodes, last, gradients = ranks // 2, [], (), ()
    for layer in range(3):
        nodes.append(node(len(nodes), "layer", COMPUTE, last, 150))
        last = (len(nodes) - 1,)
        nodes.append(collective(len(nodes), "sum", "all_reduce", 65536, last, pg_name="half%d" % (rank // half)))
        last = (len(nodes) - 1,)
        nodes.append(collective(len(nodes), "gradients", "all_reduce", 1048576, last, comm_group=rank % half))
        gradients += (len(nodes) - 1,)
        nodes.append(node(len(nodes), "next", COMPUTE, last, 100))
        last = (len(nodes) - 1,)
    nodes.append(node(len(nodes), "update", COMPUTE, last + gradients, 50))
    return nodes


def write(folder, name, make, ranks):
    os.makedirs(folder, exist_ok=True)
    for rank in range(ranks):
        with open("%s/%s.%d.et" % (folder, name, rank), "wb") as out:
            out.write(trace(make(rank, ranks)))


KINDS = {
    "ring": lambda rank, ranks: ring(rank, ranks, 131072, 7),
    "layers": layers,
    "pipeline": pipeline,
    "parallel": parallel,
    **{comm: (lambda comm: lambda rank, ranks: [collective(rank, comm, comm, 262144)])(comm) for comm in COMM},
}

if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2], KINDS[sys.argv[2]], int(sys.argv[3]) if len(sys.argv) > 3 else 4)
