import { test as base } from './console.ts'
import { startFleet } from './live-server.ts'
import { copyProject, type OwnProject } from './own-project.ts'

/** Browser tests of a copy of this project, built and served after a change to its sources. */
export const testChanged = (change: (project: OwnProject) => Promise<void>) =>
  base.extend({
    server: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's form
      async ({}, use) => {
        const project = await copyProject()
        await change(project)
        await project.script('build')
        const server = await startFleet({ dir: project.dir })
        await use(server)
        await server.stop()
        await project.remove()
      },
      { scope: 'worker', timeout: 240_000 },
    ],
  })
