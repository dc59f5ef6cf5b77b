"""What keys, a screen reader, large letters and forced colours find on a page."""
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from chrome import look

# WCAG 2.2, 2.5.8: 24 pixels each way, or nothing else within a circle as wide; links amid sentences, names and cells are exempt.
TARGETS = """
  document.querySelectorAll('details').forEach(one => one.open = true);
  const all = [...document.querySelectorAll('a,summary,input,button,select')]
    .map(one => ({one, box: one.getBoundingClientRect()})).filter(({box}) => box.width && box.right > 0);
  const middle = box => [box.x + box.width / 2, box.y + box.height / 2];
  const small = box => Math.min(box.width, box.height) < 24;
  return all.filter(({one, box}) => small(box) && !one.closest('p:not(.files),li,td,th,h2,h3')
    && all.some(other => {
      if (other.one === one) return false;
      const [x, y] = middle(box), [right, down] = middle(other.box);
      const beside = Math.max(other.box.left - x, 0, x - other.box.right);
      const below = Math.max(other.box.top - y, 0, y - other.box.bottom);
      return Math.hypot(beside, below) < 12 || small(other.box) && Math.hypot(right - x, down - y) < 24;
    })).map(({one}) => 'a target is too small: ' + one.textContent)"""
# In a list of all pictures, or of all links, each is known by its name alone; channels in an item stand behind their release.
NAMES = """
  const names = [...document.querySelectorAll('svg[role=img]')].map(one => one.querySelector(':scope > title')?.textContent);
  return names.filter((name, at) => !name || names.indexOf(name) !== at).map(name => 'pictures share a name: ' + name)"""
LINKS = """
  const links = [...document.querySelectorAll('a[href]')].filter(one => !one.closest('.older li')?.textContent.includes(','))
    .map(one => [one.getAttribute('aria-label') ?? one.textContent.trim(), one.href]);
  return links.filter(([name, to]) => !name || links.some(([other, place]) => other === name && place !== to))
    .map(([name, to]) => `links share a name: ${name}, to ${to}`)"""
# Likewise of all tables that are folded away; who speaks to the browser says what stands there.
TABLES = """
  const tables = [...document.querySelectorAll('summary')].map(one => [one.textContent, one.ariaLabel ?? one.textContent]);
  return tables.filter(([words, name], at) => !name.startsWith(words) || tables.findIndex(one => one[1] === name) !== at)
    .map(([words, name]) => `folded away under no name of its own: ${name}`)"""
# Notes are no larger than what they are about, and both are as large as the reader's own letters.
LETTERS = """
  const size = one => parseFloat(getComputedStyle(one).fontSize);
  const notes = [...document.querySelectorAll('.note,.meta,caption')].filter(one => size(one) > size(document.body));
  return (size(document.body) === 24 ? [] : ['letters do not grow: ' + size(document.body)])
    .concat(notes.map(one => 'larger than the text: ' + one.textContent))"""
KEYS = """
  return [...document.querySelectorAll('.key bdi')].map(one => getComputedStyle(one, '::before'))
    .filter(style => style.content === 'none' || style.backgroundImage === 'none' && style.backgroundColor === 'rgba(0, 0, 0, 0)'
      || style.forcedColorAdjust !== 'none').map(() => 'a key without its line')"""


def access(driver, url):
    for width in [320, 1280]:
        look(driver, width, "light")
        driver.get(url)
        yield from (f"{width} pixels: {fault}" for fault in driver.execute_script(TARGETS))
    yield from driver.execute_script(NAMES) + driver.execute_script(LINKS) + driver.execute_script(TABLES)
    yield from keys(driver, url)
    yield from letters(driver, url)
    look(driver, 360, "light")
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "forced-colors", "value": "active"}]})
    driver.get(url)
    yield from (f"forced colours: {fault}" for fault in driver.execute_script(KEYS))
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def keys(driver, url):
    """The first key shows a way past all links, which leads past them."""
    driver.get("about:blank")
    driver.get(url)
    ActionChains(driver).send_keys(Keys.TAB).perform()
    first = driver.switch_to.active_element
    if first.get_attribute("class") != "skip" or first.rect["x"] < 0:
        yield "no way past the links is shown"
        return
    ActionChains(driver).send_keys(Keys.ENTER, Keys.TAB).perform()
    if not driver.execute_script("return document.querySelector('main').contains(document.activeElement)"):
        yield "the way past the links does not lead past them"


def letters(driver, url):
    for width, size in [(320, 16), (320, 32), (1280, 24)]:
        look(driver, width, "light")
        driver.execute_cdp_cmd("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size}})
        driver.get(url)
        wide = driver.execute_script("return document.documentElement.scrollWidth")
        if wide > width:
            yield f"{wide} pixels wide in a window of {width} with letters of {size}"
    yield from driver.execute_script(LETTERS)
    driver.execute_cdp_cmd("Page.setFontSizes", {"fontSizes": {"standard": 16, "fixed": 13}})
