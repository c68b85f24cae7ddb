/* The errors of simulated figures against figures measured on hardware: for each family, and for
 * each row. */

function drawScatter(parent, rows) {
	const ran = rows.filter(r => r.predicted !== null), families = Array.from(new Set(ran.map(r => r.family)));
	const ratio = r => r.predicted / r.reference;
	const series = families.map((family, i) => ({name: family, color: `var(--c${i % 8})`, kind: 'points', radius: 5,
		points: ran.map((r, place) => [place, 100 * (ratio(r) - 1), r]).filter(p => p[2].family === family)}));
	R.chart(parent, {name: 'errors', height: 300, series, level: 0,
		x: {label: 'rows, in the order of the reference file', format: () => '', ticks: []},
		y: {label: 'simulated above (+) or below (−) measured', zero: true, nice: true, format: v => (v > 0 ? '+' : v < 0 ? '−' : '') + R.plain(Math.abs(v)) + ' %'},
		tip: (s, p) => [p[2].family, [['system', p[2].system], ['metric', p[2].metric], ['measured', `${R.digits(p[2].reference)} ${p[2].unit}`], ['simulated', `${R.digits(p[2].predicted)} ${p[2].unit}`], ['off', R.percent(p[1] / 100)],
			...p[2].params.split(';').slice(0, 12).map(t => t.split('='))]]});
}

/* Simulated against measured figures of one family, in its unit. Both are equal on the line. */
function drawAgainst(parent, rows) {
	const ran = rows.filter(r => r.predicted !== null), families = Array.from(new Set(ran.map(r => r.family)));
	const box = R.h('div'), show = family => {
		const own = ran.filter(r => r.family === family), unit = own[0].unit, systems = Array.from(new Set(own.map(r => r.system)));
		const ends = d3.extent(own.flatMap(r => [r.reference, r.predicted])), wide = ends[1] > 8 * ends[0];
		const series = [{name: 'alike', color: 'var(--soft)', quiet: true, thin: true, points: [[ends[0], ends[0]], [ends[1], ends[1]]]}].concat(
			systems.map((system, i) => ({name: system, color: `var(--c${i % 8})`, kind: 'points', radius: 4.5, points: own.filter(r => r.system === system).map(r => [r.reference, r.predicted, r])})));
		box.replaceChildren();
		R.chart(box, {name: 'against', height: 420, series, x: {label: `measured, ${unit}`, format: R.plain, log: wide ? 10 : 0},
			y: {label: `simulated, ${unit}`, format: R.plain, log: wide ? 10 : 0},
			tip: (s, p) => [p[2].system, [['measured', `${R.digits(p[2].reference)} ${p[2].unit}`], ['simulated', `${R.digits(p[2].predicted)} ${p[2].unit}`],
				['off', R.percent(p[2].predicted / p[2].reference - 1)], ...p[2].params.split(';').slice(0, 12).map(t => t.split('='))]]});
	};
	if (families.length === 0)
		return;
	const most = families.reduce((a, b) => ran.filter(r => r.family === b).length > ran.filter(r => r.family === a).length ? b : a);
	parent.append(R.h('div', {class: 'controls'}, R.choice('family', families.map(f => [f, f]), most, show)), box);
	show(most);
}

R.section('errors', 'How wrong the simulator is', 'Errors', parent => {
	const errors = R.model.errors;
	if (!errors || errors.why) {
		parent.append(R.h('p', {class: 'note'}, errors ? `No error table: ${errors.why}.` : 'No error table: it was left out when this page was written. ',
			R.h('code', {}, 'meshsim validate'), ' prints it.'));
		return;
	}
	const same = errors.commit === R.model.file.git_commit, by = `meshsim ${errors.version} (${errors.commit})`;
	parent.append(R.h('p', {}, errors.rows.length > 0
		? `The experiments behind figures measured on hardware were run as ordinary scenarios by the program that wrote this page, ${by}.`
		: `So far is ${by}, the program that wrote this page, off figures measured on hardware, as of the last fit of its constants. `, errors.rows.length > 0 ? ''
		: R.h('span', {}, R.h('code', {}, 'meshsim validate --plot FILE.html'), ' runs the experiments again, and draws each figure.')));
	if (!same)
		parent.append(R.h('div', {class: 'banner'}, `The results themselves were made by commit ${R.model.file.git_commit}; its errors may differ.`));
	parent.append(R.h('p', {class: 'note'}, 'Kept out of the fit: constants were fitted without the row and all of its group, so these are the errors to expect of figures that nobody measured. As fitted: constants know all rows, which says how well the model is calibrated.'));
	const value = f => x => x[f] === null ? '–' : R.digits(100 * x[f], 3);
	const bar = x => {
		if (x.median === null)
			return '';
		const svg = d3.create('svg').attr('width', 160).attr('height', 12).attr('aria-hidden', true), at = v => Math.min(160, v * 320);
		svg.append('rect').attr('y', 4).attr('width', at(x.p90)).attr('height', 4).style('fill', 'var(--c5)');
		svg.append('rect').attr('y', 1).attr('width', at(x.median)).attr('height', 10).style('fill', 'var(--c0)');
		return svg.node();
	};
	const columns = [{head: 'family', cell: x => [x.family === 'all' ? 'best' : '', x.family]}, {head: 'rows', number: true, cell: x => x.rows}, {head: 'ran', number: true, cell: x => x.ran},
		{head: 'kept out: median', unit: '%', number: true, cell: value('kept_median')}, {head: 'p90', unit: '%', number: true, cell: value('kept_p90')},
		{head: 'ranking', number: true, cell: x => x.kept_ranking === null ? '–' : x.kept_ranking.toFixed(3)},
		{head: 'as fitted: median', unit: '%', number: true, cell: value('median')}, {head: 'p90', unit: '%', number: true, cell: value('p90')},
		{head: 'worst', unit: '%', number: true, cell: value('worst')}, {head: 'ranking', number: true, cell: x => x.ranking === null ? '–' : x.ranking.toFixed(3)},
		{head: 'median, p90 (thin), to 50 %', cell: bar}];
	const other = [{head: 'from others: median', unit: '%', number: true, cell: value('others_median')}, {head: 'p90', unit: '%', number: true, cell: value('others_p90')}];
	parent.append(R.table(columns, errors.families));
	parent.append(R.h('h3', {}, 'By machine'));
	parent.append(R.h('p', {class: 'note'}, 'From others: the machine was predicted from constants that were fitted to the other machines only. A machine that was never measured has such errors.'));
	parent.append(R.table([columns[0], {head: 'machine', cell: x => x.machine}, ...columns.slice(1, 6), ...other, ...columns.slice(6)], errors.machines));
	parent.append(R.h('p', {class: 'note'}, 'Errors are |simulated − measured| by measured. Ranking: Kendall’s tau-b between simulated and measured figures of one family, 1 if every pair is in the right order.'));
	if (errors.rows.length === 0)
		return;
	parent.append(R.h('h3', {}, 'Simulated against measured'));
	drawAgainst(parent, errors.rows);
	parent.append(R.h('h3', {}, 'Row by row'));
	drawScatter(parent, errors.rows);
	const off = r => r.predicted === null ? null : r.predicted / r.reference - 1;
	parent.append(R.h('details', {}, R.h('summary', {}, `all ${errors.rows.length} rows`), R.table([
		{head: 'family', cell: r => r.family}, {head: 'system', cell: r => r.system}, {head: 'parameters', cell: r => r.params.replace(/;/g, '; ')}, {head: 'metric', cell: r => r.metric},
		{head: 'measured', number: true, cell: r => `${R.digits(r.reference)} ${r.unit}`},
		{head: 'simulated', number: true, cell: r => r.predicted === null ? 'did not run' : `${R.digits(r.predicted)} ${r.unit}`},
		{head: 'off', number: true, cell: r => off(r) === null ? '–' : (off(r) > 0 ? '+' : off(r) < 0 ? '−' : '') + R.percent(Math.abs(off(r)))},
		{head: 'source', cell: r => r.reason ? `${r.source}; did not run: ${r.reason}` : r.source}], errors.rows, 480)));
});
