/* The life of one operation that measure.trace chose: a Gantt chart of its critical path and of the
 * work of each chip for it, and below it the depths of queues in this time. Empty if no run has a
 * trace. */

function lifeColor(label) {
	return /^on its way/.test(label) ? 'var(--line)' : stageColor(label);
}

/* Converts a flat list of label, start, end to objects. */
const slicesOf = list => d3.range(0, list.length, 3).map(i => ({label: list[i], from: list[i + 1], to: list[i + 2]}));

const isPath = i => i === 0;

/* Both charts have the same axis of time, so both begin at this place. */
const lifeLeft = 92;

function drawGantt(parent, trace, life, unit) {
	const rows = [{name: 'critical path', slices: slicesOf(life.path)}]
		.concat(life.chips.map(c => ({name: `chip ${c.chip}`, slices: slicesOf(c.slices)})));
	const used = Array.from(new Set(rows.flatMap(r => r.slices.map(s => s.label)))).map(l => trace.labels[l]);
	const hidden = new Set(), box = R.h('div', {class: 'chart'});
	let again = () => {};
	parent.append(R.legend(used.map(label => ({name: label, color: lifeColor(label), box: true})), hidden, () => again()), box);
	again = R.fluid(box, width => {
		const many = rows.length > 24, line = many ? 12 : 20, head = 30, left = lifeLeft, right = 18;
		const height = head + line * rows.length + 46, svg = R.svg(box, 'gantt', width, height);
		const x = d3.scaleLinear().domain([0, life.end]).range([left, width - right]);
		const figure = v => R.plain(v), ticks = R.ticks(d3.scaleLinear().domain([0, life.end / unit[1]]).range(x.range()), 8, figure);
		svg.append('g').selectAll('line').data(ticks).join('line').attr('class', 'gridline').attr('x1', t => x(t * unit[1])).attr('x2', t => x(t * unit[1])).attr('y2', height - 40);
		svg.append('g').attr('class', 'axis').attr('transform', `translate(0,${height - 40})`)
			.call(d3.axisBottom(x).tickValues(ticks.map(t => t * unit[1])).tickFormat(v => figure(v / unit[1])).tickSizeOuter(0));
		R.caption(svg, `time since the call, ${unit[0]}`, width - right, height - 4, width);
		rows.forEach((row, i) => {
			const y = isPath(i) ? 2 : head + line * (i - 1), thick = isPath(i) ? 20 : line - (many ? 2 : 4);
			svg.append('text').attr('class', isPath(i) ? 'strong' : null).attr('x', left - 8).attr('y', y + thick / 2).attr('dy', '.35em').attr('text-anchor', 'end')
				.style('font-size', many && !isPath(i) ? '9px' : null).text(row.name);
			for (const slice of row.slices.filter(s => !hidden.has(trace.labels[s.label])))
				svg.append('rect').attr('class', 'slice').attr('x', x(slice.from)).attr('width', Math.max(0.5, x(slice.to) - x(slice.from))).attr('y', y).attr('height', thick)
					.style('fill', lifeColor(trace.labels[slice.label]))
					.on('mousemove', () => R.tip(d3.event, trace.labels[slice.label], [['where', row.name], ['from', R.time(slice.from)], ['to', R.time(slice.to)], ['for', R.time(slice.to - slice.from)]]))
					.on('mouseleave', R.hideTip);
		});
	});
	parent.append(R.h('p', {class: 'note'}, life.chips.length < life.chips_all ? `${life.chips.length} of ${life.chips_all} chips, at equal distances in the order in which they were done.`
		: 'Chips stand in the order in which they were done.', ' A chip\'s slice ends when it has passed the point that the slice is named after.'));
}

function drawQueueDepths(parent, life, unit) {
	if (life.queues.length === 0) {
		parent.append(R.h('p', {class: 'note'}, 'No queue held anything meanwhile.'));
		return;
	}
	const series = life.queues.map((q, i) => {
		const points = d3.range(0, q.depth.length, 2).map(j => [q.depth[j] / unit[1], q.depth[j + 1]]);
		return {name: q.name, color: `var(--c${i % 8})`, kind: 'step', points: points.concat([[life.end / unit[1], points[points.length - 1][1]]])};
	});
	const most = d3.max(series, s => d3.max(s.points, p => p[1]));
	R.chart(parent, {name: 'queue-depths', height: 260, left: lifeLeft, series,
		x: {label: `time since the call, ${unit[0]}`, zero: true, most: life.end / unit[1], format: R.plain},
		y: {label: 'slots in use', zero: true, ticks: most <= 8 ? d3.range(0, most + 1) : null, format: v => R.count(v)},
		tip: (s, p) => [s.name, [['time', R.time(p[0] * unit[1])], ['slots in use', p[1]]]]});
	parent.append(R.h('p', {class: 'note'}, `${life.queues.length} of ${life.queues_all} queues that held anything meanwhile: the deepest, then those that changed most often.`));
}

function drawLives(parent) {
	const choices = R.detailChoices().filter(([value]) => R.model.details[value].trace), area = R.h('div'), controls = R.h('div', {class: 'controls'});
	const draw = (trace, life) => {
		const unit = R.timeUnit(life.end || 1), gantt = R.h('div'), depths = R.h('div');
		area.replaceChildren(R.h('p', {class: 'note'}, `Called after ${R.time(life.start)}; took ${R.time(life.end)}.`), gantt, R.h('h3', {}, 'Queues meanwhile'), depths);
		drawGantt(gantt, trace, life, unit);
		drawQueueDepths(depths, life, unit);
	};
	const choose = value => {
		const trace = R.model.details[value].trace, slowest = d3.scan(trace.operations, (a, b) => b.end - a.end);
		controls.replaceChildren(R.choice('run', choices, value, choose),
			R.choice('operation', trace.operations.map((o, i) => [i, `${o.name.replace(/^operation /, '')}, ${R.time(o.end)}`]), slowest, i => draw(trace, trace.operations[i])));
		if (trace.operations.length < trace.operations_all)
			controls.append(R.h('span', {class: 'note'}, `${trace.operations.length} of ${trace.operations_all} that were recorded`));
		draw(trace, trace.operations[slowest]);
	};
	parent.append(controls, area);
	choose(choices[0][0]);
}

if (R.model.details.some(d => d.trace))
	R.section('life', 'The life of an operation', 'One operation', drawLives);
