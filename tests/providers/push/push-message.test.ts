import { describe, expect, it } from 'vitest'
import { readFirebaseConfig } from '#providers/push/firebase-config.ts'
import { ownPath, readNote, readPushMessage } from '#providers/push/push-message.ts'

const origin = 'https://console.example'

describe('the link of a note', () => {
  it.each([
    ['/ess/7?tab=1#x', '/ess/7?tab=1#x'],
    ['https://console.example/profile', '/profile'],
    ['//evil.example/ess', undefined],
    ['https://evil.example/', undefined],
    ['javascript:alert(1)', undefined],
    ['http://console.example/', undefined],
    ['https://[', undefined],
    [null, undefined],
  ])('%s leads to %s', (link, path) => expect(ownPath(link, origin)).toBe(path))
})

describe('a note', () => {
  const note = { id: '1', title: 'Title', body: 'Text', tone: 'bad', link: '/ess' }

  it('is taken out of a message or the data of a push', () => {
    expect(readPushMessage({ kind: 'note', note })).toEqual(note)
    expect(readNote({ id: '1', title: 'Title', link: '' })).toEqual({
      id: '1',
      title: 'Title',
      body: '',
      tone: 'info',
      link: null,
    })
    expect(readNote({ ...note, tone: 'loud' })).toMatchObject({ tone: 'info' })
  })

  it.each([null, 'x', {}, { kind: 'other', note }, { kind: 'note' }, { kind: 'note', note: { id: 1, title: 'x' } }])(
    'is not %j',
    (value) => expect(readPushMessage(value)).toBeUndefined(),
  )
})

it('Firebase is used only where every setting of it is given', () => {
  const names = ['API_KEY', 'PROJECT_ID', 'APP_ID', 'MESSAGING_SENDER_ID', 'VAPID_KEY']
  const all = Object.fromEntries(names.map((name) => [`VITE_FIREBASE_${name}`, name]))
  expect(readFirebaseConfig(all)).toMatchObject({ apiKey: 'API_KEY', vapidKey: 'VAPID_KEY' })
  for (const name of names) expect(readFirebaseConfig({ ...all, [`VITE_FIREBASE_${name}`]: ' ' })).toBeUndefined()
})
