import type { QueryExecutorProvider } from 'kysely'
import type { Language } from '#schema/words.ts'

/** All mail templates; the texts are in `notify`. */
export type MailTemplate =
  | 'register'
  | 'invite-guest'
  | 'invite-engineer'
  | 'change-email'
  | 'change-email-notice'
  | 'change-email-taken'
  | 'change-email-ended'
  | 'many-failures'
  | 'restore-password'
  | 'password-changed'
  | 'factor-added'
  | 'factor-removed'
  | 'app-removed'
  | 'passkey-added'
  | 'passkey-removed'
  | 'factor-reset'
  | 'recovery-code-used'
  | 'deleted'
  | 'deleted-staff'
  | 'restored'
  | 'warnings'
  | 'escalation'
  | 'rollout-paused'
  | 'webhook-paused'
  | 'support'

/** A mail by template; text and link are rendered when it is sent, in the recipient's language. */
export type Mail = {
  to: string
  language: Language
  template: MailTemplate
  /** Values of placeholders; always rendered as plain text. */
  values?: Readonly<Record<string, string>>
  /** Secret token of the template's link. */
  token?: string
  /** Console page of the link, when it needs no token: `/telemetry-warning`. */
  page?: string
  replyTo?: string
  /** Invitation whose delivery is recorded. */
  invitationId?: string
}

/** Transactional outbox: takes mails within a transaction and sends them after the commit. */
export type MailBox = { add(db: QueryExecutorProvider, mail: Mail): Promise<void>; work(): void }
