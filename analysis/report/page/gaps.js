/* The launches of a layer in the middle of a run: when each was called, and when its kernels ran.
 * Bands show when the devices had no kernel to run, with the colour of the cause. Empty if no run
 * has two launches. */

const gapColors = {host: 'var(--c1)', dispatch: 'var(--c3)', wait: 'var(--c4)', transfer: 'var(--c2)'};
const gapKernel = 'var(--c0)', gapWaiting = '#7b8490';
const gapNames = {kernel: 'kernels run', waiting: 'called, and waits', host: 'idle: host', dispatch: 'idle: dispatch', wait: 'idle: host waits', transfer: 'idle: transfer'};

/* The gap before a launch as pieces of one cause each, the largest first. */
function gapPieces(layer, launch) {
	let at = launch.free;
	return d3.range(layer.causes.length).filter(i => launch.causes[i] > 0).sort((a, b) => launch.causes[b] - launch.causes[a]).map(i => {
		const piece = {cause: layer.causes[i], from: at, to: at + launch.causes[i]};
		at = piece.to;
		return piece;
	});
}

function drawLayer(parent, layer) {
	const launches = layer.launches, end = d3.max(launches, l => l.end), unit = R.timeUnit(end || 1);
	const pieces = launches.map(l => gapPieces(layer, l)), used = layer.causes.filter(cause => pieces.some(list => list.some(p => p.cause === cause)));
	const hidden = new Set(), box = R.h('div', {class: 'chart'});
	let again = () => {};
	const entries = [['kernel', gapKernel], ['waiting', gapWaiting]].concat(used.map(cause => [cause, gapColors[cause]]));
	const shows = what => !hidden.has(gapNames[what]);
	parent.append(R.legend(entries.map(([what, color]) => ({name: gapNames[what], color, box: true})), hidden, () => again()), box);
	again = R.fluid(box, width => {
		const many = launches.length > 24, line = many ? 14 : 22, longest = d3.max(launches, l => Math.max(l.name.length, 8)), wide = 20 + 7 * longest;
		const left = Math.min(width / 3, wide), small = many || left < wide, right = 18, head = 24, height = head + line * launches.length + 46;
		const svg = R.svg(box, 'layer', width, height), x = d3.scaleLinear().domain([0, end]).range([left, width - right]);
		const figure = v => R.plain(v), ticks = R.ticks(d3.scaleLinear().domain([0, end / unit[1]]).range(x.range()), 8, figure);
		svg.append('g').attr('class', 'axis').attr('transform', `translate(0,${height - 40})`)
			.call(d3.axisBottom(x).tickValues(ticks.map(t => t * unit[1])).tickFormat(v => figure(v / unit[1])).tickSizeOuter(0));
		R.caption(svg, `time since the layer began, ${unit[0]}`, width - right, height - 4, width);
		const rect = (from, to, y, high, color, title, lines) => svg.append('rect').attr('class', 'slice').attr('x', x(from)).attr('width', Math.max(1, x(to) - x(from)))
			.attr('y', y).attr('height', high).style('fill', color).on('mousemove', () => R.tip(d3.event, title, lines)).on('mouseleave', R.hideTip);
		svg.append('text').attr('class', 'strong').attr('x', left - 8).attr('y', 9).attr('dy', '.35em').attr('text-anchor', 'end').text('devices');
		launches.forEach((launch, i) => {
			const y = head + line * i, started = launch.end - launch.kernel, waits = Math.max(0, launch.returned);
			for (const piece of pieces[i].filter(p => shows(p.cause))) {
				const lines = [['before', launch.name], ['for', R.time(piece.to - piece.from)]];
				rect(piece.from, piece.to, 0, 18, gapColors[piece.cause], gapNames[piece.cause], lines);
				rect(piece.from, piece.to, head, line * launches.length, gapColors[piece.cause], gapNames[piece.cause], lines).style('opacity', 0.22);
			}
			svg.append('text').attr('x', left - 8).attr('y', y + line / 2 - 1).attr('dy', '.35em').attr('text-anchor', 'end').style('font-size', small ? '9px' : null).text(launch.name.length > 24 ? launch.name.slice(0, 23) + '…' : launch.name);
			if (shows('waiting') && started > waits)
				rect(waits, started, y + line / 2 - 2, 2, gapWaiting, gapNames.waiting, [['launch', launch.name], ['called', R.time(Math.abs(launch.called)) + (launch.called < 0 ? ' before the layer began' : ' after it began')]]);
			if (shows('kernel')) {
				const lines = [['launch', launch.name], ['for', R.time(launch.kernel)], ['idle before', R.time(launch.end - launch.kernel - launch.free)]];
				rect(started, launch.end, 0, 18, gapKernel, gapNames.kernel, lines);
				rect(started, launch.end, y + 2, line - 4, gapKernel, gapNames.kernel, lines);
			}
		});
	});
	const idle = d3.sum(pieces, list => d3.sum(list, p => p.to - p.from)), parts = used.map(cause => `${cause} ${R.percent(d3.sum(pieces, list => d3.sum(list.filter(p => p.cause === cause), p => p.to - p.from)) / (end || 1))}`);
	parent.append(R.h('p', {class: 'note'}, `${launches.length} of ${layer.launches_all} launches, after ${R.time(layer.start)}. No kernel runs in ${R.percent(idle / (end || 1))} of this time`,
		parts.length > 0 ? `: ${parts.join(', ')}.` : '.', ' meshsim advise says what each change of the design would give.'));
}

function drawLayers(parent) {
	const choices = R.detailChoices().filter(([value]) => R.model.details[value].layer), area = R.h('div'), controls = R.h('div', {class: 'controls'});
	const choose = value => {
		controls.replaceChildren(R.choice('run', choices, value, choose));
		area.replaceChildren();
		drawLayer(area, R.model.details[value].layer);
	};
	parent.append(controls, area);
	choose(choices[0][0]);
}

if (R.model.details.some(d => d.layer))
	R.section('layer', 'When the devices are idle', 'Idle devices', drawLayers);
