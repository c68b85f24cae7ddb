/* The JSON that `meshsim place` prints (see output_schema.h). */
#include "shapes.h"

#define CHIP_MEMBERS                                                                               \
	TEXT("host"), INTEGER("tray"), INTEGER("asic", .help = "its location"),                    \
		INTEGER("id", .help = "of 64 bits")

static const struct shape placed_chips[] = {
	INTEGER("mesh"),
	INTEGER("chip", .help = "of the mesh, row by row"),
	CHIP_MEMBERS,
};

static const struct shape ranks[] = {
	INTEGER("rank"),
	INTEGER("mesh"),
	INTEGER("host_rank"),
	TEXT("host"),
	INTEGER("devices", .list = true, .help = "of PCIe, as TT_VISIBLE_DEVICES counts"),
};

static const struct shape between[] = {CHIP_MEMBERS};

static const struct shape lacking_ends[] = {
	INTEGER("mesh"),
	INTEGER("chip", .optional = true, .help = "absent: the mesh as a whole"),
};

static const struct shape lacks[] = {
	TEXT("what", .choices = "connection link"),
	{.name = "ends", .list = true, .length = 2, SHAPE_INNER(lacking_ends)},
	INTEGER("needed", .help = "channels"),
	INTEGER("found"),
	{.name = "between", .list = true, .length = 2, SHAPE_INNER(between)},
};

static const struct shape more_links[] = {
	INTEGER("add", .help = "channels"),
	INTEGER("between", .list = true, .length = 2, .help = "ids of chips"),
};

/* The optional members of an advised change depend on its kind, which is the member `change`. */
static const struct shape changes[] = {
	TEXT("change",
		.choices = "option without unpin policy count shape hosts instances channels"),
	TEXT("option", .optional = true, .help = "option: to be given; without: to be left out"),
	TEXT("descriptor", .optional = true, .help = "of a mesh or switch; instances: of a graph"),
	TEXT("graph", .optional = true, .help = "policy, count: of its connection or topology"),
	INTEGER("connection", .optional = true, .help = "from 0; absent: graph_topology"),
	INTEGER("pin", .optional = true,
		.help = "unpin: from 0, those of the descriptor first, then those of --pin"),
	INTEGER("mesh", .optional = true, .help = "unpin: of the pinned device"),
	INTEGER("chip", .optional = true),
	TEXT("of", .optional = true, .choices = "descriptor command"),
	TEXT("policy", .optional = true, .choices = "RELAXED"),
	INTEGER("count", .optional = true, .help = "of channels; of the first instances"),
	INTEGER("dims", .optional = true, .list = true,
		.help = "shape: device_topology; hosts: host_topology"),
	TEXT("dim_types", .optional = true, .list = true, .choices = "LINE RING"),
	{.name = "links", .optional = true, .list = true, SHAPE_INNER(more_links)},
};

static const struct shape advice[] = {
	TEXT("obstacle", .choices = "boards hosts policy groupings bindings pins channels several "
				    "shape meshes"),
	TEXT("text"),
	{.name = "changes", .list = true, SHAPE_INNER(changes)},
};

static const struct shape meshes[] = {
	INTEGER("id"),
	TEXT("descriptor"),
	BOOL("switch"),
	INTEGER("shape", .list = true, .length = 2, .help = "rows, columns"),
	INTEGER("graph", .nullable = true, .help = "that it stands in; null: none"),
	INTEGER("links", .list = true, .row_length = 4,
		.help = "chip, chip, parallel links, their channels together"),
};

static const struct shape graphs[] = {
	TEXT("descriptor"),
	TEXT("type"),
	INTEGER("id"),
	INTEGER("parent", .nullable = true),
};

static const struct shape ends[] = {
	INTEGER("meshes", .list = true, .help = "ids: any of them"),
	INTEGER("chip", .nullable = true, .help = "null: any"),
};

static const struct shape connections[] = {
	{.name = "a", SHAPE_INNER(ends)},
	{.name = "b", SHAPE_INNER(ends)},
	INTEGER("channels"),
	TEXT("policy", .choices = "STRICT RELAXED"),
	BOOL("z"),
	INTEGER("graph"),
};

static const struct shape machine[] = {
	TEXT("hosts", .list = true),
	INTEGER("chips"),
	INTEGER("links", .help = "pairs of chips that are joined"),
};

static const struct shape routers[] = {
	INTEGER("channel"),
	TEXT("role", .choices = "idle mesh exit"),
	TEXT("direction", .choices = "north east south west express z nowhere"),
	INTEGER("plane", .help = "number among the channels to the same chip"),
	INTEGER("peer", .help = "id of the chip at the other end"),
	INTEGER("peer_channel"),
	BOOL("other_host", .help = "the cable leads to another host"),
};

static const struct shape route_exits[] = {
	INTEGER("mesh"),
	INTEGER("chip", .help = "at which packets to this mesh leave their own"),
	INTEGER("channel"),
};

static const struct shape route_meshes[] = {
	INTEGER("mesh"),
	TEXT("scheme", .choices = "order layers updown"),
	INTEGER("longest", .help = "hops"),
	NUMBER("mean", .help = "hops between two chips of the mesh"),
};

static const struct shape route_chips[] = {
	INTEGER("mesh"),
	INTEGER("chip"),
	INTEGER("bytes", .help = "of its tables as a message"),
	{.name = "routers", .list = true, SHAPE_INNER(routers)},
	INTEGER("ports", .list = true, .row_length = 2, .help = "mesh, chip at the other end"),
	INTEGER("within", .list = true,
		.help = "port to each chip of the mesh; -1: this chip; -2: none"),
	INTEGER("within_vcs", .list = true, .help = "virtual channels"),
	INTEGER("between", .list = true, .help = "port to each mesh"),
	INTEGER("between_vcs", .list = true),
	{.name = "exits", .list = true, SHAPE_INNER(route_exits)},
};

static const struct shape routes[] = {
	BOOL("sound", .help = "all pairs are reached, no waits form a circle, trees reach once"),
	TEXT("why", .nullable = true, .help = "not sound, or no routes"),
	INTEGER("virtual_channels", .optional = true),
	INTEGER("trees", .optional = true),
	INTEGER("bytes", .optional = true, .help = "of all tables as messages"),
	{.name = "meshes", .optional = true, .list = true, SHAPE_INNER(route_meshes)},
	{.name = "chips", .optional = true, .list = true, SHAPE_INNER(route_chips)},
};

/* All members are optional: which of them a document has depends on its verdict and on the
 * inputs. */
static const struct shape place_members[] = {
	TEXT("verdict", .optional = true, .choices = "placed none budget",
		.help = "none: proved that it does not fit; budget: not found within it"),
	TEXT("how", .optional = true, .help = "the method that decided"),
	{.name = "chips", .optional = true, .list = true, SHAPE_INNER(placed_chips)},
	{.name = "ranks", .optional = true, .list = true, SHAPE_INNER(ranks)},
	TEXT("why", .optional = true, .list = true, .help = "it does not fit: lines"),
	{.name = "lacks", .optional = true, .list = true, SHAPE_INNER(lacks)},
	TEXT("nearest", .optional = true, .nullable = true, .help = "what would fit"),
	{.name = "advice", .optional = true, .list = true, SHAPE_INNER(advice)},
	TEXT("not_tried", .optional = true, .list = true, .help = "lines"),
	{.name = "routes", .optional = true, .help = "--routes", SHAPE_INNER(routes)},
	{.name = "meshes", .optional = true, .list = true, SHAPE_INNER(meshes)},
	{.name = "graphs", .optional = true, .list = true, SHAPE_INNER(graphs)},
	{.name = "connections", .optional = true, .list = true, SHAPE_INNER(connections)},
	INTEGER("pinnings", .optional = true),
	{.name = "machine", .optional = true, SHAPE_INNER(machine)},
	INTEGER("groupings", .optional = true, .help = "how many"),
	INTEGER("bindings", .optional = true, .help = "how many ranks, or contexts of them"),
	INTEGER("rankfile", .optional = true, .help = "how many ranks"),
};

static const struct shape place = {
	.name = "place", .help = "meshsim place --json", SHAPE_INNER(place_members)};

const struct shape *const place_outputs[] = {&place, NULL};
