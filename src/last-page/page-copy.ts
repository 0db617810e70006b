/** An element as data: its name, its attributes, and the places of its contents among the parts. */
type ElementPart = [tag: string, attributes: Record<string, string>, inside: number[]]
/**
 * A piece of a page as data, each part after those inside it, the outermost last. Rows share most of their parts. Each
 * stands here once, which makes a list of 25 rows a few kilobytes.
 */
export type PageCopy = (string | ElementPart)[]

/** Elements that only show something. A copy has no others, whatever the browser's storage holds. */
const shown = new Set(
  (
    'a aside button caption col colgroup div em h1 h2 header i input label li main nav ol optgroup option p search section ' +
    'select small span strong table tbody td th thead time tr ul svg g path circle rect line polyline polygon ellipse'
  ).split(' '),
)
/** No address is among them: a copy loads nothing and leads nowhere. Nor is a title or a control's name, which repeat values. */
const kept = new RegExp(
  '^(?:class|style|type|placeholder|disabled|selected|colspan|rowspan|scope|dir|lang|' +
    'width|height|viewBox|d|c[xy]|r|[xy][12]?|r[xy]|points|transform|fill|stroke|stroke-[a-z]+|' +
    'aria-(?:hidden|current|sort|expanded|pressed)|data-(?:align|wrap|tone|link|kind|size|density|state|wide))$',
)
/** Messages and open menus, which belong to the former visit. The question above a page stands there again, and takes its place. */
const passing =
  '[hidden], [popover], dialog, [role=menu], [role=dialog], [role=status]:not(.ui-main > .ui-tone-info), [role=alert]'

const svgSpace = 'http://www.w3.org/2000/svg'

/** Only cells of fields that may be kept are copied; those without a text, such as a checkbox, have nothing to hide. */
const isMasked = (element: Element) => element.matches('tbody :is(td, th):not([data-kept])') && element.textContent !== ''

/** Rows that begin below the window cost time and are not seen. */
const isBelowWindow = (element: Element) => element.matches('tbody tr') && element.getBoundingClientRect().top >= innerHeight

/** A bar of the size of what may not be kept, so that its column stays as wide. */
function barOf(cell: Element): ElementPart {
  const range = document.createRange()
  range.selectNodeContents(cell)
  const { width, height } = range.getBoundingClientRect()
  return ['span', { class: 'ui-skeleton', style: `width:${Math.ceil(width)}px;height:${Math.ceil(height)}px` }, []]
}

function attributesOf(element: Element): Record<string, string> {
  const attributes = Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]))
  if (element instanceof HTMLOptionElement && element.selected) attributes.selected = ''
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => kept.test(name)))
}

/** A piece of the page as data: nothing but what a copy may have and a window shows, and bars for the values of all other fields. */
export function copyPage(root: Element): PageCopy {
  const parts: PageCopy = []
  const places = new Map<string, number>()
  const put = (part: string | ElementPart): number => {
    const key = JSON.stringify(part)
    const place = places.get(key) ?? parts.push(part) - 1
    places.set(key, place)
    return place
  }
  const visit = (node: Node): number[] => {
    if (node instanceof Text) return [put(node.data)]
    if (!(node instanceof Element) || !shown.has(node.localName) || node.matches(passing) || isBelowWindow(node)) return []
    const inside = isMasked(node) ? [put(barOf(node))] : [...node.childNodes].flatMap(visit)
    return [put([node.localName, attributesOf(node), inside])]
  }
  visit(root)
  return parts
}

/** Parts that hold each other twice and twice would never end; a list of 200 rows has some thousand elements. */
const mostElements = 20_000

/** The element of a copy; throws for data of another shape. */
export function elementOf(parts: PageCopy): Element {
  let count = 0
  const build = (place: number, isDrawing: boolean): Element | string => {
    const part = parts[place]
    if (typeof part === 'string') return part
    if (!part || !shown.has(part[0]) || ++count > mostElements) throw new Error('no copy of a page')
    const [tag, attributes, inside] = part
    const isSvg = isDrawing || tag === 'svg'
    const element = isSvg ? document.createElementNS(svgSpace, tag) : document.createElement(tag)
    for (const [name, value] of Object.entries(attributes)) if (kept.test(name)) element.setAttribute(name, value)
    for (const each of inside) {
      if (each >= place) throw new Error('no copy of a page')
      element.append(build(each, isSvg))
    }
    return element
  }
  const root = build(parts.length - 1, false)
  if (typeof root === 'string') throw new Error('no copy of a page')
  return root
}
