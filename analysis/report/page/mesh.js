/* The load of links and chips on the mesh of one run. Chips are at the places that the platform
 * gives them, row by row. Gateways are to the left of the row that they serve. Links that close a
 * row or column to a ring leave the mesh at both ends. Each direction of a link has its own
 * line. */

const linkFigures = {
	utilization: ['busiest link, share of time', v => R.percent(v, v < 0.1 ? 2 : 1)],
	bytes: ['bytes', R.bytes], messages: ['messages', R.count],
	waited: ['time messages waited for it', R.time], blocked: ['time messages waited for room behind it', R.time],
};

const chipFigures = {firmware: 'busiest firmware', worker: 'workers, mean', none: 'nothing'};

/* Returns the places of chips, in cells, and the kind of each pair of chips. */
function layout(geometry) {
	const {rows, columns, wrap, places} = geometry, chips = new Map(), byPlace = new Map(), holes = [], cuts = [];
	const pairs = d3.range(geometry.links.length).map(i => ({index: i, from: geometry.pairs[2 * i], to: geometry.pairs[2 * i + 1], links: geometry.links[i], bandwidth: geometry.bandwidth[i]}));
	for (let id = 0; 2 * id < places.length; id++)
		if (places[2 * id] >= 0) {
			chips.set(id, {id, x: places[2 * id + 1], y: places[2 * id], gateway: false});
			byPlace.set(places[2 * id] * columns + places[2 * id + 1], id);
		}
	for (const p of pairs)
		if (p.from >= 0 && !chips.has(p.from) && chips.has(p.to) && !chips.get(p.to).gateway)
			chips.set(p.from, {id: p.from, x: -1, y: chips.get(p.to).y, gateway: true});
	for (const p of pairs) {
		const a = chips.get(p.from), b = chips.get(p.to);
		p.wraps = a && b && !a.gateway && !b.gateway && Math.abs(a.x - b.x) + Math.abs(a.y - b.y) > 1;
		p.pcie = p.from < 0 || p.to < 0;
	}
	const joined = new Set(pairs.map(p => p.from + ' ' + p.to));
	const look = (x, y, dx, dy) => {
		const last = dx ? x + 1 === columns : y + 1 === rows;
		const from = byPlace.get(y * columns + x), to = byPlace.get((y + dy) % rows * columns + (x + dx) % columns);
		if (last ? wrap[dx ? 0 : 1] && from !== to : true)
			if (from !== undefined && to !== undefined && !joined.has(from + ' ' + to))
				cuts.push({from, to, x, y, dx, dy});
	};
	for (let y = 0; y < rows; y++)
		for (let x = 0; x < columns; x++) {
			if (!byPlace.has(y * columns + x))
				holes.push({x, y});
			look(x, y, 1, 0);
			look(x, y, 0, 1);
		}
	return {chips: Array.from(chips.values()), at: chips, pairs, holes, cuts, gateways: Array.from(chips.values()).some(c => c.gateway)};
}

/* Returns the ends of the line of a pair, in cells. The line lies beside that of the other
 * direction. */
function segment(pair, at, size) {
	const half = size / 2, side = size < 0.5 ? 0.11 : 0.07;
	if (pair.pcie) {
		const chip = at.get(Math.max(pair.from, pair.to)), out = pair.from < 0 ? -side : side;
		if (!chip)
			return null;
		const near = chip.gateway ? [chip.x - half, chip.y + out] : [chip.x - half + 0.07 + out / 2, chip.y - half];
		const far = chip.gateway ? [near[0] - 0.34, near[1]] : [near[0], near[1] - 0.19];
		return pair.from < 0 ? [far, near] : [near, far];
	}
	const a = at.get(pair.from), b = at.get(pair.to);
	if (!a || !b)
		return null;
	let dx = Math.sign(b.x - a.x), dy = Math.sign(b.y - a.y);
	const ox = -dy * side, oy = dx * side;
	if (!pair.wraps)
		return [[a.x + dx * half + ox, a.y + dy * half + oy], [b.x - dx * half + ox, b.y - dy * half + oy]];
	/* the line of a ring leaves the mesh on the far side of its first chip */
	dx = -dx;
	dy = -dy;
	return [[a.x + dx * half - ox, a.y + dy * half - oy], [a.x + dx * (half + 0.28) - ox, a.y + dy * (half + 0.28) - oy],
		[b.x - dx * (half + 0.28) - ox, b.y - dy * (half + 0.28) - oy], [b.x - dx * half - ox, b.y - dy * half - oy]];
}

function pairName(pair) {
	const name = id => id < 0 ? 'host' : `chip ${id}`;
	return `${pair.pcie ? 'PCIe ' : ''}${name(pair.from)} → ${name(pair.to)}${pair.wraps ? ' (closes the ring)' : ''}`;
}

function signed(value, format) {
	return value === 0 ? '0' : (value > 0 ? '+' : '−') + format(Math.abs(value));
}

function linkTip(pair, detail, other) {
	return [pairName(pair), [['links', `${pair.links} × ${R.bytes(pair.bandwidth)}/s`]].concat(
		Object.entries(linkFigures).map(([id, [text, format]]) => {
			const value = detail.links[id][pair.index];
			return [text, format(value) + (other ? ` (${signed(value - other.links[id][pair.index], format)})` : '')];
		}))];
}

function chipTip(chip, detail) {
	const load = detail.chips[chip.id];
	return [`${chip.gateway ? 'gateway, ' : ''}chip ${chip.id}`, (chip.gateway ? [['serves row', chip.y]] : [['row, column', `${chip.y}, ${chip.x}`]])
		.concat(load ? [['busiest firmware', load[2] ? `${load[2]} ${R.percent(load[0], 2)}` : '–'], ['workers, mean', R.percent(load[1], 1)]] : [])];
}

/* The darkness of the grey of a chip. */
const shade = load => 0.05 + 0.4 * load;

function colorBar(svg, width, scale, format, title, from, ink) {
	const stops = d3.range(0, 1.001, 0.1), id = 'ramp-' + from, at = width - 250 - from;
	svg.append('linearGradient').attr('id', id).selectAll('stop').data(stops).join('stop')
		.attr('offset', d => d).style('stop-color', d => ink ? 'var(--soft)' : scale.interpolator()(d)).style('stop-opacity', d => ink ? shade(d) : 1);
	const g = svg.append('g').attr('transform', `translate(${at},0)`);
	g.append('text').attr('y', 12).text(title);
	g.append('rect').attr('y', 18).attr('width', 220).attr('height', 10).attr('fill', `url(#${id})`);
	g.append('text').attr('y', 42).text(format(scale.domain()[0]));
	g.append('text').attr('x', 220).attr('y', 42).attr('text-anchor', 'end').text(format(scale.domain()[1]));
}

/* Draws the mesh. `other` is a run whose loads are subtracted, or null. */
function drawMesh(box, detail, other, geometry, figure, fill, shared) {
	const plan = layout(geometry), plain = linkFigures[figure][1];
	const values = detail.links[figure].map((v, i) => other ? v - other.links[figure][i] : v);
	const format = other ? v => signed(v, plain) : plain, end = d3.max(values, Math.abs) || 1;
	const large = Math.max(geometry.rows, geometry.columns) > 16;
	const top = 56, size = large ? 0.42 : 0.54, margin = 0.72, left = plan.gateways ? 1 : 0;
	const columns = geometry.columns - 1 + left + 2 * margin, rows = geometry.rows - 1 + 2 * margin;
	const which = {firmware: 0, worker: 1}[fill];
	R.fluid(box, width => {
		const cell = Math.min(width / columns, 74, Math.max(18, 760 / rows)), height = rows * cell + top;
		const svg = R.svg(box, 'mesh', width, height);
		const color = other ? d3.scaleSequential(R.heatDifference).domain([-end, end]) : d3.scaleSequential(R.heat).domain([0, shared || end]);
		const most = which === undefined ? 1 : d3.max(detail.chips, c => c[which]) || 1;
		const load = d3.scaleLinear().domain([0, shared === 1 && figure === 'utilization' ? 1 : most]);
		const x = v => (v + left + margin) * cell + (width - columns * cell) / 2, y = v => (v + margin) * cell + top;
		svg.append('clipPath').attr('id', 'clip-mesh').append('rect').attr('y', top - 6).attr('width', width).attr('height', height - top + 6);
		const view = svg.append('g').attr('clip-path', 'url(#clip-mesh)').append('g');
		const thick = Math.max(1.6, cell * (large ? 0.15 : 0.085));
		const links = plan.pairs.map(pair => ({pair, points: segment(pair, plan.at, size), value: values[pair.index]}))
			.filter(l => l.points && !(l.pair.pcie && l.value === 0)).sort((a, b) => Math.abs(a.value) - Math.abs(b.value));
		const line = points => points.length === 2 ? `M${x(points[0][0])},${y(points[0][1])}L${x(points[1][0])},${y(points[1][1])}`
			: `M${x(points[0][0])},${y(points[0][1])}L${x(points[1][0])},${y(points[1][1])}M${x(points[2][0])},${y(points[2][1])}L${x(points[3][0])},${y(points[3][1])}`;
		view.append('g').selectAll('path').data(links).join('path').attr('class', 'link').attr('fill', 'none')
			.attr('d', l => line(l.points)).attr('stroke-width', l => l.value !== 0 ? thick : 1)
			.attr('stroke', l => l.value !== 0 ? color(l.value) : null).style('stroke', l => l.value !== 0 ? null : 'var(--line)');
		view.append('g').selectAll('path').data(links).join('path').attr('fill', 'none').attr('stroke', 'transparent')
			.attr('stroke-width', Math.max(5, thick + 2)).attr('d', l => line(l.points))
			.on('mousemove', l => R.tip(d3.event, ...linkTip(l.pair, detail, other))).on('mouseleave', R.hideTip);
		const gone = view.append('g').attr('class', 'missing');
		gone.selectAll('rect').data(plan.holes).join('rect').attr('width', size * cell).attr('height', size * cell).attr('rx', 2)
			.attr('x', c => x(c.x) - size * cell / 2).attr('y', c => y(c.y) - size * cell / 2)
			.on('mousemove', c => R.tip(d3.event, 'missing chip', [['row, column', `${c.y}, ${c.x}`]])).on('mouseleave', R.hideTip);
		gone.selectAll('path').data(plan.cuts).join('path')
			.attr('d', c => {
				const mx = x(c.x + c.dx / 2), my = y(c.y + c.dy / 2), a = cell * (1 - size) * 0.3;
				return `M${mx - a},${my - a}L${mx + a},${my + a}M${mx - a},${my + a}L${mx + a},${my - a}`;
			})
			.on('mousemove', c => R.tip(d3.event, 'missing links', [['between', `chips ${c.from} and ${c.to}`]])).on('mouseleave', R.hideTip);
		const chips = view.append('g').selectAll('g').data(plan.chips).join('g').attr('class', c => c.gateway ? 'gateway' : 'chip')
			.attr('transform', c => `translate(${x(c.x) - size * cell / 2},${y(c.y) - size * cell / 2})`);
		const loaded = c => which !== undefined && detail.chips[c.id] ? detail.chips[c.id][which] : null;
		chips.append('rect').attr('width', size * cell).attr('height', size * cell).attr('rx', c => c.gateway ? size * cell / 2 : 2)
			.style('fill', 'var(--back)').style('stroke', 'var(--faint)');
		chips.append('rect').attr('class', 'load').attr('width', size * cell).attr('height', size * cell).attr('rx', c => c.gateway ? size * cell / 2 : 2)
			.style('fill', c => loaded(c) === null ? 'none' : 'var(--soft)').attr('fill-opacity', c => loaded(c) === null ? 0 : shade(load(loaded(c))));
		if (cell >= 34)
			chips.append('text').attr('x', size * cell / 2).attr('y', size * cell / 2).attr('dy', '.35em').attr('text-anchor', 'middle')
				.style('fill', 'var(--ink)')
				.style('font-size', Math.min(12, cell / 4.5) + 'px').text(c => c.gateway ? 'G' + c.id : c.id);
		chips.on('mousemove', c => R.tip(d3.event, ...chipTip(c, detail))).on('mouseleave', R.hideTip);
		colorBar(svg, width, color, format, (other ? 'difference: ' : 'links: ') + linkFigures[figure][0], 0);
		if (which !== undefined && width > 620)
			colorBar(svg, width, load, linkFigures.utilization[1], 'chips: ' + chipFigures[fill], 300, true);
		const zoom = d3.zoom().scaleExtent([1, 12]).translateExtent([[0, 0], [width, height]])
			.filter(() => d3.event.type !== 'wheel' || d3.event.ctrlKey || d3.event.metaKey)
			.on('zoom', () => view.attr('transform', d3.event.transform));
		svg.call(zoom);
	});
}

function busiest(detail, other, geometry) {
	const change = p => detail.links.utilization[p.index] - (other ? other.links.utilization[p.index] : 0);
	const pairs = layout(geometry).pairs.filter(p => detail.links.messages[p.index] > 0 || change(p) !== 0)
		.sort((a, b) => Math.abs(change(b)) - Math.abs(change(a)));
	const cell = id => p => linkFigures[id][1](detail.links[id][p.index]);
	return [R.table([{head: 'link', cell: pairName}, {head: 'busy', number: true, cell: cell('utilization')}, ...(other ? [{head: 'less other', number: true, cell: p => signed(change(p), linkFigures.utilization[1])}]
		: [{head: 'bytes', number: true, cell: cell('bytes')}]), {head: 'waited', number: true, cell: cell('waited')}], pairs.slice(0, 14)),
	R.h('p', {class: 'note'}, `${pairs.length} of ${geometry.links.length} pairs of chips exchanged something; parallel links are taken together, `,
		'"busy" is the busiest of them. "waited" sums over all messages.')];
}

R.detailNote = function () {
	const shown = R.model.details.length, all = R.rows.length;
	return shown === all ? '' : `${shown} of ${all} runs are in this page in detail: those of the verdicts, those that failed, and others at equal distances. `;
};

R.detailChoices = () => R.model.details.map((d, i) => [i, R.label(d.row)]).sort((a, b) => R.model.details[a[0]].row - R.model.details[b[0]].row);

R.section('links', 'Load of links', 'Links', parent => {
	if (!R.model.geometries.some(g => g.links.length)) {
		parent.append(R.h('p', {class: 'note'}, 'No run recorded links.'));
		return;
	}
	const area = R.h('div', {class: 'chart mesh'}), side = R.h('div');
	let at = 0, less = -1, figure = 'utilization', fill = 'firmware', scale = 'run';
	const again = () => {
		const detail = R.model.details[at], geometry = R.model.geometries[detail.geometry];
		const fresh = R.h('div');
		area.replaceChildren(fresh);
		if (geometry.rows * geometry.columns === 0 || geometry.links.length === 0) {
			fresh.append(R.h('p', {class: 'note'}, 'This run recorded no links.'));
			side.replaceChildren();
			return;
		}
		const shared = scale === 'whole' && figure === 'utilization' ? 1 : scale !== 'run' ? d3.max(R.model.details.filter(d => d.geometry === detail.geometry), d => d3.max(d.links[figure])) : 0;
		const other = less >= 0 && R.model.details[less].geometry === detail.geometry ? R.model.details[less] : null;
		drawMesh(fresh, detail, other, geometry, figure, fill, shared);
		side.replaceChildren(R.h('h3', {style: 'margin-top:0'}, other ? 'Largest differences' : 'Busiest links'), ...busiest(detail, other, geometry));
	};
	parent.append(R.h('p', {class: 'note'}, R.detailNote(), 'Circles left of the mesh are gateways; lines left of them, or short ones at the upper left of chips, are PCIe. Each direction has its line, on the right-hand side of who drives along it; thin where nothing was sent. Dashed squares are chips, and crosses links, that the machine lacks. ',
		'Zoom with Ctrl and the wheel, or by a double click; drag to move.'));
	parent.append(R.h('div', {class: 'controls'},
		R.choice('run', R.detailChoices(), at, value => { at = Number(value); again(); }),
		R.model.details.length > 1 ? R.choice('less', [[-1, 'nothing']].concat(R.detailChoices()), less, value => { less = Number(value); again(); }) : null,
		R.choice('links', Object.entries(linkFigures).map(([id, [text]]) => [id, text]), figure, value => { figure = value; again(); }),
		R.choice('chips', Object.entries(chipFigures), fill, value => { fill = value; again(); }),
		R.choice('scale', [['run', 'to the most of this run'], ['all', 'to the most of all runs'], ['whole', 'to 100 %']], scale, value => { scale = value; again(); })),
	R.h('div', {class: 'two'}, area, side));
	again();
	R.onTheme.push(again);
});
