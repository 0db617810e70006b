import { productName } from '#server/base/product.ts'
import { address, email, sender } from './setting-values.ts'

/** Variables of mails that leave and of the address for support. */
export const mailVariables = {
  smtpUrl: {
    name: 'SMTP_URL',
    schema: address('smtp', 'smtps').optional(),
    absent: 'mails go to DATA_DIR/outbox',
    about: 'Mail server: smtp://user:password@host:587',
  },
  mailFrom: {
    name: 'MAIL_FROM',
    schema: sender.default(`${productName} <no-reply@localhost>`),
    absent: `${productName} <no-reply@localhost>`,
    about: 'Sender of mails',
  },
  supportEmail: { name: 'SUPPORT_EMAIL', schema: email.optional(), absent: '', about: 'Where messages of the support page go' },
} as const
