import { PublicFormPage } from './public-form-page.tsx'
import {
  askPasswordForm,
  changeEmailForm,
  invitationForm,
  newPasswordForm,
  type PublicForm,
  registerForm,
  restoreSelfForm,
  supportForm,
} from './public-forms.ts'

const forms: Readonly<Record<string, { form: PublicForm; withToken?: PublicForm }>> = {
  '/invitation/complete': { form: invitationForm },
  '/register/complete': { form: registerForm },
  '/restore-self': { form: restoreSelfForm },
  '/change-email/complete': { form: changeEmailForm },
  '/restore-password': { form: askPasswordForm, withToken: newPasswordForm },
  '/restore-password/complete': { form: newPasswordForm },
  '/support': { form: supportForm },
}

export function FormPage({ path }: { path: string }) {
  const row = forms[path]
  return row ? <PublicFormPage path={path} {...row} /> : null
}
