import { expect, it } from 'vitest'
import { LANGUAGES } from '#schema/words.ts'
import { renderMail } from '#server/notify/render-mail.ts'

it.each(LANGUAGES)('a mail in $code tells its language and direction', ({ code, direction }) => {
  const { html } = renderMail({ to: 'a@example.com', language: code, template: 'password-changed' }, 'https://console.example')
  expect(html).toContain(`<html lang="${code}" dir="${direction}">`)
})
