import type { Label } from '#schema/words.ts'
import type { MailTemplate } from '#server/base/mail.ts'
import { hello, noticeTemplates, type Template } from './notice-templates.ts'

const notYou: Label = [
  'If you did not expect this mail, do nothing: without the link nothing happens.',
  'Если вы не ждали этого письма, ничего не делайте: без перехода по ссылке ничего не произойдёт.',
]
const tellUs: Label = [
  'If it was not you, tell your administrator at once.',
  'Если это сделали не вы, сразу сообщите администратору.',
]

/** Every mail that the server writes. */
export const mailTemplates = {
  register: {
    subject: ['Your account in the ESS console', 'Ваша учётная запись в консоли СНЭ'],
    paragraphs: [
      hello,
      [
        'An account was created for you. Open the link and choose a password. The link works once, until {until}.',
        'Для вас создана учётная запись. Откройте ссылку и задайте пароль. Ссылка одноразовая и действует до {until}.',
      ],
      notYou,
    ],
    path: '/register/complete',
    button: ['Finish the account', 'Завершить регистрацию'],
  },
  'invite-guest': {
    subject: ['You are invited to {code}', 'Вас приглашают к системе {code}'],
    paragraphs: [
      hello,
      [
        'You are invited to look at the energy storage system {code}. The link works once, until {until}.',
        'Вас приглашают наблюдать за системой накопления энергии {code}. Ссылка одноразовая и действует до {until}.',
      ],
      notYou,
    ],
    path: '/invitation/complete',
    button: ['Accept the invitation', 'Принять приглашение'],
  },
  'invite-engineer': {
    subject: ['You are asked to service {code}', 'Вас приглашают обслуживать {code}'],
    paragraphs: [
      hello,
      [
        'You are asked to look after the energy storage system {code}. The link works once, until {until}.',
        'Вас приглашают обслуживать систему накопления энергии {code}. Ссылка одноразовая и действует до {until}.',
      ],
      notYou,
    ],
    path: '/invitation/complete',
    button: ['Accept the invitation', 'Принять приглашение'],
  },
  'change-email': {
    subject: ['Confirm your new e-mail address', 'Подтвердите новый адрес почты'],
    paragraphs: [
      hello,
      [
        'Open the link to sign in with {email} from now on. It works once, until {until}.',
        'Откройте ссылку, чтобы входить с адресом {email}. Она одноразовая и действует до {until}.',
      ],
      notYou,
    ],
    path: '/change-email/complete',
    button: ['Confirm the address', 'Подтвердить адрес'],
  },
  'change-email-notice': {
    subject: ['Your e-mail address is being changed', 'Меняется адрес вашей почты'],
    paragraphs: [
      hello,
      [
        'Someone who knows your password asked to change the address of your account to {email}.',
        'Кто-то, кто знает ваш пароль, попросил сменить адрес вашей учётной записи на {email}.',
      ],
      tellUs,
    ],
  },
  'change-email-taken': {
    subject: ['You already have an account', 'У вас уже есть учётная запись'],
    paragraphs: [
      [
        'Someone wants to sign in with {email} from now on, but an account with this address already exists. Nothing was changed.',
        'Кто-то хочет входить с адресом {email}, но учётная запись с этим адресом уже есть. Ничего не изменилось.',
      ],
      [
        'If it was you, sign in with that account or ask your administrator.',
        'Если это были вы, войдите в эту учётную запись или обратитесь к администратору.',
      ],
    ],
  },
  'many-failures': {
    subject: ['Someone is trying to sign in as you', 'Кто-то пытается войти под вашим именем'],
    paragraphs: [
      hello,
      [
        'Within an hour {count} attempts to sign in to your account have failed. Nobody got in, and you can sign in as before.',
        'За час не удались {count} попыток войти в вашу учётную запись. Никто не вошёл, вы можете войти как обычно.',
      ],
      tellUs,
    ],
  },
  'restore-password': {
    subject: ['Choose a new password', 'Задайте новый пароль'],
    paragraphs: [
      hello,
      [
        'Open the link to choose a new password. It works once, until {until}.',
        'Откройте ссылку, чтобы задать новый пароль. Она одноразовая и действует до {until}.',
      ],
      notYou,
    ],
    path: '/restore-password',
    button: ['Choose a password', 'Задать пароль'],
  },
  'password-changed': {
    subject: ['Your password was changed', 'Ваш пароль изменён'],
    paragraphs: [
      hello,
      [
        'The password of your account was changed, and all its sessions were ended.',
        'Пароль вашей учётной записи изменён, все её сеансы завершены.',
      ],
      tellUs,
    ],
  },
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
  deleted: {
    subject: ['Your account was deleted', 'Ваша учётная запись удалена'],
    paragraphs: [
      hello,
      [
        'Your account was deleted. Until {until} the link brings it back; after that it is erased for good.',
        'Ваша учётная запись удалена. До {until} её можно восстановить по ссылке, затем она будет стёрта окончательно.',
      ],
    ],
    path: '/restore-self',
    button: ['Restore my account', 'Восстановить учётную запись'],
  },
  'deleted-staff': {
    subject: ['Your account was deleted', 'Ваша учётная запись удалена'],
    paragraphs: [
      hello,
      [
        'Your account was deleted. If that is a mistake, ask an administrator.',
        'Ваша учётная запись удалена. Если это ошибка, обратитесь к администратору.',
      ],
    ],
  },
  restored: {
    subject: ['A deleted account is back: {email}', 'Удалённая учётная запись восстановлена: {email}'],
    paragraphs: [
      [
        'The account {email} ({name}) was deleted and is restored now. The audit log says by whom.',
        'Учётная запись {email} ({name}) была удалена и теперь восстановлена. Кем, записано в журнале.',
      ],
    ],
  },
  ...noticeTemplates,
  support: {
    subject: ['[{ticket}] {topic}', '[{ticket}] {topic}'],
    paragraphs: [
      ['From: {sender} <{email}>', 'От: {sender} <{email}>'],
      ['{message}', '{message}'],
    ],
  },
} as const satisfies Record<MailTemplate, Template>

/** The same table with the general type of a row. */
export const templateOf = (name: MailTemplate): Template => mailTemplates[name]
