"""Draws random machines without a platform file: cluster descriptors, physical system descriptors
and mesh graph descriptors of grids with missing links, harvested rows and several channels per
link."""


def channels(draw, chips, pairs, most):
    """Ethernet connections with chip and channel of both ends: each pair gets 1 to `most` channels
    that are free on both chips."""
    free = {chip: list(range(16)) for chip in chips}
    joined = []
    for one, other in pairs:
        for _ in range(1 + draw.randrange(most)):
            if free[one] and free[other]:
                joined.append((one, free[one].pop(0), other, free[other].pop(0)))
    return joined


def grid(draw, rows, columns):
    """Places of chips in random order, and pairs of linked chips: some grids miss a link or have
    wrap-around rows."""
    number = list(range(rows * columns))
    draw.shuffle(number)
    place = {(row, column): number[row * columns + column]
        for row in range(rows) for column in range(columns)}
    pairs = [(place[row, column], place[row, column + 1])
        for row in range(rows) for column in range(columns - 1)]
    pairs += [(place[row, column], place[row + 1, column])
        for row in range(rows - 1) for column in range(columns)]
    if columns > 2 and draw.randrange(4) == 0:
        pairs += [(place[row, columns - 1], place[row, 0]) for row in range(rows)]
    draw.shuffle(pairs)
    if len(pairs) > 2 and draw.randrange(3) == 0:
        pairs.pop()
    return place, pairs


def cluster(draw, rows, columns):
    """A UMD cluster descriptor of a Wormhole grid."""
    place, pairs = grid(draw, rows, columns)
    number = list(place.values())
    hosts = {place[row, 0] for row in range(rows)}
    hosts |= {chip for chip in number if draw.randrange(6) == 0}
    masks = {chip: 1 << draw.randrange(8) for chip in number} if draw.randrange(2) else {}
    return "".join([
        "arch: {" + ", ".join(f"{chip}: wormhole_b0" for chip in number) + "}\n",
        "chips: {" + ", ".join(f"{chip}: [{at[1]}, {at[0]}, 0, 0]" for at, chip in place.items())
        + "}\n" if draw.randrange(3) else "",
        "chips_with_mmio: [" + ", ".join(f"{chip}: {at}" for at, chip in enumerate(sorted(hosts)))
        + "]\n",
        "harvesting: {" + ", ".join(f"{chip}: {{harvest_mask: {mask}}}"
        for chip, mask in masks.items()) + "}\n" if masks else "",
        "ethernet_connections:\n", *(f"- [{{chip: {one}, chan: {a}}}, {{chip: {other}, chan: {b}}}]\n"
        for one, a, other, b in channels(draw, number, pairs, draw.choice((1, 2, 4))))])


def psd(draw, rows, columns):
    """A physical system descriptor of a grid: one host, or one per row; boards of one chip or two."""
    place, pairs = grid(draw, rows, columns)
    chips = {chip: at for at, chip in place.items()}
    hosts, dual = draw.choice((1, rows)), draw.randrange(2)
    joined = channels(draw, chips, pairs, draw.choice((1, 2, 4)))
    host = {chip: f"node{at[0] % hosts}" for chip, at in chips.items()}
    lines = ["system_graph {\n"]
    for name in sorted(set(host.values())):
        lines.append(f'  asic_connectivity_graph {{ host_name: "{name}"\n')
        for chip in (chip for chip in chips if host[chip] == name):
            ends = [end for one, a, other, b in joined for end in ((one, a, other, b), (other, b, one, a))
                if end[0] == chip and host[end[2]] == name]
            lines.append(f"    asic_topologies {{ asic_id: {100 + chip} topology {{" + "".join(
                f" asic_connections {{ dst_asic_id: {100 + to} eth_connections "
                f"{{ src_chan: {a} dst_chan: {b} is_local: true }} }}" for _, a, to, b in ends) + " } }\n")
        lines.append("  }\n")
    for one, a, other, b in (end for one, a, other, b in joined for end in ((one, a, other, b), (other, b, one, a))):
        if host[one] != host[other]:
            lines.append(f'  host_connectivity_graph {{ src_host_name: "{host[one]}" host_connections {{ '
                f'dst_host_name: "{host[other]}" exit_node_connections {{ src_exit_node: {100 + one} '
                f"dst_exit_node: {100 + other} eth_conn {{ src_chan: {a} dst_chan: {b} }} }} }} }}\n")
    lines.append("}\n")
    for chip, (row, column) in chips.items():
        tray = row * columns + (column // 2 if dual else column)
        lines.append(f"asic_descriptors {{ asic_id: {100 + chip} asic_descriptor {{ tray_id: {1 + tray} "
            f"asic_location: {column % 2 if dual else 0} board_type: {4 if dual else 9} "
            f'unique_id: {100 + chip} host_name: "{host[chip]}" }} }}\n')
    return "".join(lines)


def mesh_graph(rows, columns):
    """A mesh graph descriptor of one mesh."""
    return ('mesh_descriptors {\n  name: "M" arch: WORMHOLE_B0 '
            f"device_topology {{ dims: [{rows}, {columns}] }} host_topology {{ dims: [1, 1] }}\n"
            "  channels { count: 1 policy: RELAXED }\n}\n"
            'top_level_instance { mesh { mesh_descriptor: "M" mesh_id: 0 } }\n')
