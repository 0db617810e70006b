import type { QueryExecutorProvider } from 'kysely'
import type { Language } from '#schema/words.ts'

/** Every mail that the server sends; the texts are in `notify`. */
export type MailTemplate =
  | 'register'
  | 'invite-guest'
  | 'invite-engineer'
  | 'change-email'
  | 'change-email-notice'
  | 'change-email-taken'
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

/** A mail by its template; text and link are made when it leaves, in the receiver's language. */
export type Mail = {
  to: string
  language: Language
  template: MailTemplate
  /** Fills `{name}` of the template; whatever is in it arrives as plain text. */
  values?: Readonly<Record<string, string>>
  /** The secret of the template's link. */
  token?: string
  /** The page of the console that the link opens, where no secret belongs to it: `/telemetry-warning`. */
  page?: string
  replyTo?: string
  /** The invitation whose delivery is noted. */
  invitationId?: string
}

/** Takes mails in the transactions that cause them, and sends them after the commit. */
export type MailBox = { add(db: QueryExecutorProvider, mail: Mail): Promise<void>; work(): void }
