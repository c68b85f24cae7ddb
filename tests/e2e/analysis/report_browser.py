# Drives pages of `meshsim report` in headless Chromium: GRID.html MANY.html LIMIT.html HOLES.html TRACED.html
# CHROMEDRIVER RUNS, the number of runs of MANY.
# Prints errors and exits with 1 if there are any. Keeps screenshots in $MESHSIM_SCREENSHOTS, if that is set.
import base64
import os
import re
import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

grid, many, limit, holes, traced, driver_path = sys.argv[1:7]
runs = int(sys.argv[7])
shots = os.environ.get("MESHSIM_SCREENSHOTS")
bad = []


def start():
    options = Options()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--hide-scrollbars", "--window-size=1280,1000"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(driver_path), options=options)


browser = start()


def check(what, good, seen=""):
    if not good:
        bad.append("%s%s" % (what, ": %s" % (seen,) if seen != "" else ""))


def js(script, *arguments):
    return browser.execute_script(script, *arguments)


def prefer(theme):
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
                            {"features": [{"name": "prefers-color-scheme", "value": theme}]})


def load(name, theme="light"):
    prefer(theme)
    browser.get("file://" + os.path.abspath(name))
    js("try { localStorage.clear(); } catch (e) {}")
    browser.get("file://" + os.path.abspath(name))
    end = time.time() + 60
    while js("return document.body.dataset.ready") != "yes" and time.time() < end:
        time.sleep(0.05)
    check("%s is drawn" % name, js("return document.body.dataset.ready") == "yes")
    time.sleep(0.3)


def no_errors(name):
    for entry in browser.get_log("browser"):
        bad.append("console of %s: %s" % (name, entry["message"]))


def screenshot(name):
    if not shots:
        return
    height = js("return document.documentElement.scrollHeight")
    image = browser.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": {
        "x": 0, "y": 0, "width": js("return innerWidth"), "height": min(height, 16000), "scale": 1}})
    with open(os.path.join(shots, name), "wb") as file:
        file.write(base64.b64decode(image["data"]))


def chart(name):
    return browser.find_element(By.CSS_SELECTOR, "[data-chart='%s']" % name)


def count(selector):
    return len(browser.find_elements(By.CSS_SELECTOR, selector))


def hover(element, dx=0, dy=0):
    js("arguments[0].scrollIntoView({block: 'center'})", element)
    ActionChains(browser).move_to_element_with_offset(element, dx, dy).perform()
    time.sleep(0.1)
    return js("const t = document.getElementById('tip'); return t.hidden ? '' : t.innerText")


def sections_have_charts():
    expected = {"verdicts": ["margins", "trade"], "latency": ["distribution", "percentiles"],
                "scaling": ["throughput", "scaling"], "links": ["mesh"], "paths": ["stages", "waterfall"],
                "loads": ["threads", "roles", "in-flight"]}
    for section, charts in expected.items():
        for name in charts:
            found = browser.find_elements(By.CSS_SELECTOR, "#%s [data-chart='%s']" % (section, name))
            check("%s has %s" % (section, name), found)
            for element in found:
                size = element.size
                check("%s has a size" % name, size["width"] > 200 and size["height"] > 20, size)
    order = js("return Array.from(document.querySelectorAll('section')).map(s => s.id).join(' ')")
    check("sections", order == "verdicts latency scaling links paths loads layer errors provenance", order)
    questions = js("return R.model.compare.questions.length")
    check("the page begins with the best point", count("#conclusions li b") >= 1, count("#conclusions li b"))
    check("a card for each question", count(".card") == questions > 1, (count(".card"), questions))
    check("gateways", count("[data-chart='mesh'] g.gateway") == 8, count("[data-chart='mesh'] g.gateway"))
    check("chips", count("[data-chart='mesh'] g.chip") == 64, count("[data-chart='mesh'] g.chip"))
    check("links", count("[data-chart='mesh'] path.link") > 224, count("[data-chart='mesh'] path.link"))
    check("the page is no wider than the window", js("return document.documentElement.scrollWidth <= innerWidth"))
    check("a table of errors", count("#errors table") > 0, count("#errors table"))
    numbers = js("return Array.from(document.querySelectorAll('svg [d], svg [x], svg [cx], svg [transform]'))"
                 ".filter(e => /NaN|undefined|Infinity/.test(e.outerHTML.split('>')[0])).length")
    check("coordinates are numbers", numbers == 0, numbers)
    text = js("return document.body.innerText")
    for word in ("NaN", "undefined", "[object"):
        check("no '%s' is read" % word, word not in text)


def tips_are_shown():
    tip = hover(chart("distribution").find_element(By.CSS_SELECTOR, "path.series"))
    check("tip of a distribution", "share" in tip and "µs" in tip, tip)
    chips = browser.find_elements(By.CSS_SELECTOR, "[data-chart='mesh'] g.chip")
    tip = hover(chips[9])
    check("tip of a chip", "chip 9" in tip and "1, 1" in tip, tip)
    stage = chart("stages").find_elements(By.CSS_SELECTOR, "rect.stage")
    tip = hover(max(stage, key=lambda e: e.size["width"]))
    check("tip of a stage", "of the whole" in tip, tip)
    tip = hover(chart("margins"))
    check("tip of a margin", "beside the best" in tip and "95 %" in tip, tip)
    hover(browser.find_element(By.TAG_NAME, "h1"))
    check("no tip elsewhere", js("return document.getElementById('tip').hidden"))


def legends_hide_series():
    before = count("[data-chart='distribution'] path.series")
    button = browser.find_element(By.CSS_SELECTOR, "#latency .legend button")
    name = button.text
    js("arguments[0].scrollIntoView({block: 'center'})", button)
    button.click()
    names = js("return Array.from(document.querySelectorAll(\"[data-chart='distribution'] path.series\"))"
               ".map(p => p.dataset.series)")
    check("a click hides a line", len(names) == before - 1 and name not in names, (before, names))
    check("the button is up", button.get_attribute("aria-pressed") == "false")
    button.click()
    check("another click shows it", count("[data-chart='distribution'] path.series") == before)


def drags_zoom():
    def ticks():
        return js("return Array.from(document.querySelectorAll(\"[data-chart='distribution'] .axis text\"))"
                  ".map(t => t.textContent).join(' ')")
    before = ticks()
    overlay = chart("distribution").find_element(By.CSS_SELECTOR, ".brush .overlay")
    js("arguments[0].scrollIntoView({block: 'center'})", overlay)
    ActionChains(browser).move_to_element_with_offset(overlay, -200, -80).click_and_hold() \
        .move_by_offset(150, 120).release().perform()
    time.sleep(0.2)
    reset = browser.find_element(By.CSS_SELECTOR, "#latency .reset")
    check("a drag zooms", ticks() != before and reset.is_displayed())
    reset.click()
    time.sleep(0.1)
    check("reset shows all of it", ticks() == before, ticks())


def choices_act():
    def choose(section, label):
        """Selects the choice after the current one."""
        select = browser.find_element(By.CSS_SELECTOR, "#%s select[aria-label='%s']" % (section, label))
        js("const s = arguments[0]; s.selectedIndex = (s.selectedIndex + 1) % s.length;"
           "s.dispatchEvent(new Event('change'))", select)
        time.sleep(0.1)
    links = "return Array.from(document.querySelectorAll(\"[data-chart='mesh'] path.link\")).map(p => p.getAttribute('stroke')).join()"
    before = js(links)
    choose("links", "run")
    check("another run has other loads", js(links) != before)
    falls = "return document.querySelector(\"[data-chart='waterfall']\").textContent"
    before = js(falls)
    choose("paths", "to")
    check("another run falls otherwise", js(falls) != before)
    boxes = browser.find_elements(By.CSS_SELECTOR, "#latency tbody input")
    lines = count("[data-chart='distribution'] path.series")
    js("arguments[0].scrollIntoView({block: 'center'})", boxes[2])
    boxes[2].click()
    check("a tick takes a run out of charts", count("[data-chart='distribution'] path.series") == lines - 1)


def themes_change():
    back = "return getComputedStyle(document.body).backgroundColor"
    light = js(back)
    check("light by preference", light == "rgb(255, 255, 255)", light)
    screenshot("light.png")
    button = browser.find_element(By.ID, "theme")
    js("scrollTo(0, 0)")
    button.click()
    dark = js(back)
    check("the button makes it dark", dark != light and js("return document.documentElement.dataset.theme") == "dark", dark)
    button.click()
    check("and light again", js(back) == light)
    load(grid, "dark")
    check("the launches of a layer are drawn", count("#layer svg rect.slice") > 0)
    check("dark by preference", js(back) == dark, js(back))
    no_errors("the dark page")
    screenshot("dark.png")


# Finds texts of charts that overlap or leave their chart, and elements wider than the window.
OVERPRINTS = """
const found = [], seen = t => t.textContent.trim() && getComputedStyle(t).visibility !== 'hidden';
for (const svg of document.querySelectorAll('svg.plot')) {
	const edge = svg.getBoundingClientRect(), name = svg.dataset.chart;
	const texts = Array.from(svg.querySelectorAll('text')).filter(seen).map(t => [t.textContent, t.getBoundingClientRect()]);
	texts.forEach(([text, a], i) => {
		if (a.left < edge.left - 14 || a.right > edge.right + 14)
			found.push(`${name}: "${text}" leaves the chart`);
		for (const [other, b] of texts.slice(0, i))
			if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3)
				found.push(`${name}: "${text}" over "${other}"`);
	});
}
for (const e of document.querySelectorAll('main *'))
	if (e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.scroll') && !e.closest('pre') && !e.closest('svg'))
		found.push(`${e.tagName} ${e.className} is wider than the window`);
if (document.documentElement.scrollWidth > innerWidth)
	found.push(`the page is ${document.documentElement.scrollWidth} wide`);
return found;
"""


def nothing_overprints():
    for width, theme in ((390, "light"), (390, "dark"), (768, "light"), (1280, "dark")):
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 700})
        load(grid, theme)
        for found in js(OVERPRINTS):
            bad.append("at %d pixels: %s" % (width, found))
        names = js("return Array.from(document.querySelectorAll(\"[data-chart='stages'] text.strong\")).map(t => t.textContent)")
        check("runs are told apart at %d pixels" % width, len(set(names)) == len(names) > 10, names)
        screenshot("%d-%s.png" % (width, theme))
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    no_errors("narrow pages")


def text_and_charts_agree():
    """The value of a verdict appears in its chart and in the table, and its mechanism in the
    waterfall."""
    metric = js("return R.model.compare.metric")
    chosen = js("return document.querySelector(\"#latency select[aria-label='metric']\").value")
    check("the table is about the verdict's metric", chosen == metric, chosen)
    point = js("return R.model.compare.points[0]")
    row = js("return Array.from(document.querySelectorAll('#latency tbody tr'))[0].innerText")
    shown = js("return R.digits(arguments[0] / 1e6)", point["value"])
    check("the table has the verdict's value", shown in row.split(), (shown, row))
    text = js("return Array.from(document.querySelectorAll('.card dl dt'))"
              ".find(t => t.textContent === 'Mechanism').nextSibling.textContent")
    falls = chart("waterfall").text
    number = re.search(r"\+([0-9.]+) ", text).group(1)
    check("the mechanism's figure is in the waterfall", number in falls, (text, falls))
    whole = js("return R.time(R.model.compare.questions[0].contexts[0].ranking[0].value)")
    check("the verdict's value is in the stages", whole in chart("stages").text, whole)
    bars = chart("throughput").text.split()
    rates = js("return R.model.kinds.find(k => k.kind === R.model.kind).throughput.map(v => R.digits(v))")
    check("bars have the table's throughput", set(rates) <= set(bars), (rates, bars))


def paper_is_light_and_whole():
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    hidden = js("return getComputedStyle(document.getElementById('nav')).display")
    check("no contents on paper", hidden == "none", hidden)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def many_runs_scroll():
    load(many)
    no_errors("%d runs" % runs)
    rows = count("#latency tbody tr")
    check("only rows in sight are drawn", 10 < rows < 80, rows)
    js("const s = document.querySelector('#latency .scroll'); s.scrollTop = s.scrollHeight; s.dispatchEvent(new Event('scroll'))")
    time.sleep(0.2)
    last = browser.find_elements(By.CSS_SELECTOR, "#latency tbody tr:not(.pad)")[-1].text
    check("the last run is reached", last.startswith(str(runs - 1)), last)
    box = browser.find_element(By.CSS_SELECTOR, "#latency input[type=search]")
    js("arguments[0].value = 'run_ns=20000 per-device'; arguments[0].dispatchEvent(new Event('input'))", box)
    time.sleep(0.2)
    note = js("return Array.from(document.querySelectorAll('#latency .controls .note')).map(n => n.textContent).join()")
    check("the filter leaves one in ten", "%d of %d runs" % (runs // 10, runs) in note, note)
    head = browser.find_elements(By.CSS_SELECTOR, "#latency thead th.sortable")
    js("arguments[0].click(); arguments[0].click()", head[-1])
    values = js("return Array.from(document.querySelectorAll('#latency tbody tr:not(.pad) td:last-child'))"
                ".map(e => Number(e.textContent))")
    check("a click sorts", values == sorted(values, reverse=True) and len(values) > 10, values[:5])
    lines = count("[data-chart='distribution'] path.series")
    check("few lines are drawn", 2 < lines <= 20, lines)


def failures_are_told():
    load(limit)
    no_errors("a failed run")
    text = browser.find_element(By.ID, "failures").text
    check("failed runs come first", "1 of 2 runs did not end well" in text and "limit" in text, text)
    check("a name or description is no script", browser.title.endswith("· meshsim"), browser.title)
    check("the name is read", "<script>" in browser.find_element(By.TAG_NAME, "h1").text)
    check("the description is read",
          "</script><script>" in browser.find_element(By.TAG_NAME, "body").text)


def operations_are_drawn_over_time():
    """Two operations: the path and eight chips each, and the queues during that time, on one time
    axis."""
    check("without measure.trace no life is drawn", count("#life") == 0)
    hint = js("return document.getElementById('loads').innerText")
    check("but how to get it is said", "measure: {trace: {slowest: 3}}" in hint)
    for width, theme in ((1280, "light"), (390, "dark")):
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 700})
        load(traced, theme)
        bad.extend("a life at %d pixels: %s" % (width, found) for found in js(OVERPRINTS))
        screenshot("life-%d-%s.png" % (width, theme))
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    load(traced)
    rows = [t.text for t in chart("gantt").find_elements(By.CSS_SELECTOR, "text") if "chip" in t.text or "path" in t.text]
    check("the path and every chip has a row", rows[0] == "critical path" and
          sorted(rows[1:]) == ["chip %d" % i for i in range(8)], rows)
    slices = chart("gantt").find_elements(By.CSS_SELECTOR, "rect.slice")
    check("slices", len(slices) > 30, len(slices))
    tip = hover(max(slices, key=lambda e: e.size["width"]))
    check("tip of a slice", "from" in tip and "chip" in tip or "path" in tip, tip)
    edges = js("return ['gantt', 'queue-depths'].map(n => { const a = document.querySelector(`[data-chart='${n}'] .axis .domain`)"
               ".getBoundingClientRect(); return [a.left, a.right]; })")
    check("one axis of time", abs(edges[0][0] - edges[1][0]) < 2 and abs(edges[0][1] - edges[1][1]) < 2, edges)
    before = chart("gantt").get_attribute("innerHTML")
    select = browser.find_element(By.CSS_SELECTOR, "#life select[aria-label='operation']")
    check("each operation can be chosen", len(select.find_elements(By.TAG_NAME, "option")) == 2)
    js("arguments[0].selectedIndex = 1 - arguments[0].selectedIndex; arguments[0].dispatchEvent(new Event('change'))", select)
    time.sleep(0.2)
    check("another operation lives otherwise", chart("gantt").get_attribute("innerHTML") != before)
    no_errors("a life")


def holes_are_drawn():
    load(holes)
    no_errors("a machine with holes")
    check("one missing chip", count(".mesh .missing rect") == 1, count(".mesh .missing rect"))
    check("two missing connections", count(".mesh .missing path") == 2, count(".mesh .missing path"))
    check("chips that are there", count(".mesh g.chip") == 63, count(".mesh g.chip"))
    load(grid)
    check("a whole machine has no holes", count(".mesh .missing *") == 0, count(".mesh .missing *"))


try:
    load(grid)
    no_errors("the flagship")
    sections_have_charts()
    tips_are_shown()
    legends_hide_series()
    drags_zoom()
    choices_act()
    no_errors("the flagship in use")
    load(grid)
    text_and_charts_agree()
    themes_change()
    nothing_overprints()
    paper_is_light_and_whole()
    many_runs_scroll()
    failures_are_told()
    holes_are_drawn()
    operations_are_drawn_over_time()
finally:
    browser.quit()
print("\n".join(bad))
sys.exit(bool(bad))
