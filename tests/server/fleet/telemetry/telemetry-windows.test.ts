import { describe, expect, it } from 'vitest'
import { notAfterStart } from '#server/fleet/telemetry/bucket-rule.ts'
import { clip, type Segment, without } from '#server/fleet/telemetry/windows.ts'

const time = (hour: number) => new Date(Date.UTC(2026, 2, 2, hour))
const of = (controlPcbId: string, ...hours: [from: number, to: number][]): Segment[] =>
  hours.map(([from, to]) => ({ controlPcbId, from: time(from).toISOString(), to: time(to).toISOString() }))

describe('the time of a board', () => {
  it('is cut to a range, and gone where it lies beside it', () => {
    const range = { from: time(2), to: time(6) }
    expect(clip([...of('a', [0, 4]), ...of('b', [3, 5], [5, 9]), ...of('c', [0, 2], [6, 7])], range)).toEqual([
      ...of('a', [2, 4]),
      ...of('b', [3, 5], [5, 6]),
    ])
  })

  it.each([
    [
      'in the middle',
      [[3, 4]],
      [
        [0, 3],
        [4, 9],
      ],
    ],
    [
      'at both ends',
      [
        [-1, 1],
        [8, 11],
      ],
      [[1, 8]],
    ],
    [
      'in any order, side by side and over each other',
      [
        [6, 7],
        [2, 3],
        [3, 5],
        [4, 5],
      ],
      [
        [0, 2],
        [5, 6],
        [7, 9],
      ],
    ],
    [
      'beside it',
      [
        [-2, 0],
        [9, 12],
      ],
      [[0, 9]],
    ],
    ['as a whole', [[0, 9]], []],
    ['and more', [[-1, 10]], []],
  ] as [string, [number, number][], [number, number][]][])('is what is left when time is taken out %s', (_, taken, left) => {
    expect(without(of('a', [0, 9]), of('a', ...taken))).toEqual(of('a', ...left))
  })

  it('is not touched by that of another board', () => {
    expect(without([...of('a', [0, 9]), ...of('b', [0, 9])], of('b', [3, 4]))).toEqual([
      ...of('a', [0, 9]),
      ...of('b', [0, 3], [4, 9]),
    ])
  })
})

describe('the start of a bucket', () => {
  it('is known beforehand where its step is fixed, before 1970 too', () => {
    const starts = ['2026-03-02T12:47:31Z', '1969-12-31T23:59:59Z'].map((at) =>
      notAfterStart({ stepMs: 900_000 }, new Date(at)),
    )
    expect(starts).toEqual([new Date('2026-03-02T12:45:00Z'), new Date('1969-12-31T23:45:00Z')])
  })
})
