import { defineConfig } from '@playwright/test'
import { chromiumArgs, headlessPath } from './tests/support/chromium.ts'

/** Specs that wait for minutes of real time. */
const slow = '**/living-fleet.spec.ts'

const inCi = Boolean(process.env.CI)

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/support/prepare.ts',
  projects: [
    { name: 'browser', testIgnore: slow, outputDir: 'tests/output/e2e' },
    { name: 'slow', testMatch: slow, outputDir: 'tests/output/e2e-slow' },
  ],
  fullyParallel: false,
  forbidOnly: inCi,
  workers: 2,
  // A busy machine may be late once; what passes only then is named in the summary.
  retries: inCi ? 1 : 0,
  // Generous: a passing test never waits, and a busy machine is no fault of the product.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: `tests/output/${process.env.E2E_REPORT ?? 'e2e.json'}` }]],
  use: {
    browserName: 'chromium',
    actionTimeout: 15_000,
    headless: true,
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId: 'Europe/Moscow',
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: headlessPath(), args: chromiumArgs },
  },
})
