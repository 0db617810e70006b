import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import { extraAuthorities, inFolder, makeBase, makeRoot, run, serveFrom } from './bare-root.mjs'

// Runs the steps of the Dockerfile on a bare Debian by chroot, where no Docker engine is to be had. Needs root and debootstrap.
// It knows the instructions that the Dockerfile uses and fails at any other.

const project = join(import.meta.dirname, '..')

function readSteps() {
  const text = readFileSync(join(project, 'Dockerfile'), 'utf8').replace(/\\\n\s*/g, '')
  const lines = text.split('\n').filter((line) => line.trim() && !line.startsWith('#'))
  return lines.map((line) => ({ name: line.slice(0, line.indexOf(' ')), rest: line.slice(line.indexOf(' ') + 1).trim() }))
}

/** `["node", "a b"]` as words of a shell. */
const wordsOf = (json) =>
  JSON.parse(json)
    .map((word) => `'${word.replaceAll("'", "'\\''")}'`)
    .join(' ')

/** Sources that Git knows: `.dockerignore` leaves out the rest. */
const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: project, encoding: 'utf8' })
  .trim()
  .split('\n')

function copyInto(stage, from, sources, target) {
  const to = join(stage.root, posix.resolve(stage.cwd, target))
  for (const source of sources) {
    if (!from && source === '.') {
      for (const file of tracked) if (existsSync(join(project, file))) cpSync(join(project, file), join(to, file))
      continue
    }
    const path = from ? join(from.root, source) : join(project, source)
    const isInto = target.endsWith('/') && !statSync(path).isDirectory()
    cpSync(path, isInto ? join(to, basename(source)) : to, { recursive: true })
  }
}

const instructions = {
  WORKDIR: (stage, rest) => {
    stage.cwd = rest
    mkdirSync(join(stage.root, rest), { recursive: true })
  },
  ENV: (stage, rest) => {
    for (const pair of rest.split(' ')) stage.env[pair.slice(0, pair.indexOf('='))] = pair.slice(pair.indexOf('=') + 1)
  },
  ARG: () => {},
  RUN: (stage, rest) => {
    const env = {
      PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      HOME: '/root',
      NODE_EXTRA_CA_CERTS: extraAuthorities,
      ...stage.env,
    }
    run('chroot', [stage.root, '/bin/sh', '-c', `cd ${stage.cwd} && ${rest}`], { env })
  },
  COPY: (stage, rest, stages) => {
    const words = rest.split(' ')
    const from = words[0].startsWith('--from=') ? stages.get(words.shift().slice('--from='.length)) : undefined
    copyInto(stage, from, words.slice(0, -1), words.at(-1))
  },
  EXPOSE: () => {},
  VOLUME: () => {},
  USER: (_stage, rest) => {
    if (rest !== 'node') throw new Error(`the server runs as ${rest}`)
  },
  HEALTHCHECK: (stage, rest) => {
    stage.check = wordsOf(rest.slice(rest.indexOf('CMD ') + 4))
  },
  CMD: (stage, rest) => {
    stage.command = wordsOf(rest)
  },
}

await inFolder(async (folder) => {
  const base = makeBase(folder)
  const stages = new Map()
  let stage
  for (const { name, rest } of readSteps()) {
    console.log(`${name} ${rest}`)
    if (name === 'FROM') {
      const title = / AS (\S+)/.exec(rest)?.[1] ?? 'final'
      stage = { root: join(folder, title), cwd: '/', env: {} }
      stages.set(title, stage)
      makeRoot(base, stage.root, { npm: true })
      continue
    }
    if (!instructions[name]) throw new Error(`${name} is not known here`)
    instructions[name](stage, rest, stages)
  }
  await serveFrom(stage.root, stage)
})
