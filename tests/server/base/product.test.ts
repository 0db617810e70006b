import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { product, productName } from '#server/base/product.ts'

it('the product has one name, in the document, its mark, its words and the server', () => {
  const page = readFileSync('index.html', 'utf8')
  expect(page).toContain(`<title>${productName}</title>`)
  expect(page).toContain(`<span class="shell-frame-mark"></span>${productName}<`)
  expect(readFileSync('public/favicon.svg', 'utf8')).toContain(`<title>${productName}</title>`)
  const titles = ['en', 'ru'].map((language) => JSON.parse(readFileSync(`public/locales/${language}.json`, 'utf8')).app.title)
  expect(titles).toEqual(product)
})
