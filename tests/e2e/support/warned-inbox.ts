import type { Page } from '@playwright/test'
import { warnings } from '#resources/fleet/warnings/warnings.ts'
import { test as base } from './console.ts'
import { TalkingBoard } from './talking-board.ts'

export const insulation = 2 ** warnings.INSULATION_FAULT.flag.bit
export const precharge = 2 ** warnings.PRECHARGE_FAIL.flag.bit

/** Tests with a board of their own, whose flags have opened warnings. */
export const testWithFlags = (eventFlags: number) =>
  base.extend<{ board: TalkingBoard }>({
    board: async ({ api, server }, use) => {
      const board = await TalkingBoard.attach(await api('admin'), server.url)
      await board.send(board.frame({ eventFlags }))
      await use(board)
    },
  })

/** Rows of the inbox. */
export const rows = (page: Page) => page.getByRole('main').locator('[data-row]')
