import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { Empty } from 'antd'
import { useEffect } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { AntdProvider } from '#ui/antd/antd-provider.tsx'
import { englishUiWords, UiWordsProvider } from '#ui/theme/ui-words.tsx'

afterEach(cleanup)

function Filled({ onMount }: { onMount: () => void }) {
  useEffect(onMount, [onMount])
  return <Empty />
}

it('keeps what is being filled in when the words of the language arrive late', async () => {
  const mounted = vi.fn()
  render(
    <UiWordsProvider words={englishUiWords} locale="ru-RU">
      <AntdProvider>
        <Filled onMount={mounted} />
      </AntdProvider>
    </UiWordsProvider>,
  )
  await waitFor(() => expect(screen.getAllByText('Нет данных')).not.toEqual([]))
  expect(mounted).toHaveBeenCalledTimes(1)
})
