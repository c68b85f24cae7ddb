/* Where the time goes, as in `meshsim explain`: stages of the critical path of chosen runs, and the
 * difference between two runs as a waterfall that sums to the whole difference. */

/* Colours of stages, by the part of the machine: host, PCIe, fabric, chip, the way back. */
const stageHues = [
	[/^waits|^credit wait/, '#b9c0c8'], [/call/, '#8b949e'], [/build/, '#0072b2'], [/queues/, '#3f97cc'], [/copy/, '#56b4e9'], [/post/, '#9ad2f2'],
	[/PCIe write to host/, '#8a4f7d'], [/PCIe/, '#009e73'], [/^fetch/, '#4cc29f'], [/prefetch/, '#7fd6bb'], [/packetizer/, '#e69f00'], [/fabric hops/, '#f0c04d'],
	[/to the router/, '#f5d98a'], [/^dispatch_h|aggregator/, '#cc79a7'], [/^dispatch/, '#d55e00'], [/^NoC/, '#f0955a'], [/DRAM/, '#c4733a'],
	[/^worker/, '#a89a00'], [/kernel/, '#d4c84a'], [/acknowledgement/, '#e0a9c8'], [/poll|spin/, '#6f5b8a'], [/wake|switch/, '#b58aad'],
];

function stageColor(label) {
	const found = stageHues.find(([pattern]) => pattern.test(label));
	return found ? found[1] : '#7b8490';
}

const whichPaths = [['p50', 'median operation'], ['p99', 'p99 operation'], ['mean', 'mean over operations']];

function drawStages(parent, paths, which) {
	const rows = R.selected.filter(row => paths.runs[row]);
	if (rows.length === 0)
		return;
	const hidden = new Set(), box = R.h('div', {class: 'chart'});
	let again = () => {};
	const drawn = paths.stages.filter((s, i) => rows.some(row => paths.runs[row][which][i] !== 0));
	parent.append(R.legend(drawn.map(s => ({name: s, color: stageColor(s), box: true})), hidden, () => again()), box);
	again = R.fluid(box, width => {
		const bars = R.barRows(width, rows.map(R.label), 0.42, 26), line = bars.height, height = line * rows.length + 40, right = 80;
		const shown = d3.range(paths.stages.length).filter(i => !hidden.has(paths.stages[i]));
		const total = row => d3.sum(shown, i => paths.runs[row][which][i]);
		const unit = R.timeUnit(d3.max(rows, total) || 1);
		const x = d3.scaleLinear().domain([0, d3.max(rows, total) || 1]).range([bars.left, width - right]);
		const svg = R.svg(box, 'stages', width, height), figure = v => R.plain(v / unit[1]), ticks = R.ticks(x, 6, figure);
		svg.append('g').selectAll('line').data(ticks).join('line').attr('class', 'gridline').attr('x1', x).attr('x2', x).attr('y2', height - 36);
		svg.append('g').attr('class', 'axis').attr('transform', `translate(0,${height - 36})`)
			.call(d3.axisBottom(x).tickValues(ticks).tickFormat(figure).tickSizeOuter(0));
		R.caption(svg, `${paths.metric}, ${unit[0]}`, width - right, height - 2, width);
		rows.forEach((row, r) => {
			let before = 0;
			const g = svg.append('g').attr('transform', `translate(0,${line * r})`);
			bars.name(g.append('text').datum(row), R.label);
			for (const i of shown) {
				const time = paths.runs[row][which][i];
				g.append('rect').attr('class', 'stage').attr('x', x(before)).attr('y', bars.top + 4).attr('height', 18).attr('width', Math.max(0, x(before + time) - x(before)))
					.attr('fill', stageColor(paths.stages[i])).on('mousemove', () => R.tip(d3.event, paths.stages[i], [[R.label(row), ''], ['time', R.time(time)], ['of the whole', R.percent(time / total(row))]]))
					.on('mouseleave', R.hideTip);
				before += time;
			}
			g.append('text').attr('class', 'strong').attr('x', x(before) + 6).attr('y', bars.top + 17).text(R.time(before));
		});
	});
}

function drawWaterfall(parent, paths, which, first, second) {
	const a = paths.runs[first][which], b = paths.runs[second][which];
	let level = d3.sum(a);
	const bars = [{name: R.label(first), from: 0, to: level, whole: true}];
	paths.stages.forEach((stage, i) => {
		if (a[i] === b[i])
			return;
		bars.push({name: stage, from: level, to: level + b[i] - a[i], values: [a[i], b[i]]});
		level += b[i] - a[i];
	});
	bars.push({name: R.label(second), from: 0, to: d3.sum(b), whole: true});
	const box = R.h('div', {class: 'chart'});
	parent.append(box);
	R.fluid(box, width => {
		const rows = R.barRows(width, bars.map(c => c.whole ? R.bold(c.name) : c.name), 0.42, 27), line = rows.height, height = line * bars.length + 40, right = 96;
		const most = d3.max(bars, c => Math.max(c.from, c.to)) || 1, unit = R.timeUnit(most);
		const x = d3.scaleLinear().domain([Math.min(0, d3.min(bars, c => Math.min(c.from, c.to))), most]).range([rows.left, width - right]);
		const svg = R.svg(box, 'waterfall', width, height), figure = v => R.plain(v / unit[1]), ticks = R.ticks(x, 6, figure);
		const sign = c => (c.to > c.from ? '+' : '−') + R.time(Math.abs(c.to - c.from));
		svg.append('g').selectAll('line').data(ticks).join('line').attr('class', 'gridline').attr('x1', x).attr('x2', x).attr('y2', height - 36);
		svg.append('g').attr('class', 'axis').attr('transform', `translate(0,${height - 36})`)
			.call(d3.axisBottom(x).tickValues(ticks).tickFormat(figure).tickSizeOuter(0));
		R.caption(svg, `${paths.metric}, ${unit[0]}`, width - right, height - 2, width);
		const lines = svg.append('g').selectAll('g').data(bars).join('g').attr('transform', (c, i) => `translate(0,${line * i})`);
		rows.name(lines.append('text'), c => c.name, c => c.whole);
		lines.append('rect').attr('class', 'bar').attr('x', c => x(Math.min(c.from, c.to))).attr('y', rows.top + 4).attr('height', 19).attr('rx', 1)
			.attr('width', c => Math.max(1, Math.abs(x(c.to) - x(c.from)))).style('fill', c => c.whole ? 'var(--whole)' : c.to > c.from ? 'var(--more)' : 'var(--less)');
		lines.filter((c, i) => i < bars.length - 1).append('line').attr('class', 'rule').attr('x1', c => x(c.to)).attr('x2', c => x(c.to)).attr('y1', line - 4).attr('y2', line + rows.top + 4);
		lines.append('text').attr('class', 'strong').attr('x', c => x(Math.max(c.from, c.to)) + 6).attr('y', rows.top + 18).text(c => c.whole ? R.time(c.to) : sign(c));
		lines.append('rect').attr('width', width).attr('height', line).attr('fill', 'transparent')
			.on('mousemove', c => R.tip(d3.event, c.name, c.whole ? [['whole', R.time(c.to)]] : [[`run ${R.model.runs.run[first]}`, R.time(c.values[0])], [`run ${R.model.runs.run[second]}`, R.time(c.values[1])], ['difference', sign(c)]]))
			.on('mouseleave', R.hideTip);
	});
}

/* The pairs of runs that verdicts compare. */
function verdictPairs() {
	const pairs = [];
	for (const question of R.model.compare ? R.model.compare.questions : []) {
		const focus = question.contexts.find(c => c.context === question.focus);
		if (question.mechanism)
			pairs.push([R.rowOfRun(question.mechanism.first), R.rowOfRun(question.mechanism.second), `${question.question}: winner and runner-up`, 1]);
		else if (focus && focus.ranking.length > 1)
			pairs.push([R.rowOfRun(focus.ranking[0].run), R.rowOfRun(focus.ranking[focus.ranking.length - 1].run), `${question.question}: best and last`, 0]);
	}
	return pairs;
}

R.showPair = () => {};

/* The path that is shown first. For a single run it is that of the verdicts' statistic; between
 * runs it is the mean, as for the mechanism of a verdict. */
function firstPath() {
	const statistic = R.model.compare ? R.model.compare.statistic : 'p50';
	return whichPaths.some(([id]) => id === statistic) ? statistic : 'p50';
}

R.section('paths', 'Where the time goes', 'Stages', parent => {
	const all = R.model.paths, measured = R.rows.filter(row => all.some(p => p.runs[row]));
	if (measured.length === 0) {
		parent.append(R.h('p', {class: 'note'}, 'No run has operations whose path is known.'));
		return;
	}
	const pairs = verdictPairs(), stages = R.h('div'), falls = R.h('div'), choices = R.h('span', {class: 'controls', style: 'margin:0'});
	const start = pairs.filter(p => all[0].runs[p[0]] && all[0].runs[p[1]]).sort((a, b) => b[3] - a[3])[0] || [measured[0], measured[measured.length - 1]];
	let paths = all[0], which = firstPath(), between = 'mean', first = start[0], second = start[1];
	const draw = () => {
		stages.replaceChildren();
		drawStages(stages, paths, which);
		falls.replaceChildren();
		if (paths.runs[first] && paths.runs[second])
			drawWaterfall(falls, paths, between, first, second);
		else
			falls.append(R.h('p', {class: 'note'}, 'One of these runs has no such operation.'));
	};
	const labels = measured.map(row => [row, R.label(row)]);
	const choose = () => choices.replaceChildren(
		...(pairs.length ? [R.choice('pair', [['', 'other']].concat(pairs.map((p, i) => [i, p[2]])), pairs.findIndex(p => p[0] === first && p[1] === second), value => {
			if (value !== '')
				[first, second] = pairs[value];
			choose();
			draw();
		})] : []),
		R.choice('from', labels, first, value => { first = Number(value); choose(); draw(); }),
		R.choice('to', labels, second, value => { second = Number(value); choose(); draw(); }));
	R.showPair = (a, b) => {
		[first, second] = [a, b];
		choose();
		draw();
	};
	parent.append(R.h('p', {class: 'note'}, 'The critical path from the call back to the event that the caller waited for. ', R.model.file.world === 'native'
		? 'It is split at the points where the last device has passed, so some stages hold several things: host copy includes waiting for room in the issue queue, packetizer waiting for credits, dispatch waiting for what ran before.'
		: 'Each stage is one kind of work, or of waiting for others.'));
	parent.append(R.h('div', {class: 'controls'},
		R.choice('measured', all.map((p, i) => [i, `${p.kind}: ${p.metric}`]), 0, value => { paths = all[value]; draw(); })));
	parent.append(R.h('h3', {}, 'Stages of the chosen runs'), R.h('div', {class: 'controls'},
		R.choice('path', whichPaths, which, value => { which = value; draw(); })), stages);
	if (measured.length > 1)
		parent.append(R.h('h3', {}, 'From one run to another'), R.h('div', {class: 'controls'},
			R.choice('path of both', whichPaths, between, value => { between = value; draw(); }), choices), falls);
	choose();
	draw();
	R.onSelect.push(draw);
});
