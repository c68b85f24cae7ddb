/* Throughput of the chosen runs, and figures over swept keys that are numbers. Marks the values at
 * which another design becomes the best. */

function throughputBars(parent) {
	const kind = R.model.kinds.find(k => k.kind === R.model.kind);
	/* the throughput of operations that move data is in bytes */
	const moves = kind && kind.bandwidth && kind.bandwidth.some(v => v > 0), value = row => moves ? kind.bandwidth[row] / 1e9 : kind.throughput[row];
	const rows = R.selected.filter(row => kind && value(row) > 0);
	if (rows.length === 0) {
		parent.append(R.h('p', {class: 'note'}, 'No run has a throughput.'));
		return;
	}
	const box = R.h('div', {class: 'chart'});
	parent.append(box);
	R.fluid(box, width => {
		const bars = R.barRows(width, rows.map(R.label), 0.45, 24), line = bars.height, height = line * rows.length + 34;
		const svg = R.svg(box, 'throughput', width, height);
		const x = d3.scaleLinear().domain([0, d3.max(rows, value)]).range([bars.left, width - 80]);
		const lines = svg.append('g').selectAll('g').data(rows).join('g').attr('transform', (row, i) => `translate(0,${line * i})`);
		bars.name(lines.append('text'), R.label);
		lines.append('rect').attr('x', x(0)).attr('y', bars.top + 4).attr('height', 16).attr('rx', 2)
			.attr('width', row => x(value(row)) - x(0)).style('fill', (row, i) => R.look(row, i).color)
			.attr('fill-opacity', (row, i) => R.look(row, i).dash ? 0.55 : 1);
		lines.append('text').attr('class', 'strong').attr('x', row => x(value(row)) + 6).attr('y', bars.top + 16).text(row => R.digits(value(row)));
		lines.append('rect').attr('width', width).attr('height', line).attr('fill', 'transparent')
			.on('mousemove', row => R.tip(d3.event, R.label(row), [[moves ? 'bandwidth' : 'throughput', R.digits(value(row)) + (moves ? ' GB/s' : ' /s')], ['operations', kind.count[row]]]))
			.on('mouseleave', R.hideTip);
		R.caption(svg, `${R.model.kind}${moves ? ', GB' : ''} per ${R.model.file.world === 'native' ? '' : 'simulated '}second`, width - 80, height - 8, width);
	});
}

/* Swept keys with at least two numbers; the key with the most numbers comes first. */
function numericKeys() {
	const numbers = i => new Set(R.model.runs.keys[i].map(R.keyNumber).filter(v => !isNaN(v))).size;
	return d3.range(R.model.keys.length).filter(i => numbers(i) > 1).sort((a, b) => numbers(b) - numbers(a));
}

const SERIES_MOST = 10;

/* The values of the winner. Keys are fixed at them at first, so that there are not too many
 * lines. */
function firstFixed(key, points) {
	const fixed = {};
	const others = R.model.keys.filter(k => k !== key);
	const lines = () => new Set(points.filter(p => others.every(k => !(k in fixed) || p.keys[k] === fixed[k])).map(p => others.map(k => p.keys[k]).join('\n'))).size;
	const best = points.slice().sort((a, b) => a.value - b.value)[0];
	const questions = R.model.compare.questions.map(q => q.question);
	const order = others.slice().sort((a, b) => questions.some(q => a.startsWith(q)) - questions.some(q => b.startsWith(q)));
	for (const k of order)
		if (lines() > SERIES_MOST)
			fixed[k] = best.keys[k];
	return fixed;
}

const figures = [['value', null], ['p50', 'p50'], ['p90', 'p90'], ['p99', 'p99'], ['throughput', 'throughput'], ['host_cpu', 'host CPU per operation']];

function scalingSeries(points, key, fixed, figure, unit) {
	const others = R.model.keys.filter(k => k !== key);
	const taken = points.filter(p => others.every(k => !(k in fixed) || p.keys[k] === fixed[k]));
	const groups = d3.nest().key(p => others.map(k => p.keys[k]).join('\n')).entries(taken);
	const varying = others.filter(k => new Set(taken.map(p => p.keys[k])).size > 1);
	const lines = groups.map(g => ({values: g.values.map(p => [R.keyNumber(p.keys[key]), p[figure] / unit, p]).filter(p => !isNaN(p[0])).sort((a, b) => a[0] - b[0]), first: g.values[0]}))
		.filter(g => g.values.length > 0 && g.values.some(p => p[1] !== undefined));
	const rules = groups.map(g => g.values[0]).filter(p => isNaN(R.keyNumber(p.keys[key])));
	const extent = d3.extent(lines.flatMap(l => l.values.map(p => p[0])));
	const name = p => R.keysLabel(varying, varying.map(k => p.keys[k])) || key;
	const series = lines.map((l, i) => ({name: name(l.first), color: `var(--c${i % 8})`, dash: i < 8 ? '' : '7 4', dots: true, points: l.values}));
	rules.forEach((p, i) => series.push({name: `${name(p)} (no ${R.shortKey(key)})`, color: `var(--c${(lines.length + i) % 8})`, dash: '2 4',
		points: extent.map(at => [at, p[figure] / unit, p])}));
	return series.slice(0, 24);
}

/* The highest rate before the first rate that saturates each design. */
function knees(series, key) {
	const found = new Map();
	for (const s of key.endsWith('rate_per_s') ? series : []) {
		const first = s.points.findIndex(p => p[2].saturated);
		if (first > 0)
			found.set(s.points[first - 1][0], (found.get(s.points[first - 1][0]) || []).concat(s.name));
	}
	return Array.from(found, ([at, names]) => ({at, label: `${names.length === series.length ? 'knee' : 'knee of ' + names.join(' and ')} at ${R.digits(at, 3)}`}));
}

function drawScaling(parent, key, fixed, figure) {
	const points = R.points();
	const isTime = figure !== 'throughput';
	const unit = isTime ? R.timeUnit(d3.median(points, p => p[figure]) || 1) : ['1/s', 1];
	const series = scalingSeries(points, key, fixed, figure, unit[1]);
	const xs = Array.from(new Set(series.flatMap(s => s.points.map(p => p[0])))).sort(d3.ascending);
	const log = xs.length > 2 && xs[0] > 0 && xs[xs.length - 1] / xs[0] >= 8;
	const ys = series.flatMap(s => s.points.map(p => p[1]));
	const yLog = d3.min(ys) > 0 && d3.max(ys) / d3.min(ys) > 30;
	const marks = R.model.compare.questions.flatMap(q => q.crossovers).filter(c => c.key === key && (c.refined || !c.saturated))
		.filter(c => Object.entries(fixed).every(([k, v]) => !c.context.includes(k + '=') || c.context.split(', ').includes(`${k}=${v}`)))
		.map(c => ({at: c.at, label: `${R.optionLabel(c.below)} → ${R.optionLabel(c.above)} at ${R.digits(c.at, 3)}${c.context ? ' (' + c.context.split(', ').map(t => t.slice(t.indexOf('=') + 1)).join(', ') + ')' : ''}`}));
	const turns = knees(series, key);
	R.chart(parent, {name: 'scaling', height: 380, series, marks: (isTime && (figure === 'value' || figure === 'p50') ? marks : []).concat(turns),
		x: {label: key + (points.some(p => p.keys[key].startsWith('[')) ? ', product' : '') + (log ? ' (logarithmic)' : ''), log: log ? 2 : 0, ticks: xs.length <= 14 ? xs : null, format: R.size},
		y: {label: isTime ? `${figureName(figure)}, ${unit[0]}${yLog ? ' (logarithmic)' : ''}` : `throughput, 1/s${yLog ? ' (logarithmic)' : ''}`, log: yLog ? 10 : 0, zero: !yLog, nice: !yLog, format: v => isTime ? R.plain(v) : R.count(v)},
		tip: (s, p) => [s.name, [[key, p[2].keys[key]], ['run', p[2].run], [figureName(figure), isTime ? R.time(p[1] * unit[1]) : R.digits(p[1]) + ' /s'],
			['p50 … p99', `${R.time(p[2].p50)} … ${R.time(p[2].p99)}`], ['throughput', R.digits(p[2].throughput) + ' /s']]]});
	if (series.length === 24)
		parent.append(R.h('p', {class: 'note'}, 'The first 24 lines are drawn; fix more keys above.'));
	if (turns.length)
		parent.append(R.h('p', {class: 'note'}, 'Knee: the highest rate of those tried that a design keeps up with; behind it more arrives than goes, and latency grows for as long as that lasts.'));
	if (marks.length && isTime)
		parent.append(R.h('p', {class: 'note'}, 'Dashed lines: where the winner changes, from the verdicts above.'));
}

function figureName(figure) {
	const found = figures.find(f => f[0] === figure);
	return figure === 'value' ? R.compared() : figure.startsWith('p') ? `${figure} ${R.model.compare.metric}` : found[1];
}

R.section('scaling', 'Throughput and scaling', 'Scaling', parent => {
	const bars = R.h('div'), keys = numericKeys();
	const again = () => {
		bars.replaceChildren();
		throughputBars(bars);
	};
	parent.append(R.h('h3', {}, 'Throughput'), bars);
	again();
	R.onSelect.push(again);
	parent.append(R.h('h3', {}, 'Scaling'));
	if (keys.length === 0 || !R.model.compare) {
		parent.append(R.h('p', {class: 'note'}, 'No number is swept in this file, so there is nothing to scale with.'));
		return;
	}
	const area = R.h('div'), fixers = R.h('span', {class: 'controls', style: 'margin:0'});
	const points = R.points();
	let key, fixed, figure = 'value';
	const draw = () => {
		area.replaceChildren();
		drawScaling(area, key, fixed, figure);
	};
	const choose = name => {
		key = name;
		fixed = firstFixed(key, points);
		fixers.replaceChildren(...R.model.keys.filter(k => k !== key).map(k => {
			const values = Array.from(new Set(points.map(p => p.keys[k])));
			return R.choice(R.shortKey(k), [['*', 'all']].concat(values.map(v => ['=' + v, v])), k in fixed ? '=' + fixed[k] : '*', value => {
				if (value === '*')
					delete fixed[k];
				else
					fixed[k] = value.slice(1);
				draw();
			});
		}));
		draw();
	};
	parent.append(R.h('div', {class: 'controls'},
		R.choice('over', keys.map(i => [R.model.keys[i], R.model.keys[i]]), R.model.keys[keys[0]], choose),
		R.choice('figure', figures.map(([id]) => [id, figureName(id)]), figure, value => { figure = value; draw(); }), fixers), area);
	choose(R.model.keys[keys[0]]);
});
