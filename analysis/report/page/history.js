/* The page of `meshsim history`: figures over a series of result files, one chart for each scenario
 * and figure; and the figures that moved between two files, with the cause. All judgements are in
 * the model. */
'use strict';

(() => {
	const history = R.model.history, files = history.files;
	/* files are named by their commits if neighbours have different ones */
	const byCommit = files.every((f, i) => f.commit && (i === 0 || files[i - 1].commit !== f.commit));
	const short = file => byCommit ? file.commit.slice(0, 8) : file.name.replace(/\.h5$/, '').slice(-12);
	const day = file => file.created.slice(0, 10);
	const value = (figure, v) => figure === 'throughput' ? `${R.digits(v)} /s` : R.time(v);
	const signed = v => (v > 0 ? '+' : '−') + R.percent(Math.abs(v), Math.abs(v) < 0.001 ? 3 : 1);
	/* an axis covers at least this share of the figure, so that smaller changes look flat */
	const SPAN = 0.02, AXIS_DIGITS = 5;
	const moved = cause => cause ? `${cause.name} ${cause.moved > 0 ? '+' : '−'}${R.time(Math.abs(cause.moved))}` : '–';
	const plural = (n, what) => `${n} ${what}${n === 1 ? '' : 's'}`;

	document.getElementById('head').append(R.h('div', {}, R.h('h1', {}, 'History'),
		R.h('p', {class: 'meta'}, `${plural(files.length, 'result file')} of ${plural(history.scenarios.length, 'scenario')}`,
			history.left_out ? ` · the last by name; ${history.left_out} before them were left out` : '',
			history.unread ? ` · ${plural(history.unread, 'file')} could not be read` : '')));

	const stepsOf = scenario => history.steps.filter(s => s.to >= scenario.first && s.to < scenario.first + scenario.files);

	/* Draws a table of steps between two files, grouped by their cause: the constant or the
	 * stage that moved most. */
	function drawCauses(parent, steps) {
		const groups = new Map();
		for (const step of steps) {
			const cause = step.constant || step.stage, key = `${step.to}\n${cause ? cause.name : ''}`;
			const group = groups.get(key) || {to: step.to, from: step.from, cause, figures: 0, runs: new Set(), most: 0};
			group.figures++;
			group.runs.add(step.run);
			if (Math.abs(step.new / step.old - 1) > Math.abs(group.most))
				group.most = step.new / step.old - 1;
			if (cause && Math.abs(cause.moved) > Math.abs(group.cause.moved))
				group.cause = cause;
			groups.set(key, group);
		}
		if (groups.size === 0) {
			parent.append(R.h('p', {}, 'Nothing moved by more than chance.'));
			return;
		}
		parent.append(R.table([
			{head: 'from', cell: g => files[g.from].name}, {head: 'to', cell: g => files[g.to].name}, {head: 'commit', cell: g => files[g.to].commit},
			{head: 'what it is charged for', cell: g => moved(g.cause)}, {head: 'figures', number: true, cell: g => g.figures},
			{head: 'runs', number: true, cell: g => g.runs.size}, {head: 'most', number: true, cell: g => signed(g.most)}],
		Array.from(groups.values()).sort((a, b) => a.to - b.to || b.figures - a.figures)));
	}

	function drawChart(parent, scenario, chart, number) {
		const steps = stepsOf(scenario).filter(s => s.kind === chart.kind && s.figure === chart.figure);
		const places = d3.range(scenario.files), name = `${chart.kind} ${chart.figure === 'throughput' ? '' : chart.metric + ' '}${chart.figure}`;
		const stepOf = (run, place) => steps.find(s => s.run === run && s.to === scenario.first + place);
		const lines = scenario.runs.map((run, i) => ({name: run, color: `var(--c${i % 8})`, dash: ['', '7 4', '2 3', '9 3 2 3'][Math.floor(i / 8) % 4], dots: true, radius: 2.5,
			points: places.filter(p => chart.values[i] && chart.values[i][p] !== null).map(p => [p, chart.values[i][p], run])})).filter(l => l.points.length);
		const rings = lines.map(l => ({name: l.name + ' moved', quiet: true, color: l.color, kind: 'points', hollow: true, radius: 6.5, points: l.points.filter(p => stepOf(p[2], p[0]))}));
		if (lines.length === 0)
			return;
		const most = d3.max(lines, l => d3.max(l.points, p => p[1])), unit = R.timeUnit(most);
		parent.append(R.h('h3', {}, name));
		R.chart(parent, {name: `history-${scenario.first}-${number}`, height: 260, series: lines.concat(rings),
			x: {label: 'result files, in order', ticks: places, format: p => short(files[scenario.first + p])},
			y: {label: chart.figure === 'throughput' ? '1/s' : unit[0], nice: true, span: SPAN, format: v => R.plain(chart.figure === 'throughput' ? v : v / unit[1], AXIS_DIGITS)},
			tip: (s, p) => {
				const file = files[scenario.first + p[0]], step = stepOf(p[2], p[0]);
				return [p[2], [[chart.figure, value(chart.figure, p[1])], ['file', file.name], ['commit', file.commit], ['made', day(file)]].concat(step
					? [['moved', `${signed(step.new / step.old - 1)} (95 %: ${R.percent(step.low)} to ${R.percent(step.high)})`], ['stage', moved(step.stage)], ['charged', moved(step.constant)]] : [])];
			}});
	}

	const main = document.getElementById('main');
	main.replaceChildren();
	for (const scenario of history.scenarios) {
		const box = R.h('section', {id: `scenario-${scenario.first}`}, R.h('h2', {}, scenario.scenario)), steps = stepsOf(scenario);
		main.append(box);
		document.getElementById('nav').append(R.h('a', {href: `#scenario-${scenario.first}`}, scenario.scenario));
		box.append(R.h('p', {class: 'meta'}, `${plural(scenario.files, 'file')}, ${plural(scenario.runs.length, 'run')}${scenario.more_runs ? `; ${scenario.more_runs} more are not drawn` : ''}. A ring marks what moved by more than chance.`));
		drawCauses(box, steps);
		scenario.charts.forEach((chart, i) => drawChart(box, scenario, chart, i));
		if (steps.length > 0)
			box.append(R.h('details', {}, R.h('summary', {}, `all ${plural(steps.length, 'figure')} that moved`), R.table([
				{head: 'to', cell: s => files[s.to].name}, {head: 'run', cell: s => s.run}, {head: 'figure', cell: s => `${s.kind} ${s.metric} ${s.figure}`},
				{head: 'before', number: true, cell: s => value(s.figure, s.old)}, {head: 'now', number: true, cell: s => value(s.figure, s.new)},
				{head: 'moved', number: true, cell: s => signed(s.new / s.old - 1)}, {head: 'stage', cell: s => moved(s.stage)}, {head: 'charged', cell: s => moved(s.constant)}], steps, 480)));
	}
	if (history.more_steps)
		main.append(R.h('p', {class: 'note'}, 'More figures moved than were looked into.'));
})();
