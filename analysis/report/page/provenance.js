/* Shows what was run, where and by which version, and every constant of the machine with its
 * kind. */

function versions() {
	const file = R.model.file, host = R.host;
	const cpu = d3.sum(host.runs, r => r[1]);
	return [
		['Results', `meshsim ${file.meshsim_version}, commit ${file.git_commit} (${file.build})`],
		['Libraries', `SimGrid ${file.simgrid_version}, HDF5 ${file.hdf5_version}`],
		['World', file.world === 'native' ? 'native: functional run on threads; times are those of the machine below' : 'sim: simulated time, the same on every machine'],
		['Scenario hash', file.scenario_hash],
		['Seeds', seedText()],
		['Result file', `${host.file}, layout ${file.layout_version}, ${R.rows.length} runs`],
		['Written', `${host.created} on ${host.machine}, ${host.cores} cores, ${host.jobs} runs at a time; ${R.digits(cpu, 3)} s of CPU`],
		['Command', R.h('code', {}, host.command_line)],
		['This page', `meshsim ${R.model.writer.version}, commit ${R.model.writer.commit}; charts by D3 ${d3.version}`],
	];
}

function seedText() {
	const seeds = Array.from(new Set(R.model.runs.seed)).sort(d3.ascending);
	return seeds.length > 12 ? `${seeds.slice(0, 12).join(', ')} and ${seeds.length - 12} more` : seeds.join(', ');
}

function scenarios(parent) {
	const all = R.model.scenarios, box = R.h('pre', {id: 'scenario', tabindex: 0});
	const show = index => { box.textContent = all[index]; };
	const options = R.model.details.map(d => [d.scenario, R.label(d.row)]).filter((o, i, list) => list.findIndex(p => p[0] === o[0]) === i);
	parent.append(R.h('p', {class: 'note'}, 'Effective: every key with its value, as the runs had it. ', R.detailNote()));
	parent.append(R.h('div', {class: 'controls'}, R.choice('scenario of', options, options.length ? options[0][0] : '', value => show(Number(value)))), box);
	if (options.length)
		show(options[0][0]);
}

function constants(parent) {
	const first = R.model.platforms[0], kinds = ['assumed', 'fitted', 'measured', 'published'];
	if (!first || first.constants.length === 0) {
		parent.append(R.h('p', {class: 'note'}, 'The file holds no platform.'));
		return;
	}
	let words = '', kind = '';
	const lenders = (first.measured_on || '').split(/, */).filter(name => name);
	const isBorrowed = c => lenders.length > 0 && !lenders.includes(first.name) && (c[3] === 'fitted' || c[3] === 'measured');
	const borrowed = first.constants.filter(isBorrowed).length;
	const area = R.h('div'), count = d3.nest().key(c => c[3]).rollup(l => l.length).object(first.constants);
	const list = (rows, height) => R.table([{head: 'constant', cell: c => R.h('code', {}, c[0])}, {head: 'value', number: true, cell: c => c[1]}, {head: 'unit', cell: c => c[2]},
		{head: 'kind', cell: c => R.h('span', {}, R.h('span', {class: 'kind ' + c[3]}, c[3]), isBorrowed(c) ? ' borrowed' : '')}, {head: 'source', cell: c => ['soft', c[4]]}], rows, height);
	const draw = () => area.replaceChildren(list(first.constants.filter(c => (!kind || c[3] === kind) && (c[0] + ' ' + c[4]).toLowerCase().includes(words)), 520));
	parent.append(R.h('p', {}, `Platform ${first.name}: ${first.constants.length} constants, `,
		kinds.filter(k => count[k]).map((k, i) => [i ? ', ' : '', `${count[k]} `, R.h('span', {class: 'kind ' + k}, k)]),
		'. Nobody measured the assumed ones, and fitted ones were chosen so that figures come out right.',
		borrowed ? ` ${borrowed} are borrowed: they were measured on, or fitted to, ${lenders.join(' and ')}; ${first.name} itself was never measured, and how far its own figures are off is not known.` : ''));
	parent.append(R.h('div', {class: 'controls'},
		R.choice('kind', [['', 'all']].concat(kinds.filter(k => count[k]).map(k => [k, k])), kind, value => { kind = value; draw(); }),
		R.h('label', {}, 'filter', R.h('input', {type: 'search', oninput: event => { words = event.target.value.toLowerCase(); draw(); }}))), area);
	draw();
	R.model.platforms.slice(1).forEach((platform, i) => {
		const rows = R.rows.filter(row => R.model.platform_of[row] === i + 1);
		parent.append(R.h('details', {}, R.h('summary', {}, `${platform.name}: what is different in ${rows.length === 1 ? R.label(rows[0]) : `${rows.length} runs, the first of them ${R.label(rows[0])}`}`), list(platform.constants, 300)));
	});
	if (R.model.platform_of.includes(-1))
		parent.append(R.h('p', {class: 'note'}, 'Other runs have other platforms, which are in the result file only.'));
}

R.section('provenance', 'Scenario and provenance', 'Provenance', parent => {
	parent.append(R.h('dl', {class: 'facts'}, versions().map(([head, text]) => [R.h('dt', {}, head), R.h('dd', {}, text)])));
	parent.append(R.h('h3', {}, 'Effective scenario'));
	scenarios(parent);
	parent.append(R.h('h3', {}, 'Constants of the machine'));
	constants(parent);
});
