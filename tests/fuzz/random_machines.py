"""Draws machines that no platform file knows: cluster descriptors and mesh graph descriptors of
grids with missing links, harvested rows and several channels a link. Runs nothing."""


def channels(draw, chips, pairs, most):
    """Lines of Ethernet connections: each pair takes 1 to `most` channels that are free on both."""
    free = {chip: list(range(16)) for chip in chips}
    lines = []
    for one, other in pairs:
        for _ in range(1 + draw.randrange(most)):
            if free[one] and free[other]:
                lines.append(f"- [{{chip: {one}, chan: {free[one].pop(0)}}}, "
                             f"{{chip: {other}, chan: {free[other].pop(0)}}}]\n")
    return lines


def cluster(draw, rows, columns):
    """A UMD cluster descriptor of a Wormhole grid: a tenth have a link less, or closed rows."""
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
        "ethernet_connections:\n", *channels(draw, number, pairs, draw.choice((1, 2, 4)))])


def mesh_graph(rows, columns):
    """A mesh graph descriptor of one mesh."""
    return ('mesh_descriptors {\n  name: "M" arch: WORMHOLE_B0 '
            f"device_topology {{ dims: [{rows}, {columns}] }} host_topology {{ dims: [1, 1] }}\n"
            "  channels { count: 1 policy: RELAXED }\n}\n"
            'top_level_instance { mesh { mesh_descriptor: "M" mesh_id: 0 } }\n')
