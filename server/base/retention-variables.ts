import { number } from './setting-values.ts'

export const retentionVariables = {
  packagesKeptDays: {
    name: 'PACKAGES_KEPT_DAYS',
    schema: number(1, 3_650).default(30),
    absent: '30',
    about: 'Days that valid packets of boards are kept; those of case files stay',
  },
  doubtfulPackagesKeptDays: {
    name: 'DOUBTFUL_PACKAGES_KEPT_DAYS',
    schema: number(1, 3_650).default(180),
    absent: '180',
    about: 'Days that packets are kept that are not valid, or not readable yet',
  },
  auditKeptDays: {
    name: 'AUDIT_KEPT_DAYS',
    schema: number(30, 36_500).optional(),
    absent: 'for ever',
    about: 'Days that entries of the audit log are kept',
  },
  webhookDeliveriesKeptDays: {
    name: 'WEBHOOK_DELIVERIES_KEPT_DAYS',
    schema: number(1, 3_650).default(30),
    absent: '30',
    about: 'Days that deliveries of webhooks are kept',
  },
  webhookHeldHours: {
    name: 'WEBHOOK_HELD_HOURS',
    schema: number(1, 8_760).default(72),
    absent: '72',
    about: 'Hours after its event that a message of a paused webhook is still sent when it is resumed',
  },
} as const
