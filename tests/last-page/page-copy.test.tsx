import { beforeEach, describe, expect, it } from 'vitest'
import { copyPage, elementOf, type PageCopy } from '#console/last-page/page-copy.ts'

const row = (code: string, owner: string) => `<tr data-link="true"><th scope="row">${owner}</th>
  <td class="ui-grid-select"><label><input type="checkbox" aria-label="Select ${owner}"></label></td>
  <td data-kept="true"><a href="/ess/${code}" title="${owner}">${code}</a></td>
  <td data-align="end"><b onclick="steal()">${owner}</b></td>
</tr>`

beforeEach(() => {
  document.body.innerHTML = `<div class="ui-frame">
    <div role="status">Saved: Ada</div><p hidden>ada@test.example</p>
    <main id="content"><table><tbody>${row('ESS-1', 'Ada')}${row('ESS-2', 'Grace')}</tbody></table>
    <select><option>10</option><option>25</option></select><script>steal()</script><iframe></iframe></main>
  </div>`
  const [, second] = document.querySelectorAll('option')
  if (second) second.selected = true
})
const frame = () => document.querySelector('.ui-frame') as Element

describe('the copy of a page', () => {
  it('has the values of fields that may be kept, and a bar for every other one', () => {
    const copy = elementOf(copyPage(frame()))
    expect([...copy.querySelectorAll('td')].map((cell) => cell.textContent)).toEqual(['', 'ESS-1', '', '', 'ESS-2', ''])
    expect(copy.querySelectorAll('td > .ui-skeleton')).toHaveLength(2)
    expect(copy.querySelectorAll('th[scope=row] > .ui-skeleton')).toHaveLength(2)
    expect(copy.querySelector('option[selected]')?.textContent).toBe('25')
  })

  it('has no names, messages, addresses, code or handlers', () => {
    const text = JSON.stringify(copyPage(frame()))
    for (const word of ['Ada', 'Grace', 'ada@', '/ess/', 'href', 'steal', 'iframe', 'aria-label', '"id"'])
      expect(text).not.toContain(word)
  })

  it('holds what rows share once', () => {
    const parts = copyPage(frame())
    expect(parts.filter((part) => part[0] === 'input')).toHaveLength(1)
    expect(parts.length).toBe(new Set(parts.map((part) => JSON.stringify(part))).size)
  })

  it('is not built from data of another shape, which could run code or never end', () => {
    const bad: PageCopy[] = [
      [],
      ['text'],
      [['script', {}, []]],
      [['div', {}, [0]]],
      [
        ['div', {}, [1]],
        ['div', {}, [0]],
      ],
    ]
    for (const copy of bad) expect(() => elementOf(copy)).toThrow('no copy of a page')
    // Each part holds the one before it twice: forty of them would be a million million elements.
    const doubled: PageCopy = Array.from({ length: 40 }, (_, at) => ['div', {}, at === 0 ? [] : [at - 1, at - 1]])
    expect(() => elementOf(doubled)).toThrow('no copy of a page')
    const copy = elementOf([['a', { href: 'javascript:steal()', onclick: 'steal()', class: 'link' }, []]])
    expect(copy.outerHTML).toBe('<a class="link"></a>')
  })
})
