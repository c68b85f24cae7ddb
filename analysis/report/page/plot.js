/* The page of `meshsim validate --plot`, which has only the section about errors. */

(() => {
	const main = document.getElementById('main'), errors = R.model.errors;
	document.getElementById('head').append(R.h('div', {}, R.h('h1', {}, 'Simulated against measured'),
		R.h('p', {class: 'meta'}, `${errors.rows.length} figures measured on hardware · meshsim ${errors.version} (${errors.commit})`)));
	main.replaceChildren();
	for (const section of R.sections) {
		const box = R.h('section', {id: section.id}, R.h('h2', {}, section.title));
		main.append(box);
		section.draw(box);
	}
})();
