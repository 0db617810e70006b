import type { Plugin } from 'vite'
import { packages } from './chunk-groups.ts'

/**
 * Marks packages without side effects whose package.json does not say so: one import would pull in all of their modules. Fails
 * the build for a name that matches no module.
 */
export function inertPackages(...names: string[]): Plugin {
  return {
    name: 'inert-packages',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    config: () => ({
      environments: {
        client: {
          build: {
            rolldownOptions: { treeshake: { moduleSideEffects: [{ test: packages(...names), sideEffects: false }] } },
          },
        },
      },
    }),
    buildEnd(error) {
      if (error) return
      const ids = [...this.getModuleIds()]
      const unused = names.filter((name) => !ids.some((id) => packages(name).test(id)))
      if (unused.length > 0) this.error(`No module of ${unused.join(', ')}: remove the name from vite.config.ts`)
    },
  }
}
