/* Draws head, contents and theme, then one section after another, so that users see the first
 * section before the last one is drawn. */

function themeButton() {
	const root = document.documentElement;
	const button = R.h('button', {id: 'theme', type: 'button', onclick: () => {
		root.dataset.theme = R.theme() === 'dark' ? 'light' : 'dark';
		try {
			localStorage.setItem('meshsim-theme', root.dataset.theme);
		} catch (e) { /* without storage, the theme lasts as long as the page */ }
		R.onTheme.forEach(f => f());
	}});
	const label = () => { button.textContent = R.theme() === 'dark' ? '☀ light' : '☾ dark'; };
	R.onTheme.push(label);
	label();
	return button;
}

function failures() {
	const bad = R.rows.filter(row => !R.good(row)), most = 12;
	if (bad.length === 0)
		return null;
	return R.h('div', {class: 'banner bad', id: 'failures'},
		R.h('b', {}, `${bad.length} of ${R.rows.length} runs did not end well`), ' and are left out of verdicts and charts.',
		R.h('ul', {}, bad.slice(0, most).map(row => R.h('li', {}, R.label(row), ': ', R.h('span', {class: 'bad-status'}, R.model.runs.status[row]),
			R.model.runs.messages[row] ? ` – ${R.model.runs.messages[row]}` : ''))),
		bad.length > most ? 'To see all, filter the table of runs by "stalled" or "failed".' : null);
}

/* What to read first: the best point of each context, how far to trust it, and each verdict. */
function conclusions() {
	const compare = R.model.compare, most = 4;
	if (!compare)
		return null;
	const best = compare.best || [], trust = (compare.trust || {platforms: [], errors: ''});
	const lines = best.slice(0, most).map(b => R.h('li', {}, R.h('b', {}, `best${b.context ? ' at ' + b.context : ''}: `), b.words));
	if (best.length > most)
		lines.push(R.h('li', {}, `the other ${best.length - most === 1 ? 'context is' : `${best.length - most} contexts are`} below, in the verdicts`));
	return R.h('div', {class: 'banner', id: 'conclusions'}, R.h('ul', {}, lines),
		R.h('p', {class: 'note'}, trust.platforms.slice(0, 3).map(p => p.words).concat(trust.errors || []).join('. ')));
}

function head() {
	const file = R.model.file, box = document.getElementById('head');
	const seeds = new Set(R.model.runs.seed).size;
	box.append(R.h('div', {}, R.h('h1', {}, R.model.scenario.name),
		R.h('p', {class: 'lead'}, R.model.scenario.description),
		R.h('p', {class: 'meta'}, R.h('b', {}, `${R.rows.length} run${R.rows.length === 1 ? '' : 's'}`), R.model.keys.length ? ` over ${R.model.keys.join(', ')}` : '',
			seeds > 1 ? `, ${seeds} seeds` : '', ` · platform ${(R.model.platforms[0] || {}).name || '?'} · meshsim ${file.meshsim_version} (${file.git_commit}) · ${R.host.created.slice(0, 10)}`),
		file.world === 'native' ? R.h('div', {class: 'banner'}, 'Native world: functional; times are of one machine and one day, not of the modelled cluster.') : null,
		/NOT optimized|sanitizer/.test(file.build) ? R.h('div', {class: 'banner'}, `Made by a slow build (${file.build}); simulated times are the same.`) : null,
		failures(), conclusions()), themeButton());
}

function start() {
	const nav = document.getElementById('nav'), main = document.getElementById('main');
	head();
	main.replaceChildren();
	const boxes = R.sections.map(section => {
		const box = R.h('section', {id: section.id}, R.h('h2', {}, section.title));
		nav.append(R.h('a', {href: '#' + section.id}, section.name));
		main.append(box);
		return box;
	});
	main.append(R.h('footer', {}, 'Written by meshsim report. This file holds all of its data and loads nothing.'));
	const seen = new IntersectionObserver(() => {
		const here = boxes.filter(b => b.getBoundingClientRect().top < innerHeight / 3).pop();
		Array.from(nav.children).forEach((a, i) => a.classList.toggle('here', boxes[i] === here));
	}, {rootMargin: '0px 0px -60% 0px', threshold: [0, 0.1]});
	let next = 0;
	const step = () => {
		if (next === boxes.length) {
			document.body.dataset.ready = 'yes';
			return;
		}
		R.sections[next].draw(boxes[next]);
		seen.observe(boxes[next]);
		next++;
		setTimeout(step, 0);
	};
	step();
}

start();
