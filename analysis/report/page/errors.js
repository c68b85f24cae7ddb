/* How far simulated figures are off those measured on hardware: per family, and row by row. */

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

R.section('errors', 'How wrong the simulator is', 'Errors', parent => {
	const errors = R.model.errors;
	if (!errors || errors.why) {
		parent.append(R.h('p', {class: 'note'}, errors ? `No error table: ${errors.why}.` : 'No error table: it was left out when this page was written. ',
			R.h('code', {}, 'meshsim validate'), ' prints it.'));
		return;
	}
	const same = errors.commit === R.model.file.git_commit;
	parent.append(R.h('p', {}, 'The experiments behind figures measured on hardware were run as ordinary scenarios by the program that wrote this page, ',
		`meshsim ${errors.version} (${errors.commit})`, same ? ', which also made these results.' : '.'));
	if (!same)
		parent.append(R.h('div', {class: 'banner'}, `The results themselves were made by commit ${R.model.file.git_commit}; its errors may differ.`));
	parent.append(R.h('p', {class: 'note'}, 'Constants were fitted to some of these rows, so this table says how well the model is calibrated; only rows that nothing was fitted to validate it.'));
	const value = f => x => x[f] === null ? '–' : R.digits(100 * x[f], 3);
	const bar = x => {
		if (x.median === null)
			return '';
		const svg = d3.create('svg').attr('width', 160).attr('height', 12).attr('aria-hidden', true), at = v => Math.min(160, v * 320);
		svg.append('rect').attr('y', 4).attr('width', at(x.p90)).attr('height', 4).style('fill', 'var(--c5)');
		svg.append('rect').attr('y', 1).attr('width', at(x.median)).attr('height', 10).style('fill', 'var(--c0)');
		return svg.node();
	};
	parent.append(R.table([{head: 'family', cell: x => [x.family === 'all' ? 'best' : '', x.family]}, {head: 'rows', number: true, cell: x => x.rows}, {head: 'could run', number: true, cell: x => x.ran},
		{head: 'mean', unit: '%', number: true, cell: value('mean')}, {head: 'median', unit: '%', number: true, cell: value('median')}, {head: 'p90', unit: '%', number: true, cell: value('p90')},
		{head: 'worst', unit: '%', number: true, cell: value('worst')}, {head: 'ranking', number: true, cell: x => x.ranking === null ? '–' : x.ranking.toFixed(3)},
		{head: 'median, p90 (thin), to 50 %', cell: bar}], errors.families));
	parent.append(R.h('p', {class: 'note'}, 'Errors are |simulated − measured| by measured. Ranking: Kendall’s tau-b between simulated and measured figures of one family, 1 if every pair is in the right order.'));
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
