import type { MailTemplate } from '#server/base/mail.ts'
import { hello, type Template } from './mail-phrases.ts'

/** Mails about the fleet, to the people who operate it. */
export const noticeTemplates = {
  warnings: {
    subject: ['{subject}', '{subject}'],
    paragraphs: [
      hello,
      ['{list}', '{list}'],
      [
        'Your profile sets which warnings you get mails about.',
        'О каких предупреждениях присылать письма, указано в вашем профиле.',
      ],
    ],
    button: ['Open in the console', 'Открыть в консоли'],
  },
  escalation: {
    subject: ['{subject}', '{subject}'],
    paragraphs: [hello, ['{text}', '{text}']],
    button: ['Open in the console', 'Открыть в консоли'],
  },
  'rollout-paused': {
    subject: ['Rollout paused: {rollout}', 'Раскатка приостановлена: {rollout}'],
    paragraphs: [
      hello,
      [
        'The rollout {rollout} has paused automatically: {why}. No more boards will start until an admin resumes it.',
        'Раскатка {rollout} приостановлена автоматически: {why}. Новые платы не начнут, пока администратор её не продолжит.',
      ],
    ],
    button: ['Open in the console', 'Открыть в консоли'],
  },
  'webhook-paused': {
    subject: ['Webhook paused: {webhook}', 'Вебхук приостановлен: {webhook}'],
    paragraphs: [
      hello,
      [
        'The webhook {webhook} has paused automatically: {why}. Messages are kept and sent once an admin resumes it.',
        'Вебхук {webhook} приостановлен автоматически: {why}. Сообщения копятся и уйдут, когда администратор его запустит.',
      ],
    ],
    button: ['Open in the console', 'Открыть в консоли'],
  },
} as const satisfies Partial<Record<MailTemplate, Template>>
