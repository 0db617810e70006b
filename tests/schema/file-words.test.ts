import { describe, expect, it } from 'vitest'
import { faultText } from '#schema/faults.ts'
import { acceptWords, formatLimit } from '#schema/format/file-words.ts'

describe('the limits of a field of files', () => {
  it('name kinds as people do', () => {
    expect(acceptWords('.pdf, image/*,application/zip', 'en')).toBe('PDF, images, ZIP')
    expect(acceptWords('image/*', 'ru')).toBe('изображения')
    expect(faultText({ path: 'photo', code: 'file-type', params: { accept: 'image/*,.bin' } }, 'en')).toBe(
      'Choose a file of this kind: images, BIN',
    )
  })

  it.each([
    { bytes: 5_000_000, text: '5 MB' },
    { bytes: 2_500_000, text: '2.5 MB' },
    { bytes: 500_000, text: '500 KB' },
    { bytes: 10 * 1024 * 1024, text: '10.0 MB' },
    { bytes: 16 * 1024 * 1024, text: '16.0 MB' },
    { bytes: 20, text: '20.0 b' },
  ])('of $bytes bytes are said as $text', ({ bytes, text }) => {
    expect(formatLimit(bytes, 'en')).toBe(text)
  })
})
