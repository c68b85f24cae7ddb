/* Threads of the host, firmware and workers on the chips, queues, and operations in flight, of one
 * run at a time. */

const threadStates = [['computing', '--c0'], ['copying', '--c5'], ['spinning', '--c1'], ['switching', '--c3'], ['waiting for a core', '--c4'], ['parked', '--line']];

function threadShares(thread) {
	const [busy, copying, spinning, switching, waiting, parked] = thread.times;
	return [busy - copying, copying, spinning, switching, waiting, parked];
}

function drawThreads(parent, detail) {
	const hidden = new Set(), box = R.h('div', {class: 'chart'});
	if (detail.threads.length === 0) {
		parent.append(R.h('p', {class: 'note'}, 'This run recorded no threads.'));
		return;
	}
	let again = () => {};
	parent.append(R.legend(threadStates.map(([name, color]) => ({name, color: `var(${color})`, box: true})), hidden, () => again()), box);
	again = R.fluid(box, width => {
		const names = detail.threads.map(t => t.count > 1 ? `${t.name} (${t.count} threads)` : t.name);
		const bars = R.barRows(width, names, 0.3, 25), line = bars.height, height = line * detail.threads.length + 46;
		const svg = R.svg(box, 'threads', width, height), x = d3.scaleLinear().domain([0, 1]).range([bars.left, width - 20]);
		svg.append('g').attr('class', 'axis').attr('transform', `translate(0,${height - 42})`).call(d3.axisBottom(x).ticks(6, '%').tickSizeOuter(0));
		R.caption(svg, 'share of the time that the threads lived', width - 20, height - 2, width);
		detail.threads.forEach((thread, t) => {
			const shares = threadShares(thread), whole = d3.sum(shares) || 1;
			let before = 0;
			const g = svg.append('g').attr('transform', `translate(0,${line * t})`);
			bars.name(g.append('text').datum(names[t]), text => text);
			shares.forEach((time, s) => {
				const share = time / whole;
				if (!hidden.has(threadStates[s][0]))
					g.append('rect').attr('class', 'state').attr('x', x(before)).attr('y', bars.top + 4).attr('width', x(before + share) - x(before)).attr('height', 17)
						.style('fill', `var(${threadStates[s][1]})`).on('mousemove', () => R.tip(d3.event, names[t], [[threadStates[s][0], R.percent(share)], ['time', R.time(time)]]))
						.on('mouseleave', R.hideTip);
				before += share;
			});
		});
	});
}

/* The time that each host of a native run took to join, once at the start. */
function drawOpening(parent, opening) {
	if (opening)
		parent.append(R.h('p', {class: 'note'}, `${opening.hosts} hosts joined, once at the start: ${R.time(opening.opening)} each from the connection on, at most ${R.time(opening.opening_most)}; `
			+ `of it the proof of the run's key ${R.time(opening.proof)}, at most ${R.time(opening.proof_most)}.`));
}

/* The least value, the quartiles and the largest value of each role's utilization. */
function drawRoles(parent, detail) {
	if (detail.roles.length === 0) {
		parent.append(R.h('p', {class: 'note'}, 'This run recorded no firmware.'));
		return;
	}
	const box = R.h('div', {class: 'chart'});
	parent.append(box);
	R.fluid(box, width => {
		const names = detail.roles.map(r => `${r.role} (${r.count})`), bars = R.barRows(width, names, 0.35, 27);
		const line = bars.height, height = line * detail.roles.length + 48, percents = v => R.plain(100 * v) + ' %';
		const most = d3.max(detail.roles, r => r.spread[4]) || 1, svg = R.svg(box, 'roles', width, height);
		const x = d3.scaleLinear().domain([0, Math.min(1, most * 1.08)]).nice(5).range([bars.left, width - 72]), ticks = R.ticks(x, 6, percents);
		svg.append('g').selectAll('line').data(ticks).join('line').attr('class', 'gridline').attr('x1', x).attr('x2', x).attr('y2', height - 44);
		svg.append('g').attr('class', 'axis').attr('transform', `translate(0,${height - 44})`).call(d3.axisBottom(x).tickValues(ticks).tickFormat(percents).tickSizeOuter(0));
		R.caption(svg, 'busy share of the run: least, quartiles, most of all', width - 72, height - 2, width);
		detail.roles.forEach((role, i) => {
			const y = line * i + bars.top + 13.5, s = role.spread, g = svg.append('g');
			bars.name(g.append('text').datum(names[i]).attr('transform', `translate(0,${line * i})`), text => text);
			g.append('line').attr('x1', x(s[0])).attr('x2', x(s[4])).attr('y1', y).attr('y2', y).attr('stroke-width', 1.5).style('stroke', 'var(--c0)');
			g.append('rect').attr('class', 'spread').attr('x', x(s[1])).attr('width', Math.max(2, x(s[3]) - x(s[1]))).attr('y', y - 7).attr('height', 14).attr('rx', 2)
				.style('fill', 'var(--c0)').attr('fill-opacity', 0.45);
			g.append('line').attr('x1', x(s[2])).attr('x2', x(s[2])).attr('y1', y - 8).attr('y2', y + 8).attr('stroke-width', 2.5).style('stroke', 'var(--c0)');
			g.append('text').attr('class', 'strong').attr('x', width).attr('y', y).attr('dy', '.35em').attr('text-anchor', 'end').text(R.percent(s[4], s[4] < 0.1 ? 2 : 1));
			g.append('rect').attr('y', line * i).attr('width', width).attr('height', line).attr('fill', 'transparent')
				.on('mousemove', () => R.tip(d3.event, names[i], [['least', R.percent(s[0], 2)], ['median', R.percent(s[2], 2)], ['most', R.percent(s[4], 2)], ['on chip', role.chip < 0 ? '–' : role.chip],
					['steps, all', R.count(role.steps)], ['blocked, all', R.time(role.blocked)], ['blocked, longest', R.time(role.blocked_most)]])).on('mouseleave', R.hideTip);
		});
	});
}

function drawInFlight(parent, detail) {
	const kinds = detail.in_flight.filter(k => k.depth.length > 0);
	if (kinds.length === 0) {
		parent.append(R.h('p', {class: 'note'}, 'This run recorded no operations.'));
		return;
	}
	const end = d3.max(kinds, k => d3.max(k.depth.filter((v, i) => i % 2 === 0))), unit = R.timeUnit(end || 1);
	const series = kinds.map((k, i) => ({name: k.kind, color: `var(--c${i % 8})`, kind: 'step',
		points: [[0, 0]].concat(d3.range(0, k.depth.length, 2).map(j => [k.depth[j] / unit[1], k.depth[j + 1]]))}));
	const most = d3.max(series, s => d3.max(s.points, p => p[1]));
	R.chart(parent, {name: 'in-flight', height: 240, series,
		x: {label: `${R.model.file.world === 'native' ? '' : 'simulated '}time, ${unit[0]}`, zero: true, format: R.plain},
		y: {label: 'operations between call and completion', zero: true, ticks: most <= 8 ? d3.range(0, most + 1) : null, format: v => R.count(v)},
		tip: (s, p) => [s.name, [['time', R.time(p[0] * unit[1])], ['in flight', p[1]]]]});
}

function queueTable(detail) {
	const used = detail.queues;
	if (used.length === 0)
		return R.h('p', {class: 'note'}, 'No queue held anything.');
	const bar = q => {
		const share = q.capacity > 0 ? Math.min(1, q.high_water / q.capacity) : 0;
		const svg = d3.create('svg').attr('width', 90).attr('height', 12).attr('aria-hidden', true).style('margin-right', '8px').style('vertical-align', 'middle');
		svg.append('rect').attr('width', 90).attr('height', 12).attr('rx', 2).style('fill', 'var(--grid)');
		svg.append('rect').attr('width', 90 * share).attr('height', 12).attr('rx', 2).style('fill', share >= 1 ? 'var(--more)' : 'var(--c0)');
		return R.h('span', {style: 'white-space:nowrap'}, svg.node(), `${q.high_water} of ${q.capacity}`);
	};
	return [R.table([{head: 'queue', cell: q => q.name}, {head: 'deepest', cell: bar}, {head: 'taken', number: true, cell: q => R.count(q.taken)},
		{head: 'blocked', number: true, cell: q => q.blocked ? `${R.count(q.blocked)} times` : '–'}, {head: 'for', number: true, cell: q => q.blocked_time ? R.time(q.blocked_time) : '–'},
		{head: 'waiting at once', number: true, cell: q => q.waiting_high_water || '–'}], used),
	R.h('p', {class: 'note'}, `${detail.queues_used} of ${detail.queues_all} queues held anything; those that blocked longest come first, then the fullest.`)];
}

R.section('loads', 'Threads, cores and queues', 'Threads and cores', parent => {
	if (R.model.details.length === 0)
		return;
	const area = R.h('div');
	const again = value => {
		const detail = R.model.details[value], part = (title, draw) => {
			const box = R.h('div');
			area.append(R.h('h3', {}, title), box);
			draw(box);
		};
		area.replaceChildren();
		part('Host threads', box => (drawThreads(box, detail), drawOpening(box, detail.opening)));
		part('Firmware and workers', box => drawRoles(box, detail));
		part('Operations in flight', box => drawInFlight(box, detail));
		part('Deepest queues', box => box.append(...[queueTable(detail)].flat(2)));
		area.append(R.h('p', {class: 'note'}, 'Operations in flight follow from the recorded calls and completions. Of each queue stands here its deepest point and how long it blocked. ',
			detail.trace ? 'How full queues were while single operations were under way stands below.'
				: 'The scenario asks for queues over time and the life of single operations with measure: {trace: {slowest: 3}}.'));
	};
	parent.append(R.h('p', {class: 'note'}, R.detailNote()));
	parent.append(R.h('div', {class: 'controls'}, R.choice('run', R.detailChoices(), 0, value => again(Number(value)))), area);
	again(0);
});
