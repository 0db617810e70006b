import react from '@vitejs/plugin-react'
import { build, type PreviewServer, preview } from 'vite'
import { kitLocales } from '#build/kit-locales.ts'

const outDir = new URL('../../output/gallery', import.meta.url).pathname

/** Builds the pages that show the kit alone and serves them on a free port. */
export async function serveGallery(): Promise<{ address: string; server: PreviewServer }> {
  const root = import.meta.dirname
  await build({
    root,
    configFile: false,
    base: './',
    logLevel: 'error',
    plugins: [react(), kitLocales()],
    build: { outDir, emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 4000 },
  })
  const server = await preview({ root, configFile: false, build: { outDir }, preview: { port: 0, host: '127.0.0.1' } })
  return { address: server.resolvedUrls?.local[0] ?? '', server }
}
