/* Verdicts: one card per question, as `meshsim compare` answered it, and time against host CPU of
 * all runs. Adds no judgement of its own. */

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

/* Options of one context: how much worse than the best, with the 95 % interval. */
function marginChart(parent, context, question) {
	const most = 14, entries = context.ranking.slice(0, most);
	const name = e => isNaN(R.keyNumber(e.option)) ? R.optionLabel(e.label || e.option) : `${R.shortKey(question)}=${e.option}`;
	const box = R.h('div', {class: 'chart'});
	parent.append(box);
	R.fluid(box, width => {
		const bars = R.barRows(width, entries.map(e => e.tied ? R.bold(name(e)) : name(e)), 0.38, 30);
		const row = bars.height, middle = bars.top + 15, top = 8, height = top + row * entries.length + 44, right = 92;
		const percents = v => R.plain(100 * v) + ' %';
		const svg = R.svg(box, 'margins', width, height);
		const [low, high] = [e => e.low === null ? e.margin : e.low, e => e.high === null ? e.margin : e.high];
		const x = d3.scaleLinear().domain([Math.min(0, d3.min(entries, low)), d3.max(entries, high) || 0.01])
			.range([bars.left + 6, width - right - 10]);
		const ticks = R.ticks(x, 5, percents);
		svg.append('g').selectAll('line').data(ticks).join('line').attr('class', 'gridline')
			.attr('x1', x).attr('x2', x).attr('y1', top).attr('y2', height - 40);
		svg.append('g').attr('class', 'axis').attr('transform', `translate(0,${height - 40})`)
			.call(d3.axisBottom(x).tickValues(ticks).tickFormat(percents).tickSizeOuter(0));
		R.caption(svg, 'longer than the best, with 95 % interval', width - right, height - 4, width);
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
				['longer than the best', R.percent(e.margin, 2)],
				[e.interval === 'run' ? '95 % interval within one seed' : '95 % interval', e.low === null ? 'one seed: none' : `${R.percent(e.low, 2)} to ${R.percent(e.high, 2)}`]]))
			.on('mouseleave', R.hideTip);
	});
	if (context.ranking.length > most)
		parent.append(R.h('p', {class: 'note'}, `The best ${most} of ${context.ranking.length} options.`));
}

function mechanism(question) {
	const m = question.mechanism;
	if (!m)
		return null;
	const stage = m.stages.find(s => s.stage === m.stage);
	const whole = m.stages.reduce((sum, s) => sum + s.difference, 0);
	const sign = s => `${s.stage} ${s.difference > 0 ? '+' : '−'}${R.time(Math.abs(s.difference))}`;
	const others = m.stages.filter(s => s !== stage && Math.abs(s.difference) >= 0.05 * whole);
	const more = others.filter(s => s.difference > 0).sort((a, b) => b.difference - a.difference)[0];
	const less = others.filter(s => s.difference < 0).sort((a, b) => a.difference - b.difference)[0];
	return [R.h('b', {}, sign(stage)), ` of +${R.time(whole)} on average`, more ? `; then ${sign(more)}` : '', less ? `; against it ${sign(less)}` : '', '; ',
		R.h('a', {href: '#paths', onclick: () => R.showPair(R.rowOfRun(m.first), R.rowOfRun(m.second))},
			`runs ${m.first} and ${m.second} stage by stage`)];
}

function crossovers(question) {
	return question.crossovers.slice(0, 5).map(c => R.h('div', {},
		`${R.optionLabel(c.below)} up to ${c.saturated && !c.refined ? 'somewhere on ' + c.key : c.key + ' = ' + R.digits(c.at)}, then ${R.optionLabel(c.above)} `,
		R.h('span', {class: 'note'}, `(${c.refined ? 'known' : c.saturated ? R.optionLabel(c.saturated) + ' gets saturated' : 'interpolated'} between ${c.low} and ${c.high}${c.context ? '; at ' + c.context : ''})`)))
		.concat(question.crossovers.length > 5 ? [R.h('div', {class: 'note'}, `and ${question.crossovers.length - 5} more`)] : []);
}

function front(question) {
	return question.front.map(f => R.h('span', {class: 'chip'}, `${R.optionLabel(f.option)}: ${R.time(f.value)}, CPU ${R.time(f.host_cpu)}`));
}

function restsOn(question) {
	const chips = question.rests_on.map(c => R.h('span', {class: 'chip'}, R.h('code', {}, c.constant), ` ${c.value} ${c.unit} `,
		R.h('span', {class: 'kind ' + c.kind}, c.kind), c.effect === null || c.effect === undefined ? ''
			: R.h('span', {class: 'note'}, `; 30 % of it moves the margin by ${R.percent(c.effect, 0)} of itself`)));
	if (chips.length <= 6)
		return chips;
	return [chips.slice(0, 4), R.h('details', {}, R.h('summary', {}, `${chips.length - 4} more`), chips.slice(4))];
}

function robust(question) {
	const r = question.robust;
	if (!r && question.outcome !== 'wins')
		return null;
	if (!r)
		return R.h('span', {class: 'note'}, 'not tried; ', R.h('code', {}, 'meshsim report --robust'),
			' tries it with other costs and network models');
	const rows = r.cases.slice().sort((a, b) => (a.margin === null) - (b.margin === null) || a.margin - b.margin);
	return [`holds in ${r.held} of ${r.tried} (costs at −30 % and +30 %, networks; ${r.runs} runs)` +
		(r.failed ? `; ${r.failed} could not run: ` + r.failures.join('; ') : '') +
		(r.breaks.length ? '; not with ' + r.breaks.join('; ') : ''),
		R.h('details', {}, R.h('summary', {}, `all ${rows.length} margins`), R.table([
			{head: 'with', cell: c => c.with},
			{head: 'margin', number: true, cell: c => c.margin === null ? '–' : R.percent(c.margin, 1)},
			{head: 'over', cell: c => c.margin === null ? c.failure : R.optionLabel(c.rival)}], rows, 300))];
}

const bases = {
	'first order': () => 'to first order, from the charged times',
	confirmed: j => `to first order, which was off by ${R.percent(j.error, 1)} of the time in ${j.reruns} reruns`,
	corrected: j => `± ${R.percent(j.precision, 0)}; to first order, off by ${R.percent(j.error, 1)} of the time, corrected by ${j.reruns} reruns`,
	reruns: j => `± ${R.percent(j.precision, 0)}, of ${j.reruns} reruns`,
};

/* How probable it is that each option is the best if all costs are uncertain. */
function joint(question) {
	const j = question.joint;
	if (!j)
		return null;
	const best = j.options.filter((o, i) => i === 0 || o.chance >= 0.005).slice(0, 6);
	const t = j.together, lead = t && (t.measured === null ? t.margin : t.measured);
	return [R.h('div', {}, 'Best in this share of draws of all costs: ',
		best.map(o => R.h('span', {class: 'chip'}, R.optionLabel(o.label), ' ', R.h('b', {}, R.percent(o.chance, o.chance >= 0.995 && o.chance < 1 ? 1 : 0))))),
	R.h('div', {class: 'note'}, `${bases[j.basis](j)}; nine of ten margins over ${j.options[1].label} are from ${R.percent(j.low, 1)} to ${R.percent(j.high, 1)}` +
		(j.failed ? `; ${j.failed} draws could not run` : '')),
	j.costs.length ? R.h('div', {}, 'The margin varies with ', j.costs.map(c => R.h('span', {class: 'chip'}, R.h('code', {}, c.constant), ' ',
		R.h('span', {class: 'kind ' + c.kind}, c.kind), ` ${R.percent(Math.min(c.total, 1), 0)}`))) : '',
	t && question.outcome !== 'undecided' ? R.h('div', {}, `${t.groups.join(' with ')}${t.count > t.groups.length ? ` with ${t.count - t.groups.length} further groups` : ''}: ` +
		(lead < 0 ? `${R.optionLabel(t.rival)} is ahead by ${R.percent(1 / (1 + lead) - 1, 1)}` : `${R.optionLabel(t.rival)} stays ${R.percent(lead, 1)} behind`) +
		(t.measured === null ? ' to first order' : ' in a rerun')) : ''];
}

/* Unswept choices that the margin rests on, with the margins that other values give. */
function choices(question) {
	const name = choice => choice.key.split('.').pop();
	const trial = t => t.margin === null ? `${t.value}: could not run` : t.same ? `${t.value}: no difference` : t.margin <= -0.01
		? `${t.value}: ${t.rival} wins by ${R.percent(1 / (1 + t.margin) - 1, 1)}`
		: `${t.value}: ${R.percent(Math.abs(t.margin), 1)}${t.breaks ? ', undecided' : ''}`;
	return question.choices.map(c => R.h('span', {class: 'chip', title: c.key}, R.h('code', {}, `${name(c)}: ${c.value}`),
		c.trials.length ? R.h('span', {class: 'note'}, ` (${c.trials.map(trial).join('; ')})`) : ''));
}

/* What the badge says: a verdict that rests on choices is decided for them. */
function badge(question) {
	const [name, text] = outcomes[question.outcome];
	const broken = question.choices.filter(c => c.trials.some(t => t.breaks));
	const rests = question.outcome === 'conditional' ? broken : question.outcome === 'wins' ? question.choices.slice(0, 1) : [];
	const words = rests.map(c => `${c.key.split('.').pop()}: ${c.value}`).join(', ');
	return R.h('span', {class: 'badge ' + name}, words ? (name === 'conditional' ? `${text} ${words}` : `${text} for ${words}`) : text);
}

/* Every context in a row, every option in a column. */
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
	fact('But then', question.sides.length ? R.h('ul', {class: 'sides'}, question.sides.map(s => R.h('li', {}, s.words))) : null);
	fact('Fails', question.ends.length ? R.h('ul', {class: 'sides'}, question.ends.map(e => R.h('li', {}, e.words))) : null);
	fact('Mechanism', mechanism(question));
	fact('Flips', crossovers(question));
	fact('Pareto front', front(question));
	fact('For', choices(question));
	fact('Rests on', restsOn(question));
	fact('Robustness', robust(question));
	fact('All costs uncertain', joint(question));
	return R.h('div', {class: 'card', 'data-outcome': question.outcome},
		R.h('h3', {}, R.h('code', {}, question.question), question.subject === R.model.compare.kind ? '' : ` of ${question.subject} `, badge(question)),
		R.h('p', {class: 'verdict'}, question.verdict),
		R.h('div', {class: 'body'}, left, facts),
		question.contexts.length > 1 ? contextTable(question) : null);
}

/* Time against host CPU, what no other run beats in both drawn as a line. */
function trade(parent) {
	const points = R.points().map(p => ({...p, row: R.rowOfRun(p.run)}));
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

/* What runs of one colour have in common. */
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
	parent.append(R.h('h3', {}, 'Time against host CPU'), R.h('p', {class: 'note'}, 'Each point is a run, seeds taken together; left and low is good. Points on the dashed line are beaten by none in both.'));
	trade(parent);
});
