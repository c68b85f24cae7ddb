/* A chart of lines, steps or points over two axes, with legend, tips and zoom; and the frame that
 * other charts share. It is drawn again when the width of its box changes. */

/* Calls draw(width) now and whenever the width of `box` changes. */
R.fluid = function (box, draw) {
	let last = 0;
	const now = () => {
		const width = Math.round(box.clientWidth);
		if (width > 0 && width !== last) {
			last = width;
			draw(width);
		}
	};
	new ResizeObserver(() => requestAnimationFrame(now)).observe(box);
	now();
	return () => { last = 0; now(); };
};

R.svg = function (box, name, width, height) {
	d3.select(box).selectAll('svg.plot').remove();
	return d3.select(box).append('svg').attr('class', 'plot').attr('data-chart', name)
		.attr('viewBox', `0 0 ${width} ${height}`).attr('role', 'img').attr('aria-label', name);
};

/* Buttons that show and hide series. `hidden` is the set of names of hidden series. */
R.legend = function (entries, hidden, change) {
	return R.h('div', {class: 'legend'}, entries.map(entry => {
		const button = R.h('button', {type: 'button', 'aria-pressed': !hidden.has(entry.name), onclick: () => {
			if (hidden.has(entry.name))
				hidden.delete(entry.name);
			else
				hidden.add(entry.name);
			button.setAttribute('aria-pressed', !hidden.has(entry.name));
			change();
		}}, R.swatch(entry.color, entry.dash, entry.box ? 'box' : entry.kind === 'points' ? entry.hollow ? 'ring' : 'dot' : 'line'), entry.name);
		return button;
	}));
};

/* Returns the space on the left for texts of 12 pixels. */
R.gutter = (texts, most) => Math.min(most, 14 + 6.7 * d3.max(texts, t => t.length));

/* Returns a text that is as long as `text` in bold letters. */
R.bold = text => text + ' '.repeat(Math.ceil(0.14 * text.length));

R.cut = (text, pixels) => {
	const most = Math.floor(pixels / 6.7);
	return text.length > most ? text.slice(0, Math.max(1, most - 1)) + '…' : text;
};

/* Rows of bars, each `line` pixels high. Names are to the left of the bars, or above them in a
 * narrow chart. `left` is where bars begin, `top` their offset in a row; name(texts, text) places
 * and fills in names. */
R.barRows = function (width, names, share, line) {
	const narrow = width < 520, gutter = R.gutter(names, share * width);
	return {
		left: narrow ? 12 : gutter + 10, top: narrow ? 15 : 0, height: narrow ? line + 15 : line,
		name: (texts, text, isBold) => texts.attr('class', 'strong').attr('x', narrow ? 0 : gutter).attr('y', narrow ? 12 : line / 2 + 4.5)
			.attr('text-anchor', narrow ? 'start' : 'end').attr('font-weight', d => isBold && isBold(d) ? 600 : null)
			.text(d => R.cut(text(d), (narrow ? width : gutter) * (isBold && isBold(d) ? 0.88 : 1))),
	};
};

/* Ticks of a linear scale: at most `most`, and so few that their labels do not overlap. */
R.ticks = function (scale, most, format) {
	const [start, end] = scale.range(), pixels = Math.abs(end - start);
	for (let count = most; count > 1; count--) {
		const ticks = scale.ticks(count);
		if ((ticks.length - 1) * (7 * d3.max(ticks, t => format(t).length) + 10) <= pixels)
			return ticks;
	}
	return scale.ticks(1);
};

/* Returns the given ticks without those whose labels would overlap others. */
R.apart = function (ticks, scale, format) {
	let last = -Infinity;
	return ticks.filter(t => {
		const half = 3.5 * format(t).length, free = scale(t) - half >= last + 6;
		last = free ? scale(t) + half : last;
		return free;
	});
};

/* Words below an axis. They end at `right`, or at the edge of the chart if they are too long for
 * that. */
R.caption = (svg, text, right, y, width) => svg.append('text').attr('x', text.length * 6.4 > right ? width : right)
	.attr('y', y).attr('text-anchor', 'end').text(text);

function axisFormat(spec) {
	return value => spec.format ? spec.format(value) : R.count(value);
}

function makeScale(spec, domain, range) {
	if (spec.log)
		return d3.scaleLog().base(spec.log).domain(domain).range(range);
	return d3.scaleLinear().domain(domain).range(range);
}

function domainOf(spec, values) {
	let [low, high] = d3.extent(values);
	if (low === undefined)
		[low, high] = [0, 1];
	if (spec.log)
		return low === high ? [low / 2, high * 2] : [low, high];
	if (spec.zero)
		low = Math.min(0, low);
	const more = (spec.span || 0) * Math.abs(high) - (high - low);
	if (more > 0)
		[low, high] = [low - more / 2, high + more / 2];
	const space = (high - low) * 0.04 || Math.abs(high) * 0.1 || 1;
	const domain = [spec.zero && low === 0 ? 0 : low - space, spec.most !== undefined ? spec.most : high + space];
	return spec.nice ? d3.scaleLinear().domain(domain).nice(6).domain() : domain;
}

function drawAxes(svg, frame, x, y, spec) {
	const ticks = (scale, s, count) => {
		if (s.ticks)
			return s.ticks.filter(t => t >= scale.domain()[0] && t <= scale.domain()[1]);
		if (!s.log)
			return scale.ticks(count);
		const all = scale.ticks(count), lead = t => t / Math.pow(10, Math.floor(Math.log10(t) + 1e-9));
		const kept = [[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 5], [1]].find(leads =>
			all.filter(t => leads.includes(Math.round(lead(t)))).length <= 9) || [1];
		return s.log === 10 ? all.filter(t => kept.includes(Math.round(lead(t)))) : all;
	};
	const xs = R.apart(ticks(x, spec.x, Math.max(3, frame.width / 110)), x, axisFormat(spec.x)), ys = ticks(y, spec.y, 6);
	svg.append('g').selectAll('line').data(ys).join('line').attr('class', 'gridline')
		.attr('x1', frame.left).attr('x2', frame.left + frame.width).attr('y1', y).attr('y2', y);
	svg.append('g').attr('class', 'axis').attr('transform', `translate(0,${frame.top + frame.height})`)
		.call(d3.axisBottom(x).tickValues(xs).tickFormat(axisFormat(spec.x)).tickSizeOuter(0));
	svg.append('g').attr('class', 'axis').attr('transform', `translate(${frame.left},0)`)
		.call(d3.axisLeft(y).tickValues(ys).tickFormat(axisFormat(spec.y)).tickSizeOuter(0))
		.call(g => g.select('.domain').remove());
	R.caption(svg, spec.x.label, frame.left + frame.width, frame.top + frame.height + 36, frame.left + frame.width + 18);
	svg.append('text').attr('x', 0).attr('y', frame.top - 10).text(spec.y.label);
}

function drawMarks(plot, frame, x, marks) {
	(marks || []).forEach((mark, i) => {
		const at = x(mark.at);
		if (!(at >= frame.left && at <= frame.left + frame.width))
			return;
		const end = at > frame.left + frame.width / 2;
		plot.append('line').attr('class', 'rule mark').attr('x1', at).attr('x2', at)
			.attr('y1', frame.top).attr('y2', frame.top + frame.height);
		plot.append('text').attr('class', 'strong mark').attr('x', at + (end ? -5 : 5))
			.attr('y', frame.top + 12 + 15 * (i % 4)).attr('text-anchor', end ? 'end' : 'start')
			.text(R.cut(mark.label, (end ? at - frame.left : frame.left + frame.width - at) - 8)).append('title').text(mark.label);
	});
}

function drawSeries(plot, series, x, y) {
	if (series.band)
		plot.append('path').datum(series.band).style('fill', series.color).attr('fill-opacity', 0.13)
			.attr('d', d3.area().x(p => x(p[0])).y0(p => y(p[1])).y1(p => y(p[2])));
	if (series.points.length === 1 || series.kind === 'points' || series.dots)
		plot.append('g').selectAll('circle').data(series.points).join('circle').attr('r', series.radius || 3.6)
			.attr('cx', p => x(p[0])).attr('cy', p => y(p[1])).style('fill', series.color)
			.attr('fill-opacity', series.hollow ? 0 : series.kind === 'points' ? 0.75 : 1)
			.style('stroke', series.hollow ? series.color : null).attr('stroke-width', 2);
	if (series.kind === 'points')
		return;
	plot.append('path').datum(series.points).attr('class', 'series').attr('data-series', series.name)
		.attr('fill', 'none').style('stroke', series.color).attr('stroke-width', series.thin ? 1 : 2)
		.attr('stroke-dasharray', series.dash || null).attr('stroke-linejoin', 'round')
		.attr('d', d3.line().x(p => x(p[0])).y(p => y(p[1]))
			.curve(series.kind === 'step' ? d3.curveStepAfter : d3.curveLinear));
}

/* The point of any series that is nearest to the pointer; for lines, only x counts. */
function nearest(series, x, y, px, py) {
	let best = null;
	for (const s of series)
		for (const point of s.points) {
			const distance = Math.hypot(x(point[0]) - px, y(point[1]) - py);
			if (!best || distance < best.distance)
				best = {distance, series: s, point};
		}
	return best;
}

/* Draws a chart. spec: name; height; left: where the plot begins; x and y: {label, format, log,
 * zero, most, ticks, span: least part of the largest value that the axis covers}; series: {name,
 * color, dash, kind, points: [[x, y, extra]], band, dots, quiet}; marks; tip(series, point): [head,
 * entries]. */
R.chart = function (parent, spec) {
	const hidden = new Set(), box = R.h('div', {class: 'chart'});
	let zoom = null;
	const reset = R.h('button', {class: 'reset', type: 'button', hidden: true, onclick: () => {
		zoom = null;
		again();
	}}, 'reset zoom');
	const named = spec.series.filter(s => !s.quiet);

	function draw(width) {
		const height = spec.height || 340;
		const labels = [];
		const shown = spec.series.filter(s => !hidden.has(s.name));
		const all = shown.flatMap(s => s.points), bands = shown.flatMap(s => s.band || []);
		const xDomain = zoom ? zoom[0] : domainOf(spec.x, all.map(p => p[0]).concat((spec.x.ticks && !zoom) ? spec.x.ticks : []));
		const yDomain = zoom ? zoom[1] : domainOf(spec.y, all.map(p => p[1]).concat(bands.flatMap(b => [b[1], b[2]])));
		d3.scaleLinear().domain(yDomain).ticks(6).forEach(t => labels.push(axisFormat(spec.y)(t)));
		const left = spec.left || Math.max(44, R.gutter(labels, 110));
		const frame = {left, top: 26, width: width - left - 18, height: height - 26 - 44};
		const x = makeScale(spec.x, xDomain, [frame.left, frame.left + frame.width]);
		const y = makeScale(spec.y, yDomain, [frame.top + frame.height, frame.top]);
		const svg = R.svg(box, spec.name, width, height);
		const clip = `clip-${spec.name}-${Math.round(width)}`;
		svg.append('clipPath').attr('id', clip).append('rect').attr('x', frame.left - 4)
			.attr('y', frame.top - 5).attr('width', frame.width + 8).attr('height', frame.height + 10);
		drawAxes(svg, frame, x, y, spec);
		const plot = svg.append('g').attr('clip-path', `url(#${clip})`);
		shown.forEach(s => drawSeries(plot, s, x, y));
		drawMarks(plot, frame, x, spec.marks);
		if (spec.level !== undefined)
			plot.append('line').attr('class', 'level').attr('x1', frame.left).attr('x2', frame.left + frame.width)
				.attr('y1', y(spec.level)).attr('y2', y(spec.level));
		const spot = svg.append('circle').attr('r', 5).attr('fill', 'none').attr('stroke-width', 2)
			.attr('visibility', 'hidden').style('pointer-events', 'none');
		const brush = d3.brush().extent([[frame.left, frame.top], [frame.left + frame.width, frame.top + frame.height]])
			.on('end', () => {
				const area = d3.event.selection;
				if (!d3.event.sourceEvent || !area)
					return;
				if (area[1][0] - area[0][0] > 6 && area[1][1] - area[0][1] > 6)
					zoom = [[x.invert(area[0][0]), x.invert(area[1][0])], [y.invert(area[1][1]), y.invert(area[0][1])]];
				again();
			});
		const layer = svg.append('g').attr('class', 'brush').call(brush);
		layer.on('mousemove', () => {
			const [px, py] = d3.mouse(svg.node());
			const near = nearest(shown.filter(s => !s.quiet), x, y, px, py);
			if (!near || near.distance > 60) {
				spot.attr('visibility', 'hidden');
				R.hideTip();
				return;
			}
			spot.attr('visibility', null).attr('cx', x(near.point[0])).attr('cy', y(near.point[1]))
				.style('stroke', near.series.color);
			const [head, entries] = spec.tip(near.series, near.point);
			R.tip(d3.event, head, entries);
		}).on('mouseleave', () => {
			spot.attr('visibility', 'hidden');
			R.hideTip();
		}).on('dblclick', () => {
			zoom = null;
			again();
		});
		reset.hidden = !zoom;
	}

	if (named.length > 1)
		parent.append(R.legend(named, hidden, () => again()));
	box.append(reset);
	parent.append(box);
	const again = R.fluid(box, draw);
	return box;
};
