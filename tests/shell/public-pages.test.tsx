import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { draftKey, writeDraft } from '#views/form/draft/draft-store.ts'
import { openConsole } from './open-console.tsx'

expectQuietConsole()
afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const heading = (name: string | RegExp) => screen.findByRole('heading', { level: 1, name })
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(new RegExp(`^${label}`)), { target: { value } })

describe('the sign-in page', () => {
  it('asks for both values before it asks the server', async () => {
    const { calls } = await openConsole({ at: '/login' })
    fireEvent.click(await screen.findByRole('button', { name: 'Sign in' }))
    expect((await screen.findByRole('alert')).textContent).toContain('Fill in e-mail and password')
    expect(calls.filter((call) => call !== 'GET auth/methods')).toEqual([])
  })

  it('sends what a password manager has filled in without an event', async () => {
    const sent: unknown[] = []
    await openConsole({
      at: '/login',
      server: (call, body) => {
        if (call !== 'POST auth/login') return undefined
        sent.push(body)
        return { status: 401, body: { message: 'E-mail or password is wrong' } }
      },
    })
    await heading('Sign in')
    screen.getByLabelText<HTMLInputElement>('E-mail').value = 'ada@example.com'
    screen.getByLabelText<HTMLInputElement>('Password').value = 'right-password'
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    await screen.findByText(/is wrong/)
    expect(sent).toEqual([{ email: 'ada@example.com', password: 'right-password' }])
    expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('right-password')
  })

  it('shows the message of the server under the title of all failures, and keeps the e-mail', async () => {
    const refusal = { statusCode: 401, error: 'Unauthorized', message: 'E-mail or password is wrong', code: 'x', requestId: '' }
    await openConsole({ at: '/login', server: () => ({ status: 401, body: refusal }) })
    await heading('Sign in')
    type('E-mail', 'ada@example.com')
    type('Password', 'wrong-password')
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    expect((await screen.findByRole('alert')).textContent).toBe('Oops! ErrorE-mail or password is wrong')
    expect(screen.getByLabelText<HTMLInputElement>('E-mail').value).toBe('ada@example.com')
  })

  it.each([
    ['says why the server ended the session and that what was typed is kept, and has the e-mail', true],
    ['says nothing of typed values where none are kept', false],
  ])('%s', async (_title, isTyped) => {
    const { session } = await openConsole({ role: 'admin', at: '/user' })
    await heading('Users')
    if (isTyped)
      writeDraft(draftKey('admin-id', 'ess', undefined), { values: { name: 'Half' }, base: {}, version: 1, atMs: Date.now() })
    act(() => session.logout('token', { message: 'Your session has ended', code: 'session-ended.age' }))
    await heading('Sign in')
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Your session has ended')
    // The drafts are looked up by code of its own.
    await act(() => import('#views/form/draft/draft-store.ts'))
    expect(alert.textContent?.includes('Your drafts are kept in this browser.')).toBe(isTyped)
    expect(screen.getByLabelText<HTMLInputElement>('E-mail').value).toBe('admin@example.com')
    expect(document.activeElement).toBe(screen.getByLabelText('Password'))
  })

  it('has neither a reason nor an e-mail for a person who signed out', async () => {
    const { session } = await openConsole({ role: 'admin', at: '/user' })
    await heading('Users')
    act(() => session.logout())
    await heading('Sign in')
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getByLabelText<HTMLInputElement>('E-mail').value).toBe('')
    expect(document.activeElement).toBe(screen.getByLabelText('E-mail'))
  })

  it('speaks Russian to a Russian browser', async () => {
    await openConsole({ at: '/', language: 'ru' })
    await heading('Вход')
    expect(document.documentElement.lang).toBe('ru')
  })
})

describe('the link of a letter', () => {
  it('keeps its token where its path ends with a slash', async () => {
    const { history } = await openConsole({ at: '/register/complete/#token=secret-token' })
    await heading('Finish the registration')
    expect(history.getEntry()).toMatchObject({ pathname: '/register/complete', hash: '' })
  })

  it('gives its token to the call and to nothing else', async () => {
    const sent: unknown[] = []
    const { history, calls } = await openConsole({
      at: '/register/complete#token=secret-token',
      server: (_call, body) => {
        sent.push(body)
        return { status: 200, body: {} }
      },
    })
    await heading('Finish the registration')
    expect(history.getEntry().hash).toBe('')
    type('First name', 'Ada')
    type('Last name', 'Byron')
    type('New password', 'short')
    fireEvent.click(screen.getByRole('button', { name: 'Create the account' }))
    expect((await screen.findAllByText('Use at least 10 characters')).length).toBe(1)
    expect(calls).toEqual([])
    type('New password', 'long enough to be one')
    fireEvent.click(screen.getByRole('button', { name: 'Create the account' }))
    await screen.findByText('The account is ready. You can sign in.')
    expect(calls).toEqual(['PUT user/register/complete'])
    const values = { firstName: 'Ada', lastName: 'Byron', password: 'long enough to be one' }
    expect(sent).toEqual([{ token: 'secret-token', ...values }])
  })

  it.each([
    '/invitation/complete',
    '/register/complete',
    '/restore-self',
    '/change-email/complete',
    '/restore-password/complete',
  ])('without a token says what to do: %s', async (at) => {
    const { calls } = await openConsole({ at })
    await heading('The link is not complete')
    expect(calls).toEqual([])
  })

  it.each([
    { at: '/invitation/complete', button: 'Accept', why: /Ask the person who invited you/, way: 'To sign-in' },
    { at: '/restore-self', button: 'Cancel the deletion', why: /the 30 days are over/, way: 'Support' },
    { at: '/change-email/complete', button: 'Confirm', why: /older than 24 hours/, way: 'To sign-in' },
  ])('that is dead says why that may be, and leads on: $at', async ({ at, button, why, way }) => {
    const body = { statusCode: 410, error: '', message: 'gone', code: 'link.used', requestId: '' }
    await openConsole({ at: `${at}#token=old`, server: () => ({ status: 410, body }) })
    fireEvent.click(await screen.findByRole('button', { name: button }))
    await heading('The link no longer works')
    expect(screen.getByText(why)).toBeTruthy()
    expect(screen.getAllByRole('link', { name: way })[0]?.className).toContain('primary')
  })

  it('shows what the server says about a value beside it', async () => {
    const fields = { password: 'This password is too common' }
    const body = {
      statusCode: 400,
      error: '',
      message: ['This password is too common'],
      code: 'invalid',
      fields,
      requestId: '',
    }
    await openConsole({ at: '/restore-password#token=t', server: () => ({ status: 400, body }) })
    await heading('New password')
    type('New password', 'password12345')
    fireEvent.click(screen.getByRole('button', { name: 'Set the password' }))
    await waitFor(() => expect(screen.getByLabelText(/^New password/).getAttribute('aria-invalid')).toBe('true'))
    expect(screen.getAllByText('This password is too common').length).toBeGreaterThan(0)
  })
})
