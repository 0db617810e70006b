import type { MailTemplate } from '#server/base/mail.ts'
import { factorMails } from './factor-mails.ts'
import { hello, notYou, type Template, tellUs } from './mail-phrases.ts'
import { noticeTemplates } from './notice-templates.ts'

export const mailTemplates = {
  register: {
    subject: ['Your account in {product}', 'Ваша учётная запись: {product}'],
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
  'change-email-ended': {
    subject: ['The change of your e-mail address was cancelled', 'Смена адреса вашей почты отменена'],
    paragraphs: [
      hello,
      [
        'The change of your address to {email} was not confirmed yet. It was cancelled when all sessions of your account were ended.',
        'Смена адреса на {email} ещё не была подтверждена. Она отменена, потому что все сеансы вашей учётной записи завершены.',
      ],
      [
        'If you still want it, sign in and ask for it again. If you never asked for it, tell your administrator.',
        'Если она вам нужна, войдите и запросите её снова. Если вы её не запрашивали, сообщите администратору.',
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
  ...factorMails,
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

/** The template with the general row type. */
export const templateOf = (name: MailTemplate): Template => mailTemplates[name]
