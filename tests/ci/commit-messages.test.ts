import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const script = join(process.cwd(), '.ci/commit-messages.mjs')

let repository = ''
const git = (...args: string[]) => {
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@test.example', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...author, ...args], { cwd: repository, encoding: 'utf8' }).trim()
}
const commit = (message: string) => git('commit', '-q', '--allow-empty', '--no-verify', '-m', message)

beforeAll(() => {
  repository = mkdtempSync(join(tmpdir(), 'ess-commits-'))
  git('init', '-q')
})
afterAll(() => rmSync(repository, { recursive: true, force: true }))

/** The check of the newest commit: the base of the rule is in no foreign repository. */
const check = () => spawnSync(process.execPath, [script], { cwd: repository, encoding: 'utf8' })

describe('the check of commit messages', () => {
  it.each([
    'lists: keep the page when a filter is removed',
    'server, console: name the version in the header\n\nPeople ask for it.',
    `board: ${'x'.repeat(65)}`,
  ])('accepts %j', (message) => {
    commit(message)
    expect(check().stderr).toBe('')
    expect(check().status).toBe(0)
  })

  it.each([
    ['Lists keep their page', 'begin with the area and a colon'],
    ['Lists: keep the page', 'begin with the area and a colon'],
    ['lists:keep the page', 'begin with the area and a colon'],
    [`board: ${'x'.repeat(66)}`, 'the subject has 73 characters, 72 are allowed'],
    ['lists: keep the page.', 'end the subject without a full stop'],
    ['lists: keep the page\nwhen a filter is removed', 'leave the second line empty'],
  ])('refuses %j', (message, fault) => {
    git('commit', '-q', '--allow-empty', '--no-verify', '--cleanup=verbatim', '-m', message)
    const { status, stderr } = check()
    expect(stderr).toContain(fault)
    expect(status).toBe(1)
  })

  it('reads each commit after the base of the rule, and none before', async () => {
    const { commitsSince } = await import(script)
    commit('Old words of any length')
    const base = git('rev-parse', 'HEAD')
    commit('lists: first\n\nWith a body.')
    commit('lists: second')
    const messages = commitsSince(repository, base).map(({ message }: { message: string }) => message)
    expect(messages).toEqual(['lists: second', 'lists: first\n\nWith a body.'])
  })
})
