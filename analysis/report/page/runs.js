/* The table of runs: percentiles of one kind and metric, sorted and filtered. Only rows in sight
 * are drawn. The ticks choose the runs of the charts. */

R.runsTable = function (parent) {
	const model = R.model, names = ['p50', 'p90', 'p99', 'p99.9', 'max'], line = 28;
	const kinds = model.kinds.filter(k => k.metrics.length);
	let kind = kinds.find(k => k.kind === model.kind) || kinds[0];
	let metric = null, filter = '', sort = {by: 'run', up: true}, rows = [];
	if (!kind) {
		parent.append(R.h('p', {class: 'note'}, 'No operation was measured.'));
		return;
	}
	const pickMetric = () => { metric = kind.metrics.find(m => m.metric === (metric || {}).metric) || kind.metrics.find(m => m.metric === model.metric) || kind.metrics.find(m => m.metric === 'latency') || kind.metrics[0]; };
	pickMetric();

	function columns() {
		const times = names.flatMap(n => metric[n].filter(v => v !== null));
		const unit = R.timeUnit(d3.median(times) || 1);
		const all = [{id: 'run', head: 'run', number: true, value: row => model.runs.run[row], chars: 5}];
		model.keys.forEach((key, i) => all.push({id: 'k' + i, head: R.shortKey(key), title: key, value: row => {
			const text = model.runs.keys[i][row], number = R.keyNumber(text);
			return isNaN(number) ? text : number;
		}, text: row => model.runs.keys[i][row], chars: Math.min(26, Math.max(R.shortKey(key).length, d3.max(model.runs.keys[i], t => t.length)))}));
		all.push({id: 'seed', head: 'seed', number: true, value: row => model.runs.seed[row], chars: 4});
		all.push({id: 'status', head: 'status', value: row => model.runs.status[row], chars: 7, name: row => R.good(row) ? '' : 'bad-status'});
		all.push({id: 'count', head: 'count', number: true, value: row => kind.count[row], chars: 5});
		for (const n of names)
			all.push({id: n, head: n, unit: unit[0], number: true, value: row => metric[n][row], chars: 8,
				text: row => metric[n][row] === null ? '' : R.digits(metric[n][row] / unit[1])});
		all.push({id: 'throughput', head: 'throughput', unit: '1/s', number: true, value: row => kind.throughput[row], chars: 12,
			text: row => kind.throughput[row] ? R.digits(kind.throughput[row]) : ''});
		return all;
	}

	const body = R.h('tbody'), head = R.h('tr'), group = R.h('colgroup');
	const table = R.h('table', {class: 'data virtual', 'data-chart': 'percentiles', style: 'table-layout:fixed'}, group, R.h('thead', {}, head), body);
	const scroll = R.h('div', {class: 'scroll', onscroll: () => paint(false)}, table);
	const count = R.h('span', {class: 'note'});
	let all = columns();

	function cells(row) {
		const box = R.h('input', {type: 'checkbox', 'aria-label': `draw run ${model.runs.run[row]}`, onchange: () => {
			const chosen = new Set(R.selected);
			if (box.checked)
				chosen.add(row);
			else
				chosen.delete(row);
			R.setSelected(Array.from(chosen));
		}});
		box.checked = R.selected.includes(row);
		box.disabled = !R.good(row) || (!box.checked && R.selected.length >= R.SELECTED_MOST);
		return R.h('tr', {style: `height:${line}px`}, R.h('td', {class: 'no-print'}, box), all.map(c => {
			const value = c.value(row), text = c.text ? c.text(row) : value === null ? '' : String(value);
			return R.h('td', {class: (c.number ? 'n ' : '') + (c.name ? c.name(row) : ''), title: text.length > c.chars ? text : null}, text);
		}));
	}

	/* Draws the rows in sight; for printing, all rows. */
	function paint(everything) {
		const top = Math.min(scroll.scrollTop, Math.max(0, rows.length * line - scroll.clientHeight));
		const first = everything ? 0 : Math.max(0, Math.floor(top / line) - 10);
		const last = everything ? rows.length : Math.min(rows.length, first + Math.ceil(scroll.clientHeight / line) + 24);
		const pad = height => R.h('tr', {class: 'pad'}, R.h('td', {colspan: all.length + 1, style: `height:${height}px`}));
		body.replaceChildren(...[first > 0 ? pad(first * line) : '', ...rows.slice(first, last).map(cells), last < rows.length ? pad((rows.length - last) * line) : ''].filter(e => e));
	}

	function refresh() {
		all = columns();
		const by = all.find(c => c.id === sort.by) || all[0];
		const words = filter.toLowerCase().split(/\s+/).filter(w => w);
		rows = R.rows.filter(row => {
			const text = (R.label(row) + ' ' + R.valuesOf(row).join(' ') + ' ' + model.runs.status[row]).toLowerCase();
			return words.every(w => text.includes(w));
		});
		const order = (a, b) => (a === null) - (b === null) || (typeof a === typeof b ? d3.ascending(a, b) : d3.ascending(typeof a, typeof b));
		rows.sort((a, b) => (sort.up ? 1 : -1) * order(by.value(a), by.value(b)) || a - b);
		group.replaceChildren(R.h('col', {style: 'width:2.4rem'}), ...all.map(c => R.h('col', {style: `width:${c.chars + 2}ch`})));
		head.replaceChildren(R.h('th', {class: 'no-print', title: 'drawn in charts'}, ''), ...all.map(c =>
			R.h('th', {class: 'sortable ' + (c.number ? 'n' : ''), title: c.title || null, 'aria-sort': c.id === sort.by ? (sort.up ? 'ascending' : 'descending') : null, onclick: () => {
				sort = {by: c.id, up: sort.by === c.id ? !sort.up : true};
				refresh();
			}}, c.head, c.unit ? R.h('span', {class: 'unit'}, ' ' + c.unit) : '', c.id === sort.by ? (sort.up ? ' ▴' : ' ▾') : '')));
		table.style.minWidth = d3.sum(all, c => c.chars + 2) + 5 + 'ch';
		scroll.style.height = Math.min(440, rows.length * line + 52) + 'px';
		count.textContent = `${rows.length === R.rows.length ? '' : rows.length + ' of '}${R.rows.length} run${R.rows.length === 1 ? '' : 's'}; ${R.selected.length} drawn in charts (at most ${R.SELECTED_MOST})`;
		paint(false);
	}

	const metricBox = R.h('span');
	const metrics = () => metricBox.replaceChildren(R.choice('metric', kind.metrics.map(m => [m.metric, m.metric]), metric.metric, value => {
		metric = kind.metrics.find(m => m.metric === value);
		refresh();
	}));
	const controls = R.h('div', {class: 'controls'},
		R.choice('kind', kinds.map(k => [k.kind, k.kind]), kind.kind, value => {
			kind = kinds.find(k => k.kind === value);
			pickMetric();
			metrics();
			refresh();
		}), metricBox,
		R.h('label', {}, 'filter', R.h('input', {type: 'search', placeholder: 'words', oninput: event => {
			filter = event.target.value;
			refresh();
		}})),
		R.h('button', {type: 'button', onclick: () => R.setSelected(rows.filter(R.good))}, `draw the first ${R.SELECTED_MOST} of these`), count);
	metrics();
	parent.append(controls, scroll);
	R.onSelect.push(refresh);
	refresh();
	addEventListener('beforeprint', () => paint(true));
	addEventListener('afterprint', () => paint(false));
};
