import { spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'

/** The last commit before the rule. */
const lastFreeCommit = '55f75ccde38563030a6c4950b013f9844b3c168a'

const subjectForm = /^[a-z][\w./-]*(?:, [a-z][\w./-]*)*: \S/
const maxSubject = 72

/** `area: summary` of at most 72 characters, then an empty line before the body. */
export function messageFaults(message) {
  const [subject = '', second = ''] = message.trimEnd().split('\n')
  return [
    ...(subjectForm.test(subject)
      ? []
      : ['begin with the area and a colon, as in `lists: keep the page when a filter is removed`']),
    ...(subject.length > maxSubject ? [`the subject has ${subject.length} characters, ${maxSubject} are allowed`] : []),
    ...(subject.endsWith('.') ? ['end the subject without a full stop'] : []),
    ...(second.trim() ? ['leave the second line empty'] : []),
  ]
}

function git(cwd, ...args) {
  const { status, stdout } = spawnSync('git', args, { cwd, encoding: 'utf8' })
  return status === 0 ? stdout : undefined
}

/** Commits after `base`. In a shallow clone, which lacks it, the newest one alone. */
export function commitsSince(cwd, base = lastFreeCommit) {
  const range = git(cwd, 'cat-file', '-e', `${base}^{commit}`) === undefined ? ['-1', 'HEAD'] : [`${base}..HEAD`]
  const log = git(cwd, 'log', '--no-merges', '--format=%h%n%B%x00', ...range)
  return (log ?? '')
    .split('\0')
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => ({ id: entry.slice(0, entry.indexOf('\n')), message: entry.slice(entry.indexOf('\n') + 1) }))
}

if (process.argv[1] && pathToFileURL(process.argv[1]).href === import.meta.url) {
  const commits = commitsSince(process.cwd())
  const faults = commits.flatMap(({ id, message }) =>
    messageFaults(message).map((fault) => `${id} ${message.split('\n')[0]}\n    ${fault}`),
  )
  for (const fault of faults) console.error(fault)
  console.log(`${commits.length} commit messages checked`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
