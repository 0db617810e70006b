import type { ChildProcess } from 'node:child_process'

/** Ends a process at once, without a chance to tidy up, and waits until it is gone. */
export async function killChild(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}
