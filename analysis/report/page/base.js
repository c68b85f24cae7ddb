/* Functions that all parts of the report share: the model, texts for figures, elements, colours,
 * tips. Text of the model goes into the page only as text, never as markup. */
'use strict';

const R = {
	model: JSON.parse(document.getElementById('model').textContent),
	host: JSON.parse(document.getElementById('host').textContent),
	sections: [],
};

/* ---- elements ---- */

/* Creates an element: h('p', {class: 'note'}, 'text', element...) */
R.h = function (tag, attributes, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes || {})) {
		if (name.startsWith('on'))
			element.addEventListener(name.slice(2), value);
		else if (value !== null && value !== undefined && value !== false)
			element.setAttribute(name, value === true ? '' : value);
	}
	for (const child of children.flat(3))
		if (child !== null && child !== undefined && child !== '')
			element.append(child);
	return element;
};

/* A labelled choice. `options` are [value, text]; a single option is shown, too. */
R.choice = function (label, options, value, change) {
	const select = R.h('select', {'aria-label': label, onchange: () => change(select.value)},
		options.map(([v, text]) => R.h('option', {value: v, selected: String(v) === String(value)}, text)));
	select.value = value;
	return R.h('label', {}, label, select);
};

R.tick = function (label, value, change) {
	const box = R.h('input', {type: 'checkbox', onchange: () => change(box.checked)});
	box.checked = value;
	return R.h('label', {}, box, label);
};

/* A table. A column is {head, unit, number, cell(row)}; cell() returns a text, an element, or
 * [class, content]. */
R.table = function (columns, rows, height) {
	const cell = (column, row) => {
		const value = column.cell(row);
		const [name, content] = Array.isArray(value) ? value : ['', value];
		return R.h('td', {class: (column.number ? 'n ' : '') + name}, content);
	};
	return R.h('div', {class: 'scroll', style: height ? `max-height:${height}px` : null},
		R.h('table', {class: 'data'},
			R.h('thead', {}, R.h('tr', {}, columns.map(c =>
				R.h('th', {class: c.number ? 'n' : ''}, c.head,
					c.unit ? R.h('span', {class: 'unit'}, ' ' + c.unit) : null)))),
			R.h('tbody', {}, rows.map(row => R.h('tr', {}, columns.map(c => cell(c, row)))))));
};

/* ---- figures ---- */

const timeUnits = [['s', 1e12], ['ms', 1e9], ['µs', 1e6], ['ns', 1e3], ['ps', 1]];

/* Returns [name, ps] of the largest unit in which `most` is at least 1. */
R.timeUnit = most => timeUnits.find(u => Math.abs(most) >= u[1]) || timeUnits[4];

R.digits = function (value, digits) {
	if (value === 0)
		return '0';
	const whole = Math.floor(Math.log10(Math.abs(value))) + 1;
	return value.toFixed(Math.max(0, Math.min(9, (digits || 4) - whole)));
};

R.time = function (ps) {
	if (ps === null || ps === undefined)
		return '–';
	if (ps === 0)
		return '0';
	const unit = R.timeUnit(ps);
	return R.digits(ps / unit[1]) + ' ' + unit[0];
};

/* A number on an axis, without digits that are not needed. */
R.plain = (value, digits) => String(Number(value.toPrecision(digits || 3)));

/* A value of a swept key: exact if it is short, otherwise rounded. */
R.size = value => Number.isInteger(value) && Math.abs(value) < 1e7 ? String(value) : R.count(value);

/* A count: 12345 as "12.35 k". */
R.count = function (value) {
	if (value === null || value === undefined)
		return '–';
	for (const [name, scale] of [['G', 1e9], ['M', 1e6], ['k', 1e4]])
		if (Math.abs(value) >= scale)
			return R.digits(value / (scale === 1e4 ? 1e3 : scale)) + ' ' + name;
	return Number.isInteger(value) ? String(value) : R.digits(value);
};

R.bytes = function (value) {
	for (const [name, scale] of [['GB', 1e9], ['MB', 1e6], ['KB', 1e3]])
		if (value >= scale)
			return R.digits(value / scale) + ' ' + name;
	return value + ' B';
};

R.percent = (ratio, digits) => (100 * ratio).toFixed(digits === undefined ? 1 : digits) + ' %';

/* ---- runs ---- */

R.rows = d3.range(R.model.runs.run.length);
R.good = row => R.model.runs.status[row] === 'ok';
/* The short name of a swept key, as `meshsim show` prints it. */
R.shortKey = name => R.model.short_keys[R.model.keys.indexOf(name)] || name;

const isNumber = text => text !== '' && text !== '-' && isFinite(text);

/* "broadcast, initiators=2, table". A value has its key if it is a number or a switch, or if
 * several keys have this value. */
R.keysLabel = function (names, values) {
	const parts = names.map((name, i) => {
		if (values[i] === '-')
			return null;
		const twice = values.indexOf(values[i]) !== values.lastIndexOf(values[i]);
		return !twice && /^[a-z]{3,}[a-z0-9_-]*$/i.test(values[i]) && !/^(true|false|auto|none|all|off|yes|each|main|packet)$/.test(values[i])
			? values[i] : `${R.shortKey(name)}=${values[i]}`;
	});
	return parts.filter(p => p !== null).join(', ');
};

/* Converts an option of compare, "path=broadcast initiators=2", to "broadcast, initiators=2". Keeps
 * a text of another form. */
R.optionLabel = function (option) {
	const best = /^(.*) (\(.*\))$/.exec(option);
	if (best)
		return `${R.optionLabel(best[1])} ${best[2]}`;
	const parts = option.split(' ').map(part => /^([\w.]+)=(\S+)$/.exec(part));
	return option.includes('[') || parts.some(p => p === null) ? option : R.keysLabel(parts.map(p => p[1]), parts.map(p => p[2]));
};

R.valuesOf = row => R.model.runs.keys.map(column => column[row]);

const seedVaries = new Set(R.model.runs.seed).size > 1;

R.label = function (row) {
	const keys = R.keysLabel(R.model.keys, R.valuesOf(row));
	const seed = seedVaries ? `seed ${R.model.runs.seed[row]}` : '';
	return [`run ${R.model.runs.run[row]}`, keys, seed].filter(t => t).join(' · ');
};

R.rowOfRun = run => R.model.runs.run.indexOf(run);

/* The value of a column as a number: 64 for "[8, 8]"; NaN if the text is no number. */
R.keyNumber = function (text) {
	const list = /^\[([\d., ]+)\]$/.exec(text);
	if (list)
		return list[1].split(',').reduce((product, item) => product * Number(item), 1);
	return isNumber(text) ? Number(text) : NaN;
};

/* The columns of a question, whose label is a key, a prefix of keys, or a list of keys. */
R.columnsOf = function (label) {
	const parts = label.split(', ');
	return d3.range(R.model.keys.length).filter(i =>
		parts.includes(R.model.keys[i]) || R.model.keys[i].startsWith(label + '.'));
};

/* ---- colours: by the options of one question, dashes by all other keys ---- */

const dashes = ['', '7 4', '2 3', '9 3 2 3'];

function tuples(columns) {
	const seen = new Map();
	return R.rows.map(row => {
		const tuple = columns.map(c => R.model.runs.keys[c][row]).join('\n');
		if (!seen.has(tuple))
			seen.set(tuple, seen.size);
		return seen.get(tuple);
	});
}

/* The measured points of the subject that the page is about. */
R.points = () => R.model.compare ? R.model.compare.points.filter(p => p.value !== undefined && p.subject === R.model.compare.kind) : [];

/* Chooses which keys colours stand for, and which keys dashes stand for. Of all ways to divide the
 * keys, takes the one that needs few colours and few dashes. */
function chooseLooks() {
	const questions = R.model.compare ? R.model.compare.questions : [];
	const all = d3.range(R.model.keys.length), without = columns => all.filter(i => !columns.includes(i));
	const asked = questions.map(question => R.columnsOf(question.question));
	let best = null;
	for (const columns of asked.concat(asked.map(without), [all])) {
		const color = tuples(columns), dash = tuples(without(columns));
		const colors = d3.max(color) + 1, kinds = d3.max(dash) + 1, apart = kinds <= dashes.length && !seedVaries;
		const cost = (apart ? 0 : 1000) + colors + 2 * (apart ? kinds : 0) + (asked.includes(columns) ? 0 : 0.5);
		if (colors > 1 && colors <= 8 && (!best || cost < best.cost))
			best = {color, dash, apart, cost};
	}
	return best;
}

const looks = chooseLooks();

/* The look of the drawn run number `index`. If the looks of keys do not distinguish runs, it
 * depends on `index` only. */
R.look = function (row, index) {
	if (looks && looks.apart)
		return {color: `var(--c${looks.color[row]})`, dash: dashes[looks.dash[row]]};
	return {color: `var(--c${index % 8})`, dash: dashes[Math.floor(index / 8) % 4]};
};

/* The look of all runs with the same option. */
R.groupLook = row => looks ? {color: `var(--c${looks.color[row]})`, dash: looks.apart ? dashes[looks.dash[row]] : ''}
	: {color: 'var(--c0)', dash: ''};

/* ---- which runs the charts draw ---- */

R.SELECTED_MOST = 16;

function firstSelection() {
	const good = R.rows.filter(R.good);
	if (good.length <= 12)
		return good;
	const chosen = [];
	for (const question of R.model.compare ? R.model.compare.questions : []) {
		const focus = question.contexts.find(c => c.context === question.focus);
		for (const entry of focus ? focus.ranking.slice(0, 5) : [])
			chosen.push(R.rowOfRun(entry.run));
	}
	const main = R.model.distributions[0], median = row => main.runs[row].v[main.runs[row].v.length >> 1];
	const firsts = new Set(R.model.compare ? R.model.compare.points.map(p => R.rowOfRun(p.run)) : good);
	const sorted = main ? good.filter(row => main.runs[row] && firsts.has(row)).sort((a, b) => median(a) - median(b)) : [];
	for (const share of [0, 1, 0.5, 0.25, 0.75])
		if (sorted.length && chosen.length < 8)
			chosen.push(sorted[Math.round(share * (sorted.length - 1))]);
	return Array.from(new Set(chosen)).slice(0, 8).sort(d3.ascending);
}

R.selected = firstSelection();
R.onSelect = [];
R.setSelected = function (rows) {
	R.selected = rows.slice(0, R.SELECTED_MOST).sort(d3.ascending);
	R.onSelect.forEach(f => f());
};

/* ---- tips ---- */

const tip = document.getElementById('tip');

/* Shows a tip with a head and entries [name, value]. An entry may begin with a colour swatch
 * element. */
R.tip = function (event, head, entries) {
	tip.replaceChildren(R.h('div', {class: 'head'}, head), R.h('table', {},
		entries.map(entry => R.h('tr', {}, entry.map(part => R.h('td', {}, part))))));
	tip.hidden = false;
	const box = tip.getBoundingClientRect();
	const x = event.clientX + 16 + box.width > innerWidth ? event.clientX - 16 - box.width : event.clientX + 16;
	const y = Math.min(event.clientY + 14, innerHeight - box.height - 8);
	tip.style.left = Math.max(4, x) + 'px';
	tip.style.top = Math.max(4, y) + 'px';
};

R.hideTip = () => { tip.hidden = true; };

/* ---- theme ---- */

const dark = matchMedia('(prefers-color-scheme: dark)');
R.theme = () => document.documentElement.dataset.theme || (dark.matches ? 'dark' : 'light');
R.onTheme = [];
dark.addEventListener('change', () => R.onTheme.forEach(f => f()));

/* The colour of a load from 0 to 1, from the scale Viridis. A larger load differs more from the
 * background. */
R.heat = load => d3.interpolateViridis(R.theme() === 'dark' ? 0.22 + 0.78 * load : 0.94 * (1 - load));

/* The colour of a difference: 0.5 is no difference, orange is more, purple is less. */
R.heatDifference = share => R.theme() === 'dark' ? d3.interpolateRgbBasis(['#b49cf2', '#7a6bb0', '#3b414b', '#b5701f', '#ffb648'])(share)
	: d3.interpolateRgbBasis(['#3f1d80', '#8a7cbb', '#dfe2e6', '#e2a04a', '#9a4a00'])(share);

R.swatch = function (color, dash, kind) {
	const svg = d3.create('svg').attr('width', 22).attr('height', 12).attr('aria-hidden', true);
	if (kind === 'box')
		svg.append('rect').attr('x', 5).attr('width', 12).attr('height', 12).attr('rx', 2).style('fill', color);
	else if (kind === 'dot' || kind === 'ring')
		svg.append('circle').attr('cx', 11).attr('cy', 6).attr('r', 4.5).attr('stroke-width', 2)
			.style('fill', kind === 'dot' ? color : 'none').style('stroke', color);
	else
		svg.append('line').attr('x2', 22).attr('y1', 6).attr('y2', 6).attr('stroke-width', 2.5)
			.style('stroke', color).attr('stroke-dasharray', dash || null);
	return svg.node();
};

/* ---- sections ---- */

/* Adds a section. `name` is its entry in the contents; `draw(element)` is called once. */
R.section = (id, title, name, draw) => R.sections.push({id, title, name, draw});
