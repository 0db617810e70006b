import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { productName } from '#server/base/product.ts'

it('the product has one name, in the document, its words and the server', () => {
  const page = readFileSync('index.html', 'utf8')
  expect(page).toContain(`<title>${productName}</title>`)
  expect(page).toContain(`<span class="shell-frame-mark"></span>${productName}<`)
  expect(JSON.parse(readFileSync('public/locales/en.json', 'utf8')).app.title).toBe(productName)
})
