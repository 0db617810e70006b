export type PublicFieldKind = 'text' | 'email' | 'tel' | 'newPassword' | 'multiline'
export type PublicField = {
  name: string
  word: string
  kind: PublicFieldKind
  optional?: true
  hint?: string
  autoComplete?: string
  /** Filled with what is known of who is signed in, or with the topic that the address names. */
  known?: 'name' | 'email' | 'topic'
}

/** Id of the input of a public form's value. */
export const publicInputId = (name: string) => `field-${name}`

/** Topics by their names in an address, as texts of the shell. */
export const supportTopics: Readonly<Record<string, string>> = { deletion: 'support.deletionTopic' }
export const supportPath = (topic: string) => `/support?topic=${topic}`

/** A page with one form and one request. Keys refer to the shell's texts. */
export type PublicForm = {
  title: string
  text?: string
  submit: string
  done: string
  call: readonly ['POST' | 'PUT', string]
  fields: readonly PublicField[]
  /** Opened by a mailed link: its token is sent. */
  needsToken?: true
  /** Text for an invalid link: possible reasons and the next page. */
  dead?: { text: string; way: 'signIn' | 'ask' | 'support' }
}

const password: PublicField = {
  name: 'password',
  word: 'password.new',
  kind: 'newPassword',
  hint: 'password.rule',
  autoComplete: 'new-password',
}
const email: PublicField = { name: 'email', word: 'signIn.email', kind: 'email', autoComplete: 'email' }
const firstName: PublicField = { name: 'firstName', word: 'public.firstName', kind: 'text', autoComplete: 'given-name' }
const lastName: PublicField = { name: 'lastName', word: 'public.lastName', kind: 'text', autoComplete: 'family-name' }
const phone: PublicField = {
  name: 'phone',
  word: 'public.phone',
  kind: 'tel',
  optional: true,
  hint: 'public.phoneHint',
  autoComplete: 'tel',
}

export const invitationForm: PublicForm = {
  title: 'invitation.title',
  text: 'invitation.text',
  submit: 'invitation.submit',
  done: 'invitation.done',
  call: ['PUT', 'user/invitation/complete'],
  needsToken: true,
  dead: { text: 'link.dead.invitation', way: 'signIn' },
  fields: [
    { ...firstName, optional: true },
    { ...lastName, optional: true },
    { ...password, optional: true },
  ],
}
export const registerForm: PublicForm = {
  title: 'register.title',
  submit: 'register.submit',
  done: 'register.done',
  call: ['PUT', 'user/register/complete'],
  needsToken: true,
  dead: { text: 'link.dead.register', way: 'signIn' },
  fields: [firstName, lastName, phone, password],
}
export const restoreSelfForm: PublicForm = {
  title: 'restoreSelf.title',
  text: 'restoreSelf.text',
  submit: 'restoreSelf.submit',
  done: 'restoreSelf.done',
  call: ['PUT', 'user/cancel-delete'],
  needsToken: true,
  dead: { text: 'link.dead.restoreSelf', way: 'support' },
  fields: [],
}
export const changeEmailForm: PublicForm = {
  title: 'changeEmail.title',
  text: 'changeEmail.text',
  submit: 'changeEmail.submit',
  done: 'changeEmail.done',
  call: ['PUT', 'user/change-email/complete'],
  needsToken: true,
  dead: { text: 'link.dead.changeEmail', way: 'signIn' },
  fields: [],
}
export const askPasswordForm: PublicForm = {
  title: 'restorePassword.title',
  text: 'restorePassword.text',
  submit: 'restorePassword.submit',
  done: 'restorePassword.sent',
  call: ['POST', 'user/restore-password'],
  fields: [email],
}
export const newPasswordForm: PublicForm = {
  title: 'restorePassword.title',
  submit: 'restorePassword.complete',
  done: 'restorePassword.done',
  call: ['PUT', 'user/restore-password/complete'],
  needsToken: true,
  dead: { text: 'link.dead.restorePassword', way: 'ask' },
  fields: [password],
}
export const supportForm: PublicForm = {
  title: 'support.title',
  text: 'support.text',
  submit: 'support.submit',
  done: 'support.done',
  call: ['POST', 'support'],
  fields: [
    { name: 'name', word: 'support.name', kind: 'text', autoComplete: 'name', known: 'name' },
    { name: 'email', word: 'support.email', kind: 'email', autoComplete: 'email', known: 'email' },
    { name: 'topic', word: 'support.topic', kind: 'text', known: 'topic' },
    { name: 'message', word: 'support.message', kind: 'multiline' },
  ],
}
