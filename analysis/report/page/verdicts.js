/* Verdicts: one card for each question with the answer of `meshsim compare`, and the time of all
 * runs against their host CPU. All judgements come from `compare`. */

const outcomes = {
	wins: ['wins', '✓ decided'], depends: ['depends', '⇄ depends'], 'trade-off': ['depends', '⇅ trade-off'],
	undecided: ['undecided', '? undecided'], fragile: ['fragile', '! fragile'],
	conditional: ['conditional', '◐ decided for'],
};

const metricWords = {
	completion: 'time from the call until the host knew of the end',
	interval: 'steady time between completions',
	transfer: 'time of 1 MiB',
	throughput: 'steady time between completions',
	makespan: 'first call to last completion',
	host_cpu: 'time of host threads on cores, by operation',
	round: 'time from a call to the next call of the same step',
	latency: 'time from the call until the host saw the end',
	host: 'time the call held its thread',
	reach: 'time from the call to the go signal on the last chip',
	done: 'time from the call until the last chip was done',
	skew: 'time between the first and the last chip',
};

R.metricWords = metric => metricWords[metric] || metric;
R.compared = () => (R.model.compare.statistic === 'whole' ? '' : R.model.compare.statistic + ' ') + R.model.compare.metric;
R.metricTitle = (kind, metric) => `${metric} of ${kind}`;

/* The options of one context: how much worse each is than the best, with the 95 % interval. */
function marginChart(parent, context, question) {
	const most = 14, entries = context.ranking.filter(e => e.margin !== null).slice(0, most);
	if (!entries.length)
		return;
	const name = e => isNaN(R.keyNumber(e.option)) ? R.optionLabel(e.label || e.option) : `${R.shortKey(question)}=${e.option}`;
	const box = R.h('div', {class: 'chart'});
	parent.append(box);
	R.fluid(box, width => {
		const bars = R.barRows(width, entries.map(e => e.tied ? R.bold(name(e)) : name(e)), 0.38, 30);
		const row = bars.height, middle = bars.top + 15, top = 8, height = top + row * entries.length + 44, right = 92;
		const factors = (d3.max(entries, e => e.high === null ? e.margin : e.high) || 0) >= 1;
		const percents = v => factors ? R.plain(1 + v) : R.plain(100 * v) + ' %';
		const svg = R.svg(box, 'margins', width, height);
		const [low, high] = [e => e.low === null ? e.margin : e.low, e => e.high === null ? e.margin : e.high];
		const x = d3.scaleLinear().domain([Math.min(0, d3.min(entries, low)), d3.max(entries, high) || 0.01])
			.range([bars.left + 6, width - right - 10]);
		const ticks = R.ticks(x, 5, percents);
		svg.append('g').selectAll('line').data(ticks).join('line').attr('class', 'gridline')
			.attr('x1', x).attr('x2', x).attr('y1', top).attr('y2', height - 40);
		svg.append('g').attr('class', 'axis').attr('transform', `translate(0,${height - 40})`)
			.call(d3.axisBottom(x).tickValues(ticks).tickFormat(percents).tickSizeOuter(0));
		R.caption(svg, factors ? 'times as long as the best, with 95 % interval' : 'longer than the best, with 95 % interval', width - right, height - 4, width);
		const lines = svg.append('g').selectAll('g').data(entries).join('g')
			.attr('transform', (e, i) => `translate(0,${top + row * i})`);
		const color = e => e.tied ? 'var(--c2)' : 'var(--c0)';
		bars.name(lines.append('text'), name, e => e.tied);
		lines.append('line').attr('x1', e => x(low(e))).attr('x2', e => x(high(e))).attr('y1', middle).attr('y2', middle).attr('stroke-width', 3)
			.attr('stroke-opacity', 0.45).style('stroke', color);
		lines.append('circle').attr('cx', e => x(e.margin)).attr('cy', middle).attr('r', 5).style('fill', color);
		lines.append('text').attr('class', 'strong').attr('x', width).attr('y', middle).attr('dy', '.35em').attr('text-anchor', 'end')
			.text(e => R.time(e.value));
		lines.append('rect').attr('width', width).attr('height', row).attr('fill', 'transparent')
			.on('mousemove', e => R.tip(d3.event, name(e), [['run', e.run], ['value', R.time(e.value)],
				['beside the best', e.words || 'it is the best']]))
			.on('mouseleave', R.hideTip);
	});
	if (context.ranking.length > most)
		parent.append(R.h('p', {class: 'note'}, `The best ${most} of ${context.ranking.length} options.`));
}

/* `listed`: items whose parts are names. `sentences`: items whose parts are sentences. */
const listed = ['ranking', 'front', 'for', 'rests on'], sentences = ['but then', 'fails', 'but', 'elsewhere', 'flips'];

/* Details that the page shows below an item, and for which the terminal has no room. */
const details = {
	mechanism: question => question.mechanism && R.h('a', {href: '#paths', onclick: () => R.showPair(R.rowOfRun(question.mechanism.first), R.rowOfRun(question.mechanism.second))},
		`runs ${question.mechanism.first} and ${question.mechanism.second} stage by stage`),
	robust: question => {
		const rows = question.robust.cases.slice().sort((a, b) => (a.margin === null) - (b.margin === null) || a.margin - b.margin);
		return R.h('details', {}, R.h('summary', {}, `all ${rows.length} margins`), R.table([
			{head: 'with', cell: c => c.with}, {head: 'then', cell: c => c.words}], rows, 300));
	},
	'rests on': question => question.rests_on.length < 2 ? null : R.h('details', {}, R.h('summary', {}, `all ${question.rests_on.length} constants`), R.table([
		{head: 'constant', cell: c => R.h('code', {}, c.constant)}, {head: 'value', number: true, cell: c => `${c.value} ${c.unit}`},
		{head: 'kind', cell: c => R.h('span', {class: 'kind ' + c.kind}, c.kind)}, {head: '30 % of it moves the margin', cell: c => c.words}], question.rests_on, 300)),
};

/* All parts of an item, in the words of the terminal. */
function itemContent(question, item) {
	const words = listed.includes(item.item) ? item.parts.map(p => R.h('span', {class: 'chip'}, p))
		: sentences.includes(item.item) ? R.h('ul', {class: 'sides'}, item.parts.map(p => R.h('li', {}, p)))
			: R.h('div', {}, item.parts.join('; '));
	return [words, details[item.item] ? details[item.item](question) : null];
}

/* The badge of a verdict. If the verdict rests on choices, it says for which values it is
 * decided, or for which values equal options are equal. */
function badge(question) {
	const [name, text] = outcomes[question.outcome];
	const broken = question.choices.filter(c => c.trials.some(t => t.breaks));
	const rests = question.outcome === 'conditional' ? broken : question.outcome === 'wins' ? question.choices.slice(0, 1) : [];
	const named = choices => choices.map(c => `${c.key.split('.').pop()}: ${c.value}`).join(', ');
	const words = named(rests), equal = question.outcome === 'undecided' ? named(question.choices.slice(0, 1)) : '';
	if (equal)
		return R.h('span', {class: 'badge ' + name}, `${text}: equal for ${broken.length ? named(broken) : equal}`);
	return R.h('span', {class: 'badge ' + name}, words ? (name === 'conditional' ? `${text} ${words}` : `${text} for ${words}`) : text);
}

/* A table with a row for each context and a column for each option. */
function contextTable(question) {
	const options = Array.from(new Set(question.contexts.flatMap(c => c.ranking.map(e => e.option)))).slice(0, 12);
	const most = 200, rows = question.contexts.slice(0, most);
	const unit = R.timeUnit(d3.max(rows.flatMap(c => c.ranking), e => e.value) || 1);
	const table = R.table([{head: 'at', cell: c => c.context || 'everywhere'}].concat(options.map(option => ({
		head: R.optionLabel(option), unit: unit[0], number: true, cell: c => {
			const entry = c.ranking.find(e => e.option === option);
			if (!entry)
				return '–';
			const first = entry === c.ranking[0];
			return [first && !(c.ranking[1] || {}).tied ? 'best' : entry.tied ? 'tied' : '',
				R.digits(entry.value / unit[1]) + (first ? (c.ranking[1] || {}).tied ? ' ≈' : ' ✓' : entry.tied ? ' ≈' : '')];
		},
	}))), rows, 420);
	return R.h('details', {}, R.h('summary', {}, `all ${question.contexts.length} contexts`), table,
		R.h('p', {class: 'note'}, '✓ wins alone; ≈ shares the first place: the interval of the difference holds 0, or it is below 1 %.',
			question.contexts.length > most ? ` The first ${most} are listed.` : ''));
}

function card(question) {
	const focus = question.contexts.find(c => c.context === question.focus) || question.contexts[0];
	const left = R.h('div', {}), facts = R.h('dl', {class: 'facts'});
	const fact = (head, content) => {
		if (content && (!Array.isArray(content) || content.length))
			facts.append(R.h('dt', {}, head), R.h('dd', {}, content));
	};
	if (focus && focus.ranking.length > 1) {
		left.append(R.h('div', {class: 'note'}, focus.context ? `at ${focus.context}` : 'the only context'));
		marginChart(left, focus, question.question);
	}
	for (const item of question.items)
		fact(item.item[0].toUpperCase() + item.item.slice(1), itemContent(question, item));
	if (question.outcome === 'wins' && !question.robust)
		fact('Robust', R.h('span', {class: 'note'}, 'not tried; ', R.h('code', {}, 'meshsim report --robust'), ' tries it with other costs and network models'));
	return R.h('div', {class: 'card', 'data-outcome': question.outcome},
		R.h('h3', {}, R.h('code', {}, question.question), question.subject === R.model.compare.kind ? '' : ` of ${question.subject} `, badge(question)),
		R.h('p', {class: 'verdict'}, question.verdict),
		R.h('div', {class: 'body'}, left, facts),
		question.contexts.length > 1 ? contextTable(question) : null);
}

/* Time against host CPU. A line connects the runs that no other run beats in both. */
function trade(parent) {
	const points = R.points().filter(p => p.host_cpu > 0).map(p => ({...p, row: R.rowOfRun(p.run)}));
	if (points.length === 0)
		return;
	parent.append(R.h('h3', {}, 'Time against host CPU'), R.h('p', {class: 'note'}, 'Each point is a run, seeds taken together; left and low is good. Points on the dashed line are beaten by none in both.'));
	const sorted = points.slice().sort((a, b) => d3.ascending(a.value, b.value) || d3.ascending(a.host_cpu, b.host_cpu));
	let least = Infinity;
	const best = sorted.filter(p => p.host_cpu < least && ((least = p.host_cpu), true));
	const unit = R.timeUnit(d3.max(points, p => p.value)), cpu = R.timeUnit(d3.max(points, p => p.host_cpu) || 1);
	const groups = d3.nest().key(p => JSON.stringify(R.groupLook(p.row))).entries(points);
	const series = groups.map(g => ({name: g.key, color: JSON.parse(g.key).color, hollow: JSON.parse(g.key).dash !== '', kind: 'points', radius: points.length > 100 ? 3.5 : 6,
		points: g.values.map(p => [p.value / unit[1], p.host_cpu / cpu[1], p])}));
	series.forEach(s => { s.name = groupName(s.points.map(p => p[2].row)); });
	if (best.length > 1)
		series.unshift({name: 'front', color: 'var(--faint)', dash: '4 3', quiet: true,
			points: best.map(p => [p.value / unit[1], p.host_cpu / cpu[1], p])});
	const spread = d3.max(points, p => p.value) / Math.max(1, d3.min(points, p => p.value));
	const ratio = d3.max(points, p => p.host_cpu) / Math.max(1, d3.min(points, p => p.host_cpu));
	R.chart(parent, {name: 'trade', height: 320, series,
		x: {label: `${R.compared()}, ${unit[0]}${spread > 20 ? ' (logarithmic)' : ''}`, log: spread > 20 ? 10 : 0, format: R.plain},
		y: {label: `host CPU per operation, ${cpu[0]}${ratio > 20 ? ' (logarithmic)' : ''}`, log: ratio > 20 ? 10 : 0, zero: ratio <= 20, format: R.plain},
		tip: (s, p) => [R.label(p[2].row), [[R.model.compare.metric, R.time(p[2].value)], ['host CPU per operation', R.time(p[2].host_cpu)],
			['throughput', R.count(p[2].throughput) + ' /s']]]});
}

/* The values that all runs of one colour have in common. */
function groupName(rows) {
	const same = d3.range(R.model.keys.length).filter(i => rows.every(row => R.model.runs.keys[i][row] === R.model.runs.keys[i][rows[0]]));
	const values = same.map(i => R.model.runs.keys[i][rows[0]]);
	return R.keysLabel(same.map(i => R.model.keys[i]), values) || 'all runs';
}

R.section('verdicts', 'Verdicts', 'Verdicts', parent => {
	const compare = R.model.compare;
	if (!compare) {
		parent.append(R.h('p', {class: 'note'}, `No verdict: ${R.model.compare_why}.`));
		return;
	}
	parent.append(R.h('p', {class: 'note'}, `Compared: ${compare.statistic === 'whole' ? '' : compare.statistic + ' of '}${R.metricTitle(compare.kind, compare.metric)} (${R.metricWords(compare.metric)}), since ${compare.reason}. `,
		`Intervals hold 95 %: between seeds, paired, or with one seed between its operations, and then other seeds may differ by more; figures that a run has one of have none then; below ${R.percent(compare.tie_band, 0)} designs are equal.`));
	parent.append(...compare.questions.map(card));
	trade(parent);
});
