import { useState } from 'react'
import { useShell } from '#shell/shell-services.ts'
import { useAddress } from '#shell/use-address.ts'
import { useWords } from '#shell/use-words.ts'
import { problemOf } from '#views/shared/problem.ts'
import { type PublicField, type PublicForm, publicInputId, supportTopics } from './public-forms.ts'

type Values = Readonly<Record<string, string>>
type Outcome = { state: 'open' } | { state: 'dead' } | { state: 'done'; answer: unknown }

const minPassword = 10
const maxPassword = 128
/** The link was used, has expired, or is unknown. */
const deadStatuses = new Set([404, 410])

/** Text key of a value's fault, checked before the request; the server's rules are authoritative. */
function faultOf(field: PublicField, value: string): string | undefined {
  if (value === '') return field.optional ? undefined : 'public.fill'
  if (field.kind !== 'newPassword') return undefined
  if (value.length < minPassword) return 'password.tooShort'
  return value.length > maxPassword ? 'password.tooLong' : undefined
}

const sentValue = (field: PublicField, value: string) => (field.kind === 'newPassword' ? value : value.trim())

function useKnownValues({ fields }: PublicForm): Values {
  const words = useWords()
  const { user } = useShell()
  const { search } = useAddress()
  const person = user()
  const asked = new URLSearchParams(search).get('topic') ?? ''
  const topic = Object.hasOwn(supportTopics, asked) ? supportTopics[asked] : undefined
  const known = {
    name: [person?.firstName, person?.lastName].filter(Boolean).join(' '),
    email: person?.email ?? '',
    topic: topic ? words(topic) : '',
  }
  return Object.fromEntries(fields.map((field) => [field.name, field.known ? known[field.known] : '']))
}

const focusInput = (name: string | undefined) => document.getElementById(publicInputId(name ?? ''))?.focus()

/** Controller of a public form: values, faults and the request. */
export function usePublicForm(form: PublicForm, token: string | undefined) {
  const words = useWords()
  const { call } = useShell()
  const [values, setValues] = useState(useKnownValues(form))
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [message, setMessage] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>({ state: 'open' })

  const setValue = (name: string, value: string) => {
    setValues((known) => ({ ...known, [name]: value }))
    setErrors(({ [name]: _gone, ...others }) => others)
  }

  const submit = async () => {
    const filled = form.fields.map((field) => ({ field, value: sentValue(field, values[field.name] ?? '') }))
    const faults = filled.flatMap(({ field, value }) => {
      const fault = faultOf(field, value)
      return fault ? [[field.name, words(fault)] as const] : []
    })
    setErrors(Object.fromEntries(faults))
    setMessage(undefined)
    if (faults.length > 0) return focusInput(faults[0]?.[0])
    if (isBusy) return
    setBusy(true)
    const given = filled.filter(({ value }) => value !== '').map(({ field, value }) => [field.name, value])
    try {
      const answer = await call(...form.call, { ...(token ? { token } : {}), ...Object.fromEntries(given) })
      setOutcome({ state: 'done', answer })
    } catch (error) {
      const problem = problemOf(error)
      if (form.needsToken && deadStatuses.has(problem.statusCode)) setOutcome({ state: 'dead' })
      setErrors(problem.errors)
      setMessage(problem.message)
      focusInput(Object.keys(problem.errors)[0])
    }
    setBusy(false)
  }
  return { values, errors, message, isBusy, outcome, setValue, submit }
}
