import { afterAll, vi } from 'vitest'

// A screen may still be loading a part of itself when its last test ends: what arrives after the browser is gone would fall nowhere.
afterAll(() => vi.dynamicImportSettled())
