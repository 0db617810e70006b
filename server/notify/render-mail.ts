import { languageRow, say } from '#schema/words.ts'
import type { Mail, MailTemplate } from '#server/base/mail.ts'
import { product } from '#server/base/product.ts'
import { templateOf } from './mail-templates.ts'

export type RenderedMail = { to: string; replyTo?: string; subject: string; text: string; html: string }

/** Removes control characters except line feed and tab, and bidi marks, which could disguise an address. */
const clean = (text: string) => text.replace(/[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/gu, '')
const oneLine = (text: string) => clean(text).replace(/\s+/g, ' ').trim()

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter)

/** True for mails that are of no use without the link that their token opens. */
export const needsToken = (template: MailTemplate): boolean => templateOf(template).path !== undefined

/** Renders a mail. Links start with `publicUrl`; the token is in the fragment, which no server logs. */
export function renderMail(mail: Mail, publicUrl: string): RenderedMail {
  const { to, language, template, values = {}, token, page, replyTo } = mail
  const { subject, paragraphs, path, button } = templateOf(template)
  const cleaned = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, clean(value)]))
  const texts = paragraphs.map((paragraph) => say(paragraph, language, cleaned))
  const target = path && token ? `${path}#token=${token}` : page
  const link = target === undefined ? undefined : `${publicUrl}${target}`
  const html = texts.map((text) => `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`)
  const anchor = link && button ? [`<p><a href="${escapeHtml(link)}">${escapeHtml(say(button, language))}</a></p>`] : []
  return {
    to,
    ...(replyTo ? { replyTo } : {}),
    subject: oneLine(say(subject, language, { product: say(product, language), ...cleaned })).slice(0, 200),
    text: [...texts, ...(link ? [link] : [])].join('\n\n'),
    html: `<!doctype html><html lang="${language}" dir="${languageRow(language).direction}"><body>${[...html, ...anchor].join('')}</body></html>`,
  }
}
