/* Latencies: the distribution of one kind and metric for the chosen runs, with the range of all
 * other runs in the background; percentiles of all runs in a table. */

/* The points of a distribution: a value, and the share of operations that take at most (`tail`: at
 * least) this long. */
function curve(distribution, tail) {
	const n = distribution.n, ranks = distribution.r || d3.range(1, n + 1);
	return distribution.v.map((v, i) => [v, tail ? (n - ranks[i] + 1) / n : ranks[i] / n]);
}

/* The least and the greatest value over all runs, at some shares of operations. */
function range(runs, tail) {
	const shares = d3.range(1, 41).map(i => i / 40);
	return shares.map(share => {
		const values = runs.map(run => {
			const points = curve(run, false);
			return points[Math.min(points.length - 1, d3.bisector(p => p[1]).left(points, share - 1e-9))][0];
		});
		return [d3.min(values), d3.max(values), tail ? 1 - share + 0.025 : share];
	});
}

function drawDistribution(parent, distribution, tail, log) {
	const known = R.rows.filter(row => distribution.runs[row]);
	const shown = R.selected.filter(row => distribution.runs[row]);
	const most = d3.max(shown, row => distribution.runs[row].v[distribution.runs[row].v.length - 1]) || 1;
	const unit = R.timeUnit(most);
	const series = shown.map((row, i) => {
		const look = R.look(row, i);
		return {name: R.label(row), color: look.color, dash: look.dash, kind: 'step', row,
			points: [[distribution.runs[row].v[0] / unit[1], tail ? 1 : 0]].concat(curve(distribution.runs[row], tail).map(p => [p[0] / unit[1], p[1]]))};
	});
	if (known.length > shown.length + 1) {
		const bounds = range(known.map(row => distribution.runs[row]), tail);
		for (const end of [0, 1])
			series.unshift({name: 'all runs', quiet: true, thin: true, kind: 'step', color: 'var(--faint)', points: bounds.map(b => [b[end] / unit[1], b[2]])});
	}
	if (tail)
		series.forEach(s => { s.points = s.points.filter(p => p[1] > 0); });
	R.chart(parent, {name: 'distribution', height: 380, series,
		x: {label: `${R.metricTitle(distribution.kind, distribution.metric)}, ${unit[0]}${log ? ' (logarithmic)' : ''}`, log: log ? 10 : 0, format: R.plain},
		y: tail ? {label: 'share of operations that take at least so long', log: 10, format: v => R.plain(100 * v) + ' %'}
			: {label: 'share of operations that take at most so long', zero: true, most: 1, format: v => Math.round(100 * v) + ' %'},
		tip: (s, p) => {
			const d = distribution.runs[s.row];
			return [s.name, [[distribution.metric, R.time(p[0] * unit[1])], [tail ? 'share at or above' : 'share at or below', R.percent(p[1], 1)], ['operations', d.n]]];
		}});
	if (known.length > shown.length + 1)
		parent.append(R.h('p', {class: 'note'}, `Thin grey lines: least and greatest of all ${known.length} runs. The table below chooses which runs are drawn.`));
}

R.section('latency', 'Latency', 'Latency', parent => {
	const all = R.model.distributions;
	if (all.length === 0) {
		parent.append(R.h('p', {class: 'note'}, 'No operation was measured.'));
		return;
	}
	const spread = d => d3.max(d.runs.filter(r => r), r => r.v[r.v.length - 1]) / Math.max(1, d3.min(d.runs.filter(r => r), r => r.v[0]));
	let at = 0, tail = false, log = spread(all[0]) > 20;
	const area = R.h('div');
	const again = () => {
		area.replaceChildren();
		drawDistribution(area, all[at], tail, log);
	};
	parent.append(R.h('p', {class: 'note'}, 'Drag over a chart to zoom, double click to see all of it; a click on a name hides its line.'));
	parent.append(R.h('div', {class: 'controls'},
		R.choice('measured', all.map((d, i) => [i, `${d.kind}: ${d.metric}`]), at, value => {
			at = Number(value);
			again();
		}),
		R.tick('tail', tail, value => { tail = value; again(); }),
		R.tick('logarithmic time', log, value => { log = value; again(); })), area);
	again();
	R.onSelect.push(again);
	parent.append(R.h('h3', {}, 'Percentiles'));
	R.runsTable(parent);
});
