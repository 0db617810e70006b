import type { MailTemplate } from '#server/base/mail.ts'
import { hello, type Template, tellUs } from './mail-phrases.ts'

export const factorMails = {
  'factor-added': {
    subject: ['A second factor was set up', 'Подключён второй фактор'],
    paragraphs: [
      hello,
      [
        'From now on a code of your authenticator app is asked for when you sign in. Keep the recovery codes in a safe place.',
        'Теперь при входе нужен код из вашего приложения-аутентификатора. Храните резервные коды в надёжном месте.',
      ],
      tellUs,
    ],
  },
  'app-removed': {
    subject: ['Your authenticator app was removed', 'Приложение-аутентификатор отключено'],
    paragraphs: [
      hello,
      [
        'The authenticator app was removed from your account. Your passkeys go on as the second factor.',
        'Приложение-аутентификатор отключено от вашей учётной записи. Вторым фактором остаются ключи доступа.',
      ],
      tellUs,
    ],
  },
  'passkey-added': {
    subject: ['A passkey was added', 'Добавлен ключ доступа'],
    paragraphs: [
      hello,
      [
        'The passkey “{passkey}” was added to your account. It signs you in on its own, and is your second factor beside the password.',
        'К вашей учётной записи добавлен ключ доступа «{passkey}». Им можно войти без пароля, а при входе по паролю он служит вторым фактором.',
      ],
      tellUs,
    ],
  },
  'passkey-removed': {
    subject: ['A passkey was removed', 'Удалён ключ доступа'],
    paragraphs: [
      hello,
      ['The passkey “{passkey}” was removed from your account.', 'Ключ доступа «{passkey}» удалён из вашей учётной записи.'],
      tellUs,
    ],
  },
  'factor-removed': {
    subject: ['Your second factor was removed', 'Второй фактор удалён'],
    paragraphs: [
      hello,
      [
        'The second factor of your account was removed. The password alone is enough to sign in now.',
        'Второй фактор вашей учётной записи удалён. Для входа теперь достаточно пароля.',
      ],
      tellUs,
    ],
  },
  'factor-reset': {
    subject: ['An administrator reset your second factor', 'Администратор сбросил ваш второй фактор'],
    paragraphs: [
      hello,
      [
        'An administrator removed the second factor of your account, and all its sessions were ended. Set up a new one after you have signed in.',
        'Администратор удалил второй фактор вашей учётной записи, все её сеансы завершены. После входа подключите новый.',
      ],
      [
        'If you did not ask for it, tell your administrator at once.',
        'Если вы об этом не просили, сразу сообщите администратору.',
      ],
    ],
  },
  'recovery-code-used': {
    subject: ['A recovery code was used', 'Использован резервный код'],
    paragraphs: [
      hello,
      [
        'A recovery code of your account was used. Codes left: {count}.',
        'Использован резервный код вашей учётной записи. Осталось кодов: {count}.',
      ],
      tellUs,
    ],
  },
} as const satisfies Partial<Record<MailTemplate, Template>>
